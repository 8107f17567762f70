import type { EntryRoutePlan, SchemaPlan, TypedAssignment } from '@nervix/model';
import { RecordBatch } from '../batch/record-batch.js';
import { BranchKeys } from '../branch/branch-key.js';
import type { Column } from '../column/column.js';
import { compileExpressions, type Expressions } from '../program/compile-expressions.js';
import type { ExecutionSnapshot, RowFailure, RowSchemas, RowSet } from '../program/row-set.js';
import { type RelayBatch, takeRows } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { BranchSettings } from './domain-node.js';
import { expressionFailures } from './message-failure.js';
import type { NodeContext, NodeIdentity } from './node-context.js';
import type { RelayLookup } from './relay-lookup.js';
import { Route, type RowOrigin } from './route.js';

interface KeyConstruction {
  readonly schema: SchemaPlan;
  readonly values: readonly KeyValue[];
  /** Position of each key field's value. */
  readonly order: readonly number[];
  readonly keys: BranchKeys;
}
interface KeyValue {
  readonly assignment: TypedAssignment;
  readonly program: Expressions;
}

/** A route of an ingestor: builds its record and, when branched, the key it belongs to. */
export class EntryRoute extends Route {
  readonly #branch: KeyConstruction | null;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: EntryRoutePlan;
    readonly relays: RelayLookup;
    readonly inputSchema: SchemaPlan;
    /** The declaration the route branches by. */
    readonly branch: BranchSettings | null;
  }) {
    const { plan, relays, inputSchema, branch } = options;
    const schemas: RowSchemas = { input: inputSchema };
    super({ ...options, schemas });
    this.#branch = keyConstruction(plan, branch, {
      ...schemas,
      output: relays(plan.relay).schema,
    });
  }

  protected override send(built: RelayBatch, origin: RowOrigin): void {
    if (this.#branch === null) this.output.append(built);
    else this.#appendByKey(this.#branch, built, builtRows(built, origin), origin.snapshot);
  }

  #appendByKey(
    branch: KeyConstruction,
    built: RelayBatch,
    rows: RowSet,
    snapshot: ExecutionSnapshot,
  ): void {
    const { columns, failures } = step('failed to evaluate output branch assignments', () =>
      evaluateKey(branch, rows, snapshot),
    );
    let keyed = built;
    const ordered = branch.order.flatMap((position) => columns[position] ?? []);
    let keyRows = new RecordBatch(branch.schema, rows.rowCount, ordered);
    if (failures.length > 0) {
      this.errors.take({
        failures: expressionFailures(failures, this.label, 'FILTER-MAP', snapshot),
        source: built,
        rows,
        snapshot,
      });
      const failed = new Set(failures.map(({ row }) => row));
      const good = Int32Array.from({ length: rows.rowCount }, (_, row) => row).filter(
        (row) => !failed.has(row),
      );
      keyed = takeRows(built, good);
      keyRows = keyRows.take(good);
    }
    for (const { key, rows: ofKey } of branch.keys.group(keyRows)) {
      this.output.append({ ...takeRows(keyed, ofKey), branchKey: key });
    }
  }
}

function builtRows(built: RelayBatch, { rows, sourceRows }: RowOrigin): RowSet {
  const { input, headers } = rows;
  return {
    rowCount: sourceRows.length,
    output: built.batch,
    ...(input === undefined ? {} : { input: input.take(sourceRows) }),
    ...(headers === undefined
      ? {}
      : { headers: (row: number, name: string) => headers(sourceRows[row] ?? 0, name) }),
  };
}

/** The key's values, and for each row that has none its first failure. */
function evaluateKey(
  { values }: KeyConstruction,
  rows: RowSet,
  snapshot: ExecutionSnapshot,
): { readonly columns: readonly Column[]; readonly failures: readonly RowFailure[] } {
  const firstOf = new Map<number, RowFailure>();
  const columns = values.flatMap(({ assignment, program }) => {
    const result = program.evaluate(rows, snapshot);
    const { index: operationIndex, paths } = assignment;
    for (const failure of result.failures) {
      if (!firstOf.has(failure.row))
        firstOf.set(failure.row, { ...failure, operationIndex, paths });
    }
    return result.columns;
  });
  return { columns, failures: [...firstOf.values()] };
}

function keyConstruction(
  plan: EntryRoutePlan,
  branch: BranchSettings | null,
  schemas: RowSchemas,
): KeyConstruction | null {
  if (plan.branch === null || branch === null) return null;
  const { assignments } = plan.branch;
  return {
    schema: branch.schema,
    values: assignments.map((assignment) => ({
      assignment,
      program: compileExpressions([assignment.value], schemas, 'branch_set'),
    })),
    order: branch.schema.fields.map(({ name }) =>
      assignments.findLastIndex((assignment) => assignment.field === name),
    ),
    keys: new BranchKeys(branch.name, branch.schema),
  };
}
