import {
  assert,
  type DataType,
  InvariantError,
  isFloatType,
  type SchemaPlan,
  type TypedAggregate,
  type TypedExpression,
} from '@nervix/model';
import { bitAt } from '../column/bitmap.js';
import { takeColumn } from '../column/column-copy.js';
import { type ColumnProgram, compileColumn } from '../program/column-program.js';
import { readPaths } from '../program/expression-paths.js';
import { type OperationContext, RowFailures } from '../program/row-failures.js';
import type { ExecutionSnapshot, RowSet } from '../program/row-set.js';
import { type AggregateInput, type ArgumentColumn, argumentColumn } from './aggregate-input.js';
import {
  type AggregatePlan,
  type StructureKind,
  type StructurePlan,
  structureKind,
  structureSettings,
} from './aggregate-plan.js';
import { WindowAggregates } from './window-aggregates.js';

/** Aggregates of a window route, compiled once and used by every window of the route. */
export interface AggregateProgram {
  /** One field an aggregate, in order: the schema of results. */
  readonly resultSchema: SchemaPlan;
  /** The shared structures and the functions that each serves. */
  readonly structures: readonly StructurePlan[];
  /** The aggregates with the structure of each. */
  readonly plans: readonly AggregatePlan[];
  /** Types of the distinct arguments. */
  readonly argumentTypes: readonly DataType[];
  /**
   * Evaluates the arguments of a batch's rows and refuses rows that fail or hold a non-finite float
   * where none is allowed.
   */
  evaluate(rows: RowSet, lowWatermarks: BigInt64Array, snapshot: ExecutionSnapshot): AggregateInput;
  /** A window of no rows. */
  newWindow(): WindowAggregates;
}

interface Argument {
  readonly expression: TypedExpression;
  readonly program: ColumnProgram;
  readonly context: OperationContext;
}

/**
 * Compiles the aggregates of a route whose arguments read rows of `inputSchema`.
 *
 * @param paneNanos length of the panes by which sketches are kept; null keeps them whole
 */
export function compileAggregates(
  aggregates: readonly TypedAggregate[],
  inputSchema: SchemaPlan,
  paneNanos: bigint | null = null,
): AggregateProgram {
  const args: Argument[] = [];
  const structures = new Map<string, StructurePlan>();
  const plans = aggregates.map((aggregate): AggregatePlan => {
    const indexes = aggregate.arguments.map((expression) =>
      argumentIndex(expression, args, inputSchema),
    );
    const [type] = aggregate.arguments.map((argument) => argument.type);
    assert(type !== undefined, 'every aggregate has an argument');
    const kind = structureKind(aggregate.function, type);
    const settings = structureSettings(aggregate);
    const values = settings.map(({ value }) => value);
    const key = kind === 'counter' ? kind : [kind, ...indexes, 'with', ...values].join(' ');
    const structure = structures.get(key);
    const functions = [...new Set([...(structure?.functions ?? []), aggregate.function])].sort();
    structures.set(key, { kind, arguments: indexes, settings, functions });
    return { aggregate, structure: [...structures.keys()].indexOf(key) };
  });
  const structurePlans = [...structures.values()];
  const resultSchema: SchemaPlan = {
    name: 'aggregates',
    fields: aggregates.map(({ type, optional }, index) => ({
      name: String(index),
      type,
      optional,
      sensitive: false,
    })),
  };
  const checks = finiteChecks(structurePlans, args);
  return {
    resultSchema,
    structures: structurePlans,
    plans,
    argumentTypes: args.map(({ expression }) => expression.type),
    evaluate: (rows, lowWatermarks, snapshot) =>
      evaluate({ args, checks }, rows, lowWatermarks, snapshot),
    newWindow: () =>
      new WindowAggregates(resultSchema, { structures: structurePlans, plans, paneNanos }),
  };
}

function argumentIndex(
  expression: TypedExpression,
  args: Argument[],
  inputSchema: SchemaPlan,
): number {
  const identity = identityOf(expression);
  const known = args.findIndex((argument) => identityOf(argument.expression) === identity);
  if (known >= 0) return known;
  const program = compileColumn(expression, { input: inputSchema });
  const paths = readPaths(expression);
  args.push({ expression, program, context: { operation: 'window', operationIndex: null, paths } });
  return args.length - 1;
}

/** Equal for expressions that differ at most in where they stand in the statement. */
function identityOf(expression: TypedExpression): string {
  return JSON.stringify(expression, (key, value) => (key === 'span' ? undefined : value));
}

interface FiniteCheck {
  readonly argument: number;
  readonly detail: string;
}

/** Structures that take neither NaN nor an infinity. */
const FINITE: ReadonlySet<StructureKind> = new Set<StructureKind>([
  'sum',
  'moments',
  'co_moments',
  'linear_histogram',
  'hll',
  'quantile_sketch',
  'frequent_items',
]);

function finiteChecks(
  structures: readonly StructurePlan[],
  args: readonly Argument[],
): readonly FiniteCheck[] {
  return structures.flatMap((structure) => {
    const isChecked = FINITE.has(structure.kind);
    return structure.arguments
      .filter((index) => isChecked && isFloatType((args[index] as Argument).expression.type))
      .map((argument) => ({
        argument,
        detail: `${structure.functions[0]} requires finite floating-point arguments`,
      }));
  });
}

function evaluate(
  program: { readonly args: readonly Argument[]; readonly checks: readonly FiniteCheck[] },
  rows: RowSet,
  lowWatermarks: BigInt64Array,
  snapshot: ExecutionSnapshot,
): AggregateInput {
  const { args, checks } = program;
  const [first] = args;
  if (first === undefined) throw new InvariantError('invariant broken: aggregates have arguments');
  const failures = new RowFailures(rows.rowCount, first.context);
  let columns = args.map((argument) => {
    failures.enter(argument.context);
    return argumentColumn(argument.program.run(rows, snapshot, failures));
  });
  for (const { argument, detail } of checks) {
    failures.enter((args[argument] as Argument).context);
    refuseNonFinite(columns[argument] as ArgumentColumn, detail, failures);
  }
  const kept = failures.survivors();
  if (failures.count === 0) {
    return { rows: kept, lowWatermarks, arguments: columns, failures: [] };
  }
  columns = columns.map(({ column }) => argumentColumn(takeColumn(column, kept)));
  const lows = new BigInt64Array(kept.length);
  for (let index = 0; index < kept.length; index += 1) {
    lows[index] = lowWatermarks[kept[index] as number] as bigint;
  }
  return { rows: kept, lowWatermarks: lows, arguments: columns, failures: failures.list() };
}

function refuseNonFinite(argument: ArgumentColumn, detail: string, failures: RowFailures): void {
  const { column, doubles } = argument;
  if (doubles === null) return;
  for (let row = 0; row < column.length; row += 1) {
    const value = doubles[row] as number;
    if (value - value === 0 || failures.isFailed(row)) continue;
    if (column.validity !== null && !bitAt(column.validity, row)) continue;
    failures.add(row, { kind: 'invalid_argument', detail, span: undefined });
  }
}
