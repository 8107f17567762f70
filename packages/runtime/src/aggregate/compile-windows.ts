import {
  chainedPart,
  type SchemaField,
  type SchemaPlan,
  type TypedExpression,
  type TypedProgram,
} from '@nervix/model';
import { RecordBatch } from '../batch/record-batch.js';
import type { Column } from '../column/column.js';
import { concatColumns, takeColumn } from '../column/column-copy.js';
import { runtimeError } from '../errors.js';
import { KeyTable } from '../key/key-table.js';
import { RowKeys } from '../key/row-keys.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import { compileExpressions, type Expressions } from '../program/compile-expressions.js';
import { hostSnapshot } from '../program/host-snapshot.js';
import { checkBatch, checkProgram } from '../program/program-check.js';
import type { ExecutionSnapshot, RowFailure } from '../program/row-set.js';
import { AccumulatedWindows } from './accumulated-windows.js';
import { compileAggregates } from './compile-aggregates.js';
import type { EndedWindows, GroupWindows } from './group-windows.js';
import { RetainedWindows } from './retained-windows.js';

/** Tumbling windows over the groups of a stream. */
export interface WindowsInput {
  /** Schema of the records that are read. */
  readonly input: SchemaPlan;
  /** Expressions by whose values records are grouped, the first fields of what is emitted. */
  readonly keys: Readonly<Record<string, TypedProgram>>;
  /** Records of a window, from 1 to 2,147,483,647; null for windows that only `flush` ends. */
  readonly rows: number | null;
  /** Expressions over aggregates of a window, the other fields. */
  readonly fields: Readonly<Record<string, TypedProgram>>;
}

export interface WindowsResult {
  /** One record for each window that ended, by group in each batch that was read. */
  readonly batch: RecordBatch;
  /** Why rows of the batch that was read are in no window. */
  readonly failures: readonly RowFailure[];
  /** Why windows that ended have no record. */
  readonly lost: readonly string[];
}

/** Windows with the records in them. */
export interface Windows {
  /** Schema of the records that are made. */
  readonly output: SchemaPlan;
  /** @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a batch of another schema */
  run(batch: RecordBatch, snapshot?: ExecutionSnapshot): WindowsResult;
  /** Ends every window that has records, in order of the groups' first sight, and forgets the groups. */
  flush(snapshot?: ExecutionSnapshot): WindowsResult;
}

/**
 * Compiles windows of a number of records, one series of them for each group.
 *
 * @throws RuntimeError RUNTIME_INVALID_PROGRAM as `compileProjection` does, for fields that read
 *   rows beside their aggregates, and for a number of records that is none
 */
export function compileWindows(options: WindowsInput): Windows {
  const { input, keys, fields, rows } = options;
  if (rows !== null && !(Number.isInteger(rows) && rows >= 1 && rows <= WINDOW_ROWS_MAX)) {
    const problem = `it is neither null nor an integer from 1 to ${WINDOW_ROWS_MAX}`;
    throw runtimeError('RUNTIME_INVALID_PROGRAM', { field: 'rows', problem });
  }
  for (const [name, program] of Object.entries(keys)) checkProgram(name, program, { input });
  for (const [name, program] of Object.entries(fields)) {
    checkProgram(name, program, { input }, 'aggregates');
  }
  return new GroupedWindows(options);
}

/** Most records of a window: their positions are signed 32-bit. */
const WINDOW_ROWS_MAX = 2_147_483_647;

const FIRST_ROW = Int32Array.of(0);

class GroupedWindows implements Windows {
  readonly output: SchemaPlan;
  readonly #input: SchemaPlan;
  readonly #windows: GroupWindows;
  readonly #keys: Expressions;
  readonly #construction: Construction;
  readonly #keyFields: readonly SchemaField[];
  #table = new KeyTable();
  #rowKeys: RowKeys;
  /** Key of each group, as columns of one row. */
  #groupKeys: (readonly Column[])[] = [];

  constructor({ input, keys, rows, fields }: WindowsInput) {
    this.#input = input;
    const named = [...Object.entries(keys), ...Object.entries(fields)];
    this.output = {
      name: input.name,
      fields: named.map(([name, { expression }]) => ({
        name,
        type: expression.type,
        optional: expression.optional,
        sensitive: expression.sensitive,
      })),
    };
    this.#keyFields = this.output.fields.slice(0, Object.keys(keys).length);
    this.#rowKeys = new RowKeys(this.#table, this.#keyFields);
    this.#keys = compileExpressions(
      Object.values(keys).map(({ expression }) => expression),
      { input },
      'window',
    );
    const programs = Object.values(fields);
    const aggregates = programs.flatMap((program) => program.aggregates);
    const program = compileAggregates(aggregates, input);
    const rowsMax = rows ?? Number.POSITIVE_INFINITY;
    this.#windows =
      AccumulatedWindows.for(program, rowsMax) ?? new RetainedWindows(program, rowsMax);
    let before = 0;
    const values = programs.map(({ expression, aggregates: { length } }) => {
      const moved = moveAggregates(expression, before);
      before += length;
      return moved;
    });
    const made = this.output.fields.slice(this.#keyFields.length);
    const assignments = values.map((value, index) => {
      const { name } = made[index] ?? { name: '' };
      return { field: name, operation: 'set', index, value, paths: [`output.${name}`] } as const;
    });
    this.#construction = compileConstruction(
      { assignments, where: null },
      { aggregates: program.resultSchema },
      { name: input.name, fields: made },
    );
  }

  run(batch: RecordBatch, snapshot: ExecutionSnapshot = hostSnapshot()): WindowsResult {
    checkBatch(batch, this.#input);
    const rows = { rowCount: batch.rowCount, input: batch };
    const { columns, failures } = this.#keys.evaluate(rows, snapshot);
    const failed = new Set(failures.map(({ row }) => row));
    const ids = this.#rowKeys.idsOf(columns, batch.rowCount);
    this.#openGroups(columns, ids);
    const groupCount = this.#groupKeys.length;
    const admitted = this.#windows.admit({ batch, ids, groupCount, failed }, snapshot);
    const all = [...failures, ...admitted.failures].sort((left, right) => left.row - right.row);
    return { ...this.#emit(admitted.ended, snapshot), failures: all };
  }

  flush(snapshot: ExecutionSnapshot = hostSnapshot()): WindowsResult {
    const result = this.#emit(this.#windows.flush(snapshot), snapshot);
    this.#table = new KeyTable();
    this.#rowKeys = new RowKeys(this.#table, this.#keyFields);
    this.#groupKeys = [];
    return { ...result, failures: [] };
  }

  #openGroups(columns: readonly Column[], ids: Int32Array): void {
    if (this.#groupKeys.length === this.#table.count) return;
    for (let row = 0; row < ids.length; row += 1) {
      if (ids[row] !== this.#groupKeys.length) continue;
      // A row of its own, so that the batch need not stay.
      this.#groupKeys.push(columns.map((column) => takeColumn(column, Int32Array.of(row))));
    }
  }

  #emit(
    { groups, results, lost }: EndedWindows,
    snapshot: ExecutionSnapshot,
  ): Omit<WindowsResult, 'failures'> {
    if (groups.length === 0) return { batch: RecordBatch.empty(this.output), lost };
    const rows = { rowCount: groups.length, aggregates: results };
    const made = this.#construction.run(rows, snapshot);
    const kept = this.#keyColumns(groups).map((column) =>
      made.failures.length === 0 ? column : takeColumn(column, made.sourceRows),
    );
    const columns = [...kept, ...made.batch.columns];
    return {
      batch: new RecordBatch(this.output, made.batch.rowCount, columns),
      lost: [...lost, ...made.failures.map(({ detail }) => detail)],
    };
  }

  #keyColumns(groups: readonly number[]): readonly Column[] {
    return this.#keyFields.map((_, index) => {
      // A column of its own, because the caller may give it back.
      const [first, ...others] = groups.map((group) => this.#groupKeys[group]?.[index] as Column);
      if (others.length === 0) return takeColumn(first as Column, FIRST_ROW);
      return concatColumns([first as Column, ...others]);
    });
  }
}

/** An expression that reads its aggregates so many places further on; chains take no call stack. */
function moveAggregates<Part>(part: Part, by: number): Part {
  if (by === 0 || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((inner) => moveAggregates(inner, by)) as Part;
  const chain: object[] = [];
  for (let link: object | undefined = part; link !== undefined; ) {
    chain.push(link);
    link = chainedPart(link as TypedExpression);
  }
  let inner: object | null = null;
  let moved: object = part;
  for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
    const [movedInner, linked] = [moved, inner];
    const entries = Object.entries(link).map(([name, value]) => [
      name,
      value === linked && linked !== null ? movedInner : moveAggregates(value, by),
    ]);
    moved = Object.fromEntries(entries);
    inner = link;
    const node = moved as { kind?: string; index?: number };
    if (node.kind === 'aggregate') moved = { ...node, index: (node.index ?? 0) + by };
  }
  return moved as Part;
}
