import { type RuntimeError, runtimeError } from '@nervix/runtime';
import { NOTHING_PENDING } from '@nervix/runtime/data-plane';

/** What a data plane throws that could not drain a domain as a whole. */
export function drainTimeout(domain: string, pending: readonly string[]): RuntimeError {
  const left = { ...NOTHING_PENDING, pending, nodeWorkItems: pending.length };
  return runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain, node: 'n1', replaced: null, ...left });
}
