import type { Model, Statement } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import {
  type PlanningSnapshot,
  planTransaction,
  snapshotOf,
  type TransactionPlan,
  type TransactionPlanOptions,
} from '../../src/index.js';

/** The statements of a text; one that cannot be read fails the test. */
export function read(text: string): readonly Statement[] {
  const { statements, errors } = parseScript(text);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return statements.map(({ statement }) => statement);
}

/** A node that lives and takes work. */
export const NODE = {
  name: 'n1',
  isLive: true,
  isCordoned: false,
  isTerminating: false,
  incarnation: { admitted: 'a', observed: 'a' },
} as const;

/** The plan of a text; a refusal fails the test. */
export function planned(
  snapshot: PlanningSnapshot,
  text: string | readonly Statement[],
  options: TransactionPlanOptions = {},
): TransactionPlan {
  const statements = typeof text === 'string' ? read(text) : text;
  const outcome = planTransaction(snapshot, statements, options);
  if (outcome.kind === 'planned') return outcome;
  throw new Error(outcome.refusals.map(({ message }) => message).join('\n'));
}

/** A domain of these models, placed on one node and started. */
export function running(models: readonly Model[], options: TransactionPlanOptions = {}) {
  const base: PlanningSnapshot = { ...snapshotOf('taxi', []), nodes: [NODE] };
  const creations = models.map((model): Statement => {
    return { kind: 'create_model', ifNotExists: false, model };
  });
  return planned(base, [...creations, { kind: 'start', at: null }], options).after;
}

/** Level of each step of a plan. */
export function levels({ report }: TransactionPlan): readonly string[] {
  return report.execution_steps.map(({ planned: { pause } }) => {
    if (pause.kind === 'NO_PAUSE') return 'DYNAMIC';
    return pause.kind === 'DOMAIN' ? 'DOMAIN_PAUSE' : 'ENTITY_PAUSE';
  });
}
