import type { TransactionPlan } from '@nervix/planner';
import type { CommitProgress, ContentRecord } from '../../replicated-state/records.js';
import { frozenSteps, unattempted } from '../execution/frozen-step.js';
import { archive } from './content-archive.js';

/** The decisions of a plan, with progress that has not begun. */
export interface FrozenPlan {
  readonly progress: CommitProgress;
  readonly records: readonly ContentRecord[];
}

/**
 * Freezes a plan: no restart and no later change makes any of its decisions again.
 *
 * @param nowMs the moment of its admission
 */
export function freeze(transaction: string, plan: TransactionPlan, nowMs: number): FrozenPlan {
  const { reference, records } = archive(transaction, frozenSteps(plan, nowMs));
  return { progress: { plan: reference, steps: unattempted(plan) }, records };
}
