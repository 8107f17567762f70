import {
  type PlannedStep,
  pauseLevel,
  type QuiesceLevel,
  type TransactionPlan,
} from '@nervix/planner';
import type { CommitStep } from '../../replicated-state/records.js';
import { latestVersions } from '../planning/version-texts.js';

/** A step as it was admitted: what execution consists of. */
export interface FrozenStep extends PlannedStep {
  /** The pause that it was planned with. */
  readonly level: QuiesceLevel;
}

/** The steps of a plan, with the pauses that its report tells of. */
export function frozenSteps({ steps, report }: TransactionPlan): readonly FrozenStep[] {
  return steps.map((step, index) => {
    const reported = report.execution_steps[index];
    const level = reported === undefined ? 'DYNAMIC' : pauseLevel(reported.planned.pause);
    return { ...step, level };
  });
}

/** Progress that has not begun. */
export function unattempted({ steps, report }: TransactionPlan): readonly CommitStep[] {
  return steps.map(({ first, last, moves }) => ({
    first,
    last,
    outcome: 'UNATTEMPTED',
    attempts: [],
    hasEffect: false,
    relocations: moves.length,
    resolved: operationsOf(first, last).flatMap((number) => latestVersions(report, number)),
  }));
}

function operationsOf(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Whether a step changes only what listeners take over while everything runs. */
export function isListenerChange({ decision, level }: FrozenStep): boolean {
  return (
    decision.kind === 'models' &&
    level === 'DYNAMIC' &&
    decision.transitions.some(({ before, after }) => (after ?? before)?.kind === 'vhost')
  );
}
