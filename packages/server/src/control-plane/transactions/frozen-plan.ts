import type { TransactionPlan } from '@nervix/planner';
import type { CommitProgress, ContentRecord } from '../../replicated-state/records.js';
import { frozenSteps, unattempted } from '../execution/frozen-step.js';
import { archive } from './content-archive.js';

/** The decisions of a plan, with progress that has not begun. */
export interface FrozenPlan {
  readonly progress: CommitProgress;
  readonly records: readonly ContentRecord[];
}

/** Freezes a plan: no restart and no later change makes any of its decisions again. */
export function freeze(transaction: string, plan: TransactionPlan): FrozenPlan {
  const { reference, records } = archive(transaction, frozenSteps(plan));
  return { progress: { plan: reference, steps: unattempted(plan) }, records };
}
