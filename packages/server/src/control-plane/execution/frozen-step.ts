import { assert, type StartInstant } from '@nervix/model';
import {
  type PlannedStep,
  pauseLevel,
  type QuiesceLevel,
  type TransactionPlan,
} from '@nervix/planner';
import type { CommitStep, StartPoint } from '../../replicated-state/records.js';
import { latestVersions } from '../planning/version-texts.js';

/** A step as it was admitted: what execution consists of. */
export interface FrozenStep extends PlannedStep {
  /** The pause that it was planned with. */
  readonly level: QuiesceLevel;
  /** Where a START begins, resolved once for all who carry it out; absent of any other step. */
  readonly startPoint?: StartPoint;
}

/**
 * The steps of a plan, with the pauses that its report tells of.
 *
 * @param nowMs the moment of their admission, which is what NOW means in them
 */
export function frozenSteps(
  { steps, report }: TransactionPlan,
  nowMs: number,
): readonly FrozenStep[] {
  return steps.map((step, index) => {
    const reported = report.execution_steps[index];
    const level = reported === undefined ? 'DYNAMIC' : pauseLevel(reported.planned.pause);
    const { decision } = step;
    if (decision.kind !== 'start_domain') return { ...step, level };
    return { ...step, level, startPoint: startPoint(decision.at, nowMs) };
  });
}

/** Without a domain that has a clock of its own, the clock that is resumed is that of the world. */
function startPoint(at: StartInstant | null, nowMs: number): StartPoint {
  if (at === null) return { kind: 'resume', atMs: nowMs, timeRate: 1 };
  assert(at.instant === null, 'an instant that is given needs a paced domain');
  return { kind: 'instant', atMs: nowMs, timeRate: at.timeRate };
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
