import type { QueueableStatement, TransactionPlan } from '@nervix/planner';
import type { CommitStep } from '../../replicated-state/records.js';
import { type FrozenStep, frozenSteps, isListenerChange } from '../execution/frozen-step.js';
import type { RebindReport } from '../planning/version-texts.js';

/** What one attempt of a command was admitted with: all that its execution and its answer need. */
export interface FrozenCommand {
  readonly step: FrozenStep;
  readonly alreadyExisted: boolean;
  /** What a rebinding tells; null of anything else. */
  readonly rebinding: RebindReport | null;
}

/**
 * Freezes the plan of one statement; undefined of one that has no step.
 *
 * @param nowMs the moment of its admission
 */
export function freezeCommand(
  plan: TransactionPlan,
  statement: QueueableStatement,
  nowMs: number,
): FrozenCommand | undefined {
  const [step] = frozenSteps(plan, nowMs);
  if (step === undefined) return undefined;
  const { operations, execution_steps } = plan.report;
  const isRebinding = statement.kind === 'rebind_resource';
  return {
    step,
    alreadyExisted: plan.alreadyExisted[0] ?? false,
    rebinding: isRebinding ? { operations, execution_steps } : null,
  };
}

/**
 * What has to be stored of a command: a schedule that was replaced is only of use where it may be
 * put back, and what a step writes is of none once it is written.
 */
export function storedCommand(command: FrozenCommand, { hasEffect }: CommitStep): FrozenCommand {
  const { step } = command;
  const { decision } = step;
  if (decision.kind !== 'models' || isListenerChange(step)) return command;
  const written = hasEffect ? { transitions: [], schedule: null } : {};
  return {
    ...command,
    step: { ...step, decision: { ...decision, ...written, replacedSchedule: [] } },
  };
}
