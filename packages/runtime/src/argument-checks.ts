import { runtimeError } from './errors.js';

/**
 * Checks a number that a caller of the library gave for a position or a count.
 *
 * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for what is no integer from 0 to `max`
 */
export function checkPosition(argument: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  refuseArgument(argument, `must be an integer from 0 to ${max}`);
}

/** @throws RuntimeError RUNTIME_INVALID_ARGUMENT */
export function refuseArgument(argument: string, problem: string): never {
  throw runtimeError('RUNTIME_INVALID_ARGUMENT', { argument, problem });
}
