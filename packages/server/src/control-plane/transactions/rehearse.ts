import {
  applyChanges,
  type ModelChange,
  type PlanRefusal,
  planChange,
  type QuiesceLevel,
} from '@nervix/planner';
import { finish } from '@nervix/scheduler';
import type {
  CommitStep,
  DomainRecord,
  SetDomainPlacementStatement,
  TransactionOperation,
} from '../../replicated-state/records.js';
import { modelChangeOf } from '../commands/change-models.js';
import { startRefusal, stopRefusal } from '../commands/lifecycle.js';
import { domainPolicySteps } from '../commands/set-domain-placement.js';
import type { Outcome } from '../outcome.js';
import { type DomainBasis, planningInput } from '../scheduling/domain-basis.js';
import { commitSteps, isModelStatement } from './commit-steps.js';

/** Result of going through a transaction's operations without doing any of them. */
export type Rehearsal =
  | {
      readonly kind: 'accepted';
      /** The domain after all of them. */
      readonly basis: DomainBasis;
      readonly steps: readonly CommitStep[];
      /** Level of each step. */
      readonly levels: readonly QuiesceLevel[];
      /** Per operation: IF NOT EXISTS met an existing model. */
      readonly alreadyExisted: readonly boolean[];
    }
  | {
      readonly kind: 'refused';
      /** One-based number of the operation at fault. */
      readonly operation: number;
      /** Missing parts that later operations could still supply. */
      readonly isIncomplete: boolean;
      readonly refusals: readonly PlanRefusal[];
      /** Number of the operation that each refusal blames. */
      readonly blamed: readonly number[];
      /** Set instead of refusals when a lifecycle statement is at fault. */
      readonly outcome: Outcome | null;
    };

/** Refusals of one operation alone: no later operation can mend them. */
const LOCAL_CODES: ReadonlySet<PlanRefusal['code']> = new Set([
  'PLAN_DUPLICATE_MODEL',
  'PLAN_MODEL_NOT_FOUND',
]);

/**
 * Goes through every operation in order, as the commit will.
 *
 * @param allowIncomplete accept a last run of model changes whose graph is not complete yet
 */
export function rehearse(
  base: DomainBasis,
  operations: readonly TransactionOperation[],
  allowIncomplete: boolean,
): Rehearsal {
  const steps = commitSteps(operations);
  const levels: QuiesceLevel[] = [];
  const alreadyExisted = operations.map(() => false);
  let basis = base;
  for (const [position, step] of steps.entries()) {
    const mayBeIncomplete = allowIncomplete && position === steps.length - 1;
    const done = rehearseStep(basis, step, operations, mayBeIncomplete);
    if (done.kind === 'refused') return done;
    for (const [offset, existed] of (done.alreadyExisted ?? []).entries()) {
      alreadyExisted[step.first - 1 + offset] = existed;
    }
    basis = done.basis;
    levels.push(done.level);
  }
  return { kind: 'accepted', basis, steps, levels, alreadyExisted };
}

type StepRehearsal =
  | {
      readonly kind: 'accepted';
      /** The domain after the step. */
      readonly basis: DomainBasis;
      readonly level: QuiesceLevel;
      /** Per operation of a run of model changes. */
      readonly alreadyExisted?: readonly boolean[];
    }
  | Extract<Rehearsal, { kind: 'refused' }>;

function rehearseStep(
  basis: DomainBasis,
  step: CommitStep,
  operations: readonly TransactionOperation[],
  mayBeIncomplete: boolean,
): StepRehearsal {
  const statement = operations[step.first - 1]?.statement;
  switch (step.kind) {
    case 'models':
      return rehearseRun(basis, step, operations, mayBeIncomplete);
    case 'placement':
      return rehearsePolicy(basis, step, statement as SetDomainPlacementStatement);
    case 'start':
    case 'stop': {
      const refusal = lifecycleRefusal(basis.domain, step, operations);
      if (refusal !== undefined) return refusal;
      const status = step.kind === 'start' ? 'running' : 'stopped';
      const domain: DomainRecord = { ...basis.domain, status };
      return { kind: 'accepted', basis: { ...basis, domain }, level: 'DYNAMIC' };
    }
  }
}

function rehearsePolicy(
  basis: DomainBasis,
  step: CommitStep,
  { setting: { policy: placement } }: SetDomainPlacementStatement,
): StepRehearsal {
  const domain: DomainRecord = { ...basis.domain, placement };
  const planned = finish(domainPolicySteps({ ...basis, domain }, placement));
  if (planned.kind === 'rejected') {
    const refusals = [planned.refusal];
    return {
      kind: 'refused',
      operation: step.first,
      isIncomplete: false,
      refusals,
      blamed: [step.first],
      outcome: null,
    };
  }
  const { entries: previous, level } = planned.schedule;
  const scheduling = { ...basis.scheduling, previous };
  return { kind: 'accepted', basis: { ...basis, domain, scheduling }, level };
}

function rehearseRun(
  basis: DomainBasis,
  step: CommitStep,
  operations: readonly TransactionOperation[],
  mayBeIncomplete: boolean,
): StepRehearsal {
  const changes = operations
    .slice(step.first - 1, step.last)
    .flatMap(({ statement }) => (isModelStatement(statement) ? [modelChangeOf(statement)] : []));
  const planned = planChange(planningInput(basis, 0), changes);
  if (planned.kind === 'accepted') {
    const { next: models, level, alreadyExisted, schedule } = planned;
    const previous = schedule?.entries ?? basis.scheduling.previous;
    const scheduling = { ...basis.scheduling, previous };
    return { kind: 'accepted', basis: { ...basis, models, scheduling }, level, alreadyExisted };
  }
  const isIncomplete = !planned.refusals.some(({ code }) => LOCAL_CODES.has(code));
  if (mayBeIncomplete && isIncomplete) {
    const candidate = applyChanges(basis.domain.name, basis.models, changes);
    const isApplied = candidate.kind === 'accepted';
    return {
      kind: 'accepted',
      basis: isApplied ? { ...basis, models: candidate.models } : basis,
      level: 'DYNAMIC',
      alreadyExisted: isApplied ? candidate.alreadyExisted : changes.map(() => false),
    };
  }
  const blamed = blamedOperations(planned, step, changes);
  return {
    kind: 'refused',
    operation: blamed[0] ?? step.last,
    isIncomplete,
    refusals: planned.refusals,
    blamed,
    outcome: null,
  };
}

/** Number of the operation that each refusal of a step's changes blames. */
export function blamedOperations(
  planned: { readonly operation: number | null; readonly refusals: readonly PlanRefusal[] },
  step: CommitStep,
  changes: readonly ModelChange[],
): readonly number[] {
  return planned.refusals.map(
    (refusal) => step.first + (planned.operation ?? positionAtFault(refusal, changes)),
  );
}

/** Position of the change that made the refused model, or of the last change. */
function positionAtFault({ model }: PlanRefusal, changes: readonly ModelChange[]): number {
  const position = changes.findIndex((change) => {
    if (change.op === 'drop') return false;
    const { kind, name } = change.op === 'create' ? change.model : change;
    return kind === model?.kind && name === model.name;
  });
  return position >= 0 ? position : Math.max(0, changes.length - 1);
}

function lifecycleRefusal(
  domain: DomainRecord,
  step: CommitStep,
  operations: readonly TransactionOperation[],
): Extract<Rehearsal, { kind: 'refused' }> | undefined {
  const statement = operations[step.first - 1]?.statement;
  const outcome =
    statement?.kind === 'start' ? startRefusal(domain, statement) : stopRefusal(domain);
  if (outcome === undefined) return undefined;
  return {
    kind: 'refused',
    operation: step.first,
    isIncomplete: false,
    refusals: [],
    blamed: [],
    outcome,
  };
}
