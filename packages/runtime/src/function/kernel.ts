import type { DataType, TypedCall } from '@nervix/model';
import type { Value } from '../column/column.js';
import type { RowFault } from '../program/row-fault.js';

/**
 * Computes a function from arguments that are all present.
 *
 * @throws RowFault when the row fails
 */
export type Kernel = (values: readonly Value[]) => Value;

/**
 * Makes the kernel of one call, once: constant arguments such as patterns, zones and paths are read
 * here.
 */
export type KernelFactory = (call: TypedCall) => Kernel;

/** Kernels of a family of functions by their overload. */
export type KernelFamily = Readonly<Record<string, KernelFactory>>;

/** A kernel of a function that depends on its arguments alone. */
export function plain<Arguments extends readonly Value[]>(
  compute: (...values: Arguments) => Value,
): KernelFactory {
  return () => (values) => compute(...(values as unknown as Arguments));
}

/** Text of a constant argument; undefined where each row has its own. */
export function constantText(call: TypedCall, index: number): string | undefined {
  const argument = call.arguments[index];
  const isText = argument?.kind === 'literal' && typeof argument.value === 'string';
  return isText ? String(argument.value) : undefined;
}

/** Type of an argument. */
export function argumentType(call: TypedCall, index: number): DataType {
  return call.arguments[index]?.type ?? call.type;
}

/** Outcome of a kernel that may fail, for generated loops: a fault is returned, not thrown. */
export type Attempt = (values: readonly Value[]) => Value | RowFault;
