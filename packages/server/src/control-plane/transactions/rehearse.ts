import {
  applyChanges,
  type DomainModels,
  type ModelChange,
  type PlanRefusal,
  planChange,
  type QuiesceLevel,
} from '@nervix/planner';
import type {
  CommitStep,
  DomainRecord,
  TransactionOperation,
} from '../../replicated-state/records.js';
import { modelChangeOf } from '../commands/change-models.js';
import { startRefusal, stopRefusal } from '../commands/lifecycle.js';
import type { Outcome } from '../outcome.js';
import { commitSteps } from './commit-steps.js';

/** Result of going through a transaction's operations without doing any of them. */
export type Rehearsal =
  | {
      readonly kind: 'accepted';
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
  domain: DomainRecord,
  base: DomainModels,
  operations: readonly TransactionOperation[],
  allowIncomplete: boolean,
): Rehearsal {
  const steps = commitSteps(operations);
  const levels: QuiesceLevel[] = [];
  const alreadyExisted = operations.map(() => false);
  let models = base;
  let current = domain;
  for (const [position, step] of steps.entries()) {
    if (step.kind !== 'models') {
      const refusal = lifecycleRefusal(current, step, operations);
      if (refusal !== undefined) return refusal;
      current = { ...current, status: step.kind === 'start' ? 'running' : 'stopped' };
      levels.push('DYNAMIC');
      continue;
    }
    const mayBeIncomplete = allowIncomplete && position === steps.length - 1;
    const run = rehearseRun({ domain: current, models }, step, operations, mayBeIncomplete);
    if (run.kind === 'refused') return run;
    for (const [offset, existed] of run.alreadyExisted.entries()) {
      alreadyExisted[step.first - 1 + offset] = existed;
    }
    models = run.models;
    levels.push(run.level);
  }
  return { kind: 'accepted', steps, levels, alreadyExisted };
}

type RunRehearsal =
  | {
      readonly kind: 'accepted';
      readonly models: DomainModels;
      readonly level: QuiesceLevel;
      readonly alreadyExisted: readonly boolean[];
    }
  | Extract<Rehearsal, { kind: 'refused' }>;

function rehearseRun(
  { domain, models }: { readonly domain: DomainRecord; readonly models: DomainModels },
  step: CommitStep,
  operations: readonly TransactionOperation[],
  mayBeIncomplete: boolean,
): RunRehearsal {
  const changes = operations
    .slice(step.first - 1, step.last)
    .flatMap(({ statement }) =>
      statement.kind === 'create_model' || statement.kind === 'drop_model'
        ? [modelChangeOf(statement)]
        : [],
    );
  const planned = planChange(
    {
      domain: domain.name,
      running: domain.status === 'running',
      revision: 0,
      generation: domain.generation,
      models,
    },
    changes,
  );
  if (planned.kind === 'accepted') {
    const { next, level, alreadyExisted } = planned;
    return { kind: 'accepted', models: next, level, alreadyExisted };
  }
  const isIncomplete = !planned.refusals.some(({ code }) => LOCAL_CODES.has(code));
  if (mayBeIncomplete && isIncomplete) {
    const candidate = applyChanges(domain.name, models, changes);
    const accepted = candidate.kind === 'accepted';
    return {
      kind: 'accepted',
      models: accepted ? candidate.models : models,
      level: 'DYNAMIC',
      alreadyExisted: accepted ? candidate.alreadyExisted : changes.map(() => false),
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
  const position = changes.findIndex(
    (change) =>
      change.op === 'create' &&
      change.model.kind === model?.kind &&
      change.model.name === model?.name,
  );
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
