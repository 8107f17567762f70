import {
  assert,
  type SchemaField,
  type TypedCase,
  type TypedExpression,
  type TypedUdfCall,
  typedNodes,
  typedParts,
} from '@nervix/model';
import { type Column, isNullAt, readValue, type Value } from '../column/column.js';
import { newColumnBuilder } from '../column/column-builder.js';
import type { LoopSources } from './emitter.js';
import { type FailureSite, RowFailures } from './row-failures.js';
import { RowFault } from './row-fault.js';
import type { ExecutionSnapshot, ProgramRows, RowSchemas, RowView } from './row-set.js';
import { equalScalars } from './scalar-order.js';
import { StructuralKeys } from './structural-keys.js';

/** Parts of an expression that are computed ahead of it, by the place of their column. */
export type StagePlaces = ReadonlyMap<TypedExpression, number>;

/** What the parts came to: a column for each place, and of the rows that failed there why. */
export interface StagedValues extends RowView {
  readonly faults: readonly ReadonlyMap<number, FailureSite>[];
}

/** Makes the program of an expression that reads staged parts. */
export type CompilePart = (expression: TypedExpression, sources: LoopSources) => PartProgram;

interface PartProgram {
  run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures): Column;
}

/** The calls of an expression, to be made for all rows at once before it runs. */
export interface CallStages {
  /** What the program of the expression reads. */
  readonly sources: LoopSources;
  /** Makes the calls for the rows that have not failed. */
  run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures): StagedValues;
}

/**
 * Takes the calls of UDFs out of an expression. Their code runs in another machine, which is entered
 * once for a batch and not for each row: so the arguments of a call are computed for all rows that come
 * to it, then the call is made, and what is around it reads the results like a column. A row that fails
 * in such a part fails where the part stands, in the order of evaluation. In a conditional the
 * conditions are computed ahead as well, since they say which rows come to a call.
 *
 * @returns undefined for an expression without calls
 */
export function compileCallStages(
  expression: TypedExpression,
  schemas: RowSchemas,
  compile: CompilePart,
): CallStages | undefined {
  const calling = callingNodes(expression);
  if (calling.size === 0) return undefined;
  const compiler = new StageCompiler(schemas, calling, compile);
  compiler.visit(expression, ALL_ROWS);
  const { sources, steps, fields } = compiler;
  return {
    sources,
    run(rows, snapshot, failures) {
      const run = new StageRun(rows, snapshot, {
        schema: { name: 'staged', fields },
        rowCount: rows.rowCount,
      });
      run.excluded[ALL_ROWS] = failures.failed;
      for (const step of steps) step(run);
      return run.staged;
    },
  };
}

/** The staged value of a row, for the interpreter. */
export function stagedValue(staged: StagedValues, place: number, row: number): Value {
  const fault = staged.faults[place]?.get(row);
  if (fault !== undefined) {
    const raised = new RowFault(fault.kind, fault.detail);
    raised.span = fault.span;
    throw raised;
  }
  const column = staged.columns[place];
  assert(column !== undefined && column !== null, 'a part is staged before it is read');
  return readValue(column, row);
}

/** Tells that a call was met where its result should be. */
export function unstaged(): never {
  assert(false, 'calls of UDFs are made ahead of the program that reads them');
}

/** Slot of the rows that an expression as a whole runs for. */
const ALL_ROWS = 0;

/** The calls among the nodes of an expression, and all nodes around them. */
function callingNodes(root: TypedExpression): ReadonlySet<TypedExpression> {
  const calling = new Set<TypedExpression>();
  const nodes = [...typedNodes(root)];
  if (!nodes.some(({ kind }) => kind === 'udf_call')) return calling;
  for (const node of nodes.reverse()) {
    const isCalling =
      node.kind === 'udf_call' || typedParts(node).some((part) => calling.has(part));
    if (isCalling) calling.add(node);
  }
  return calling;
}

/** What the steps of one run share. */
class StageRun {
  readonly rows: ProgramRows;
  readonly snapshot: ExecutionSnapshot;
  readonly staged: StagedValues;
  /** Of each slot non-zero for the rows that do not come there. */
  readonly excluded: Uint8Array[] = [];
  readonly columns: Column[] = [];
  readonly faults: ReadonlyMap<number, FailureSite>[] = [];

  constructor(
    rows: ProgramRows,
    snapshot: ExecutionSnapshot,
    staged: Omit<StagedValues, 'columns' | 'faults'>,
  ) {
    this.staged = { ...staged, columns: this.columns, faults: this.faults };
    this.rows = { ...rows, staged: this.staged };
    this.snapshot = snapshot;
  }

  /** Failures of a part, which runs for the rows of a slot. */
  failuresIn(slot: number): RowFailures {
    const failures = new RowFailures(this.rows.rowCount, NO_OPERATION);
    const excluded = this.excluded[slot];
    assert(excluded !== undefined, 'the rows of a part are known before it runs');
    failures.failed.set(excluded);
    return failures;
  }

  store(place: number, column: Column, faults: ReadonlyMap<number, FailureSite>): void {
    this.columns[place] = column;
    this.faults[place] = faults;
  }

  value(place: number, row: number): Value {
    return readValue(this.columns[place] as Column, row);
  }

  isFaulty(place: number, row: number): boolean {
    return this.faults[place]?.has(row) === true;
  }
}

type StageStep = (run: StageRun) => void;

/** Failures of stages are told by whoever reads them. */
const NO_OPERATION = { operation: 'set', operationIndex: null, paths: [] } as const;
const NO_FAULTS: ReadonlyMap<number, FailureSite> = new Map();

/** Finds the parts of one expression that are computed ahead, in the order of evaluation. */
class StageCompiler {
  readonly steps: StageStep[] = [];
  /** A field for each place. */
  readonly fields: SchemaField[] = [];
  readonly #calling: ReadonlySet<TypedExpression>;
  readonly #compile: CompilePart;
  readonly #schemas: RowSchemas;
  readonly #places = new Map<TypedExpression, number>();
  readonly #keys = new StructuralKeys();
  /** Places of calls that give one value a row, by slot and structure. */
  readonly #known = new Map<string, number>();
  #slots = ALL_ROWS + 1;

  constructor(schemas: RowSchemas, calling: ReadonlySet<TypedExpression>, compile: CompilePart) {
    this.#schemas = { ...schemas, staged: { name: 'staged', fields: this.fields } };
    this.#calling = calling;
    this.#compile = compile;
  }

  /** What is staged so far: a part reads what was computed before it, and never itself. */
  get sources(): LoopSources {
    return { schemas: this.#schemas, stages: new Map(this.#places) };
  }

  /** Stages the calls in a part that runs for the rows of a slot. Chains take no call stack. */
  visit(expression: TypedExpression, slot: number): void {
    const pending = [expression];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (!this.#calling.has(node)) continue;
      if (node.kind === 'udf_call') this.#call(node, slot);
      else if (node.kind === 'case') this.#case(node, slot);
      else pending.push(...typedParts(node).toReversed());
    }
  }

  #call(call: TypedUdfCall, slot: number): void {
    const key = this.#keys.keyOf(call);
    const known = key === undefined ? undefined : this.#known.get(`${slot}/${key}`);
    if (known !== undefined) {
      this.#places.set(call, known);
      return;
    }
    for (const argument of call.arguments) this.visit(argument, slot);
    const programs = call.arguments.map((argument) => this.#compile(argument, this.sources));
    const place = this.#place(call);
    if (key !== undefined) this.#known.set(`${slot}/${key}`, place);
    this.steps.push((run) => {
      const failures = run.failuresIn(slot);
      const columns = programs.map((each) => each.run(run.rows, run.snapshot, failures));
      storeCall(run, place, { call, columns, failures });
    });
  }

  #case(expression: TypedCase, slot: number): void {
    const { operand, arms, otherwise } = expression;
    const isCalling = (part: TypedExpression | null): boolean =>
      part !== null && this.#calling.has(part);
    if (operand !== null) {
      this.visit(operand, slot);
      this.#column(operand, slot);
    }
    let waiting = slot;
    for (const [index, { when, then }] of arms.entries()) {
      this.visit(when, waiting);
      const isDecisive =
        isCalling(then) ||
        isCalling(otherwise) ||
        arms.slice(index + 1).some((later) => isCalling(later.when) || isCalling(later.then));
      if (!isDecisive) return;
      this.#column(when, waiting);
      const split = this.#split(waiting, operand, when);
      this.visit(then, split.chosen);
      waiting = split.others;
    }
    if (otherwise !== null) this.visit(otherwise, waiting);
  }

  /** Stages the values of a part. */
  #column(expression: TypedExpression, slot: number): void {
    if (this.#places.has(expression)) return;
    const program = this.#compile(expression, this.sources);
    const place = this.#place(expression);
    this.steps.push((run) => {
      const failures = run.failuresIn(slot);
      const column = program.run(run.rows, run.snapshot, failures);
      run.store(place, column, faultsOf(failures));
    });
  }

  /** Divides the rows of a slot by a staged condition; those where it failed come to no further part. */
  #split(
    slot: number,
    operand: TypedExpression | null,
    when: TypedExpression,
  ): { readonly chosen: number; readonly others: number } {
    const chosen = this.#slots;
    const others = this.#slots + 1;
    this.#slots += 2;
    const condition = this.#placeOf(when);
    const compared = operand === null ? null : this.#placeOf(operand);
    this.steps.push((run) => {
      const { rowCount } = run.rows;
      const isExcluded = run.excluded[slot] as Uint8Array;
      const notChosen = new Uint8Array(rowCount).fill(1);
      const notOthers = new Uint8Array(rowCount).fill(1);
      for (let row = 0; row < rowCount; row += 1) {
        if (isExcluded[row] !== 0 || run.isFaulty(condition, row)) continue;
        if (compared !== null && run.isFaulty(compared, row)) continue;
        (isMatch(run, row, condition, compared) ? notChosen : notOthers)[row] = 0;
      }
      run.excluded[chosen] = notChosen;
      run.excluded[others] = notOthers;
    });
    return { chosen, others };
  }

  #place(expression: TypedExpression): number {
    const place = this.fields.length;
    const { type } = expression;
    this.fields.push({
      name: String(place),
      type,
      optional: expression.optional,
      sensitive: false,
    });
    this.#places.set(expression, place);
    return place;
  }

  #placeOf(expression: TypedExpression): number {
    const place = this.#places.get(expression);
    assert(place !== undefined, 'a condition is staged before rows are divided by it');
    return place;
  }
}

function isMatch(run: StageRun, row: number, condition: number, compared: number | null): boolean {
  const value = run.value(condition, row);
  if (compared === null) return value === true;
  const operand = run.value(compared, row);
  return operand !== null && value !== null && equalScalars(operand, value);
}

function faultsOf(failures: RowFailures): ReadonlyMap<number, FailureSite> {
  if (failures.count === 0) return NO_FAULTS;
  return new Map(
    failures.list().map(({ row, kind, detail, span }) => [row, { kind, detail, span }]),
  );
}

interface Call {
  readonly call: TypedUdfCall;
  readonly columns: readonly Column[];
  /** Rows that have no arguments. */
  readonly failures: RowFailures;
}

/** Makes a call for the rows that have all arguments it needs; the others have no result. */
function storeCall(run: StageRun, place: number, { call, columns, failures }: Call): void {
  const { udfs } = run.snapshot;
  assert(udfs !== undefined, 'a program is given the UDFs that it calls');
  const required = udfs.requiredArguments(call.name);
  const rows: number[] = [];
  for (let row = 0; row < run.rows.rowCount; row += 1) {
    if (failures.failed[row] !== 0) continue;
    if (required.some((index) => isNullAt(columns[index] as Column, row))) continue;
    rows.push(row);
  }
  const faults = new Map(faultsOf(failures));
  const values = columns.map((column) => rows.map((row) => readValue(column, row)));
  const results = udfs.call(call.name, values, rows.length, run.snapshot);
  const builder = newColumnBuilder(call.type, true);
  let next = 0;
  for (let row = 0; row < run.rows.rowCount; row += 1) {
    const result = rows[next] === row ? results[next++] : null;
    if (result instanceof RowFault) {
      faults.set(row, { kind: result.kind, detail: result.detail, span: call.span });
    }
    builder.set(row, result instanceof RowFault ? null : (result ?? null));
  }
  run.store(place, builder.finish(run.rows.rowCount), faults);
}
