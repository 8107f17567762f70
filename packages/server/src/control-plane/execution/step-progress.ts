import type { QuiesceLevel } from '@nervix/planner';
import type {
  CommitProgress,
  CommitStep,
  EngagementAttempt,
  EngagementOutcome,
} from '../../replicated-state/records.js';

const WIDTHS: readonly QuiesceLevel[] = ['DYNAMIC', 'ENTITY_PAUSE', 'DOMAIN_PAUSE'];
const ENGAGED: ReadonlySet<EngagementOutcome['kind']> = new Set([
  'CONFIRMED',
  'UNCERTAIN',
  'RELEASED',
]);

/** The widest pause that was, or may have been, engaged by a step. */
function actualStepLevel({ attempts }: CommitStep): QuiesceLevel {
  const widths = attempts
    .filter(({ outcomes }) => outcomes.some(({ kind }) => ENGAGED.has(kind)))
    .map(({ level }) => WIDTHS.indexOf(level));
  return WIDTHS[Math.max(0, ...widths)] ?? 'DYNAMIC';
}

/** The widest pause of all steps that were recorded; undefined where none was. */
export function actualLevelOf({ steps }: CommitProgress): QuiesceLevel | undefined {
  const recorded = steps.filter(({ outcome }) => outcome !== 'UNATTEMPTED');
  if (recorded.length === 0) return undefined;
  const widths = recorded.map((step) => WIDTHS.indexOf(actualStepLevel(step)));
  return WIDTHS[Math.max(...widths)];
}

/** The step that a commit goes on with; undefined where all of them are applied. */
export function nextStep({ steps }: CommitProgress): CommitStep | undefined {
  return steps.find(({ outcome }) => outcome !== 'APPLIED');
}

/** The progress with one of its steps replaced. */
export function withStep(progress: CommitProgress, step: CommitStep): CommitProgress {
  const steps = progress.steps.map((other) => (other.first === step.first ? step : other));
  return { ...progress, steps };
}

/** The step with another outcome in every attempt that `isAbout` picks. */
export function withOutcome(
  step: CommitStep,
  outcome: EngagementOutcome,
  isAbout: (attempt: EngagementAttempt) => boolean,
): CommitStep {
  const attempts = step.attempts.map((attempt) =>
    isAbout(attempt) ? { ...attempt, outcomes: [...attempt.outcomes, outcome] } : attempt,
  );
  return { ...step, attempts };
}

function lastOutcome({ outcomes }: EngagementAttempt): EngagementOutcome['kind'] | undefined {
  return outcomes.at(-1)?.kind;
}

/** Whether nobody knows yet what became of an attempt. */
export function isRequested(attempt: EngagementAttempt): boolean {
  return lastOutcome(attempt) === 'REQUESTED';
}

/** Whether an attempt holds something. */
export function isHolding(attempt: EngagementAttempt): boolean {
  const last = lastOutcome(attempt);
  return last === 'CONFIRMED' || last === 'UNCERTAIN';
}
