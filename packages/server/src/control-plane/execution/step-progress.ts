import { type QuiesceLevel, widerLevel } from '@nervix/planner';
import type {
  CommitProgress,
  CommitStep,
  EngagementAttempt,
  EngagementOutcome,
} from '../../replicated-state/records.js';

const ENGAGED: ReadonlySet<EngagementOutcome['kind']> = new Set([
  'CONFIRMED',
  'UNCERTAIN',
  'RELEASED',
]);

const LOST: EngagementOutcome = {
  kind: 'UNCERTAIN',
  message:
    'the original coordinator left while the gate was engaged; its fenced lease owns cleanup',
};

/** The widest pause that was, or may have been, engaged by a step. */
export function actualStepLevel({ attempts }: CommitStep): QuiesceLevel {
  return attempts
    .filter(({ outcomes }) => outcomes.some(({ kind }) => ENGAGED.has(kind)))
    .map(({ level }) => level)
    .reduce<QuiesceLevel>(widerLevel, 'DYNAMIC');
}

/** The widest pause of all steps that were recorded; undefined where none was. */
export function actualLevelOf({ steps }: CommitProgress): QuiesceLevel | undefined {
  const recorded = steps.filter(({ outcome }) => outcome !== 'UNATTEMPTED');
  if (recorded.length === 0) return undefined;
  return recorded.map(actualStepLevel).reduce(widerLevel);
}

/** The step that a commit goes on with; undefined where all of them are applied. */
export function nextStep({ steps }: CommitProgress): CommitStep | undefined {
  return steps.find(({ outcome }) => outcome !== 'APPLIED');
}

/** Number of the last operation that is applied, or whose effect stays; steps end in order. */
export function appliedOperations({ steps }: CommitProgress): number {
  const kept = steps.filter(({ outcome, hasEffect }) => outcome === 'APPLIED' || hasEffect);
  return kept.at(-1)?.last ?? 0;
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

/** Whether an attempt held something that did not hold long enough; it has to be let go all the same. */
function isBroken(attempt: EngagementAttempt): boolean {
  const isHeld = attempt.outcomes.some(({ kind }) => kind === 'CONFIRMED');
  return isHeld && lastOutcome(attempt) === 'FAILED';
}

/** The step whose gates may open before its effect is there. */
export function withBrokenHolds(step: CommitStep, message: string): CommitStep {
  return withOutcome(step, { kind: 'FAILED', message }, isHolding);
}

/** A pause of the whole domain that was asked for; the domain is marked as paused with it. */
export function isDomainRequest(attempt: EngagementAttempt): boolean {
  return attempt.level === 'DOMAIN_PAUSE' && isRequested(attempt);
}

function isEntityRequest(attempt: EngagementAttempt): boolean {
  return attempt.level === 'ENTITY_PAUSE' && isRequested(attempt);
}

/** The step behind the end of whoever asked for its gates: nobody knows what became of these. */
export function withLostGates(step: CommitStep): CommitStep {
  return withOutcome(step, LOST, isEntityRequest);
}

/**
 * The step with nothing held any more, where its transaction ends. What is still asked for then was
 * so by somebody who has ended: gates are lost, and the pause of the domain ends with the transaction.
 */
export function withoutHolds(step: CommitStep): CommitStep {
  const known = withLostGates(step);
  return withOutcome(known, { kind: 'RELEASED' }, (attempt) => {
    return isHolding(attempt) || isBroken(attempt) || isDomainRequest(attempt);
  });
}
