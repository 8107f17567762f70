import { type QueueableStatement, widerLevel } from '@nervix/planner';
import type { CommitStep } from '../../replicated-state/records.js';
import type { StepFault } from '../execution/journal.js';
import { actualStepLevel } from '../execution/step-progress.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { changeText } from './change-text.js';
import type { FrozenCommand } from './frozen-command.js';

/** What a command answers that got through. */
export function successOutcome(
  domain: string,
  statement: QueueableStatement,
  { step, alreadyExisted, rebinding }: FrozenCommand,
  progress: CommitStep,
): Outcome {
  const { hasEffect, resolved } = progress;
  const level = hasEffect ? widerLevel(step.level, actualStepLevel(progress)) : 'DYNAMIC';
  const facts = { domain, step, rebinding, resolved, level, alreadyExisted, hasEffect };
  return completed(changeText(statement, facts), alreadyExisted);
}

/** What a command answers that did not; changed inputs are no answer yet. */
export function faultOutcome(
  domain: string,
  statement: QueueableStatement,
  fault: Exclude<StepFault, { kind: 'inputs_changed' }>,
): Outcome {
  switch (fault.kind) {
    case 'refused':
      return failed(fault.code, fault.message);
    case 'unpublished':
      return failed(
        fault.code,
        `failed to publish schedule for domain '${domain}': ${fault.cause}`,
      );
    case 'unusable':
      return failed('ACTIVATION_FAILED', unusableText(domain, statement, fault));
  }
}

function unusableText(
  domain: string,
  statement: QueueableStatement,
  { cause, isTakenBack, remains }: Extract<StepFault, { kind: 'unusable' }>,
): string {
  if (statement.kind === 'start') {
    const end = remains === undefined ? '' : `; the domain may still be running because ${remains}`;
    return `failed to start domain '${domain}': ${cause}${end}`;
  }
  const end = isTakenBack ? '; the model batch was rolled back' : '';
  return (
    `committed models and schedule for domain '${domain}', but the destination failed to ` +
    `activate: ${cause}${end}`
  );
}
