import type { Model } from '@nervix/model';
import {
  type DomainModels,
  differences,
  type ModelChange,
  type ModelDifference,
  ModelSet,
  type TransactionRefusal,
} from '../../src/index.js';
import { foldOperations } from '../../src/transaction-plan/fold-operations.js';
import { bindingOf } from '../../src/transaction-plan/resource-bindings.js';
import type { RunStatement } from '../../src/transaction-plan/statement-steps.js';

/** A list of changes applied as a run of statements is, and what that refuses. */
export type AppliedChanges =
  | {
      readonly kind: 'accepted';
      readonly models: DomainModels;
      readonly alreadyExisted: readonly boolean[];
      readonly differences: readonly ModelDifference[];
    }
  | {
      readonly kind: 'rejected';
      readonly refusal: TransactionRefusal;
      /** Place of the change, from 0. */
      readonly operation: number;
    };

/** Applies changes in order; of several refusals the first one counts. */
export function applyChanges(
  domain: string,
  base: DomainModels,
  changes: readonly ModelChange[],
): AppliedChanges {
  const before = { models: ModelSet.of(base), resources: everyVersion(changes) };
  const run = foldOperations({ domain }, before, changes.map(statementOf), 1);
  const [refusal] = [...run.refusals, ...run.blocked];
  if (refusal !== undefined) {
    return { kind: 'rejected', refusal, operation: refusal.operation - 1 };
  }
  const alreadyExisted = run.operations.map((operation) => operation.alreadyExisted);
  const { models } = run;
  return { kind: 'accepted', models, alreadyExisted, differences: differences(base, models) };
}

function statementOf(change: ModelChange): RunStatement {
  switch (change.op) {
    case 'create':
      return { kind: 'create_model', ifNotExists: change.ifNotExists, model: change.model };
    case 'drop':
      return { kind: 'drop_model', modelKind: change.kind, name: change.name };
    case 'alter': {
      const { kind: modelKind, name, operations } = change;
      return { kind: 'alter_model', modelKind, name, operations } as RunStatement;
    }
  }
}

/** A catalog in which all that the created models bind is complete. */
function everyVersion(changes: readonly ModelChange[]): ReadonlyMap<string, readonly number[]> {
  const bound = changes.flatMap((change) =>
    change.op === 'create' ? (bindingOf(change.model as Model) ?? []) : [],
  );
  const grouped = Map.groupBy(bound, ({ resource }) => resource);
  return new Map(
    [...grouped].map(([resource, bindings]) => [
      resource,
      bindings.map(({ version }) => Number(version)),
    ]),
  );
}
