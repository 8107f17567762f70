import type { FlushPlan } from '@nervix/model';
import { nanosToMs } from '../clock/clock.js';

/** Physical minimum of FLUSH IMMEDIATE. */
export const IMMEDIATE_FLUSH_MS = 0.1;

/** When a buffer must be flushed: so long after it stopped being empty, or from so many bytes. */
export interface FlushPolicy {
  readonly delayMs: number;
  /** Infinity without a size boundary. */
  readonly maxBytes: number;
}

/**
 * An unpaced domain advances at the physical rate, so that its intervals are measured on the
 * physical clock, which no step of the host's UTC can stretch.
 */
export function flushPolicy(plan: FlushPlan): FlushPolicy {
  if (plan.kind === 'immediate') return { delayMs: IMMEDIATE_FLUSH_MS, maxBytes: Infinity };
  return { delayMs: nanosToMs(plan.intervalNanos), maxBytes: Number(plan.maxBatchBytes) };
}
