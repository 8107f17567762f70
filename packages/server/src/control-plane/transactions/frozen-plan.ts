import {
  type PlannedStep,
  pauseLevel,
  type QuiesceLevel,
  type TransactionPlan,
} from '@nervix/planner';
import type { CommitProgress, ContentRecord } from '../../replicated-state/records.js';
import { latestVersions } from '../planning/version-texts.js';
import { archive } from './content-archive.js';

/** A step as its commit was admitted: what execution consists of. */
export interface FrozenStep extends PlannedStep {
  /** The pause that it was planned with. */
  readonly level: QuiesceLevel;
}

/** The decisions of a plan, with progress that has not begun. */
export interface FrozenPlan {
  readonly progress: CommitProgress;
  readonly records: readonly ContentRecord[];
}

/** Freezes a plan: no restart and no later change makes any of its decisions again. */
export function freeze(transaction: string, { steps, report }: TransactionPlan): FrozenPlan {
  const frozen = steps.map((step, index): FrozenStep => {
    const reported = report.execution_steps[index];
    return {
      ...step,
      level: reported === undefined ? 'DYNAMIC' : pauseLevel(reported.planned.pause),
    };
  });
  const { reference, records } = archive(transaction, frozen);
  const progress: CommitProgress = {
    plan: reference,
    steps: steps.map(({ first, last, moves }) => ({
      first,
      last,
      outcome: 'UNATTEMPTED',
      attempts: [],
      hasEffect: false,
      relocations: moves.length,
      resolved: operationsOf(first, last).flatMap((number) => latestVersions(report, number)),
    })),
  };
  return { progress, records };
}

function operationsOf(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
