import type { ParsedStatement } from '@nervix/nspl-parser';
import { failed, type Outcome } from '../outcome.js';

/** Refusal of a move that would take work from one cluster node to another. */
export function unsupportedMove({ span }: ParsedStatement): Outcome {
  const message = 'moving work between cluster nodes is not supported by this release';
  return failed('UNSUPPORTED_CAPABILITY', message, [{ message, span: { ...span } }]);
}
