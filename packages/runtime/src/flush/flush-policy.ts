import type { CollectPlan, FlushPlan } from '@nervix/model';
import type { Delay } from '../clock/delay.js';

/** Physical minimum of FLUSH IMMEDIATE. */
export const IMMEDIATE_FLUSH_MS = 0.1;

/** When a buffer must be flushed: so long after it stopped being empty, or from so many bytes. */
export interface FlushPolicy {
  readonly delay: Delay;
  /** Infinity without a size boundary. */
  readonly maxBytes: number;
}

/** FLUSH EACH goes by the domain's time; FLUSH IMMEDIATE is physical, whatever rate that has. */
export function flushPolicy(plan: FlushPlan): FlushPolicy {
  if (plan.kind === 'immediate') {
    return { delay: { kind: 'physical', ms: IMMEDIATE_FLUSH_MS }, maxBytes: Infinity };
  }
  const delay = { kind: 'logical', nanos: plan.intervalNanos } as const;
  return { delay, maxBytes: Number(plan.maxBatchBytes) };
}

/** COLLECT FOR goes by the domain's time. */
export function collectPolicy({ intervalNanos, maxBatchBytes }: CollectPlan): FlushPolicy {
  return {
    delay: { kind: 'logical', nanos: intervalNanos },
    maxBytes: maxBatchBytes === null ? Infinity : Number(maxBatchBytes),
  };
}
