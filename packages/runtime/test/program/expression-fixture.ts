import {
  BUILTIN_FUNCTIONS,
  type DataType,
  resolveCall,
  type ScalarType,
  type SchemaPlan,
  type TypedExpression,
} from '@nervix/model';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compileExpressions, type Expressions } from '../../src/program/compile-expressions.js';
import { interpretExpression } from '../../src/program/interpret-expression.js';
import { RowFault } from '../../src/program/row-fault.js';
import type { ExecutionSnapshot } from '../../src/program/row-set.js';

export const SNAPSHOT: ExecutionSnapshot = {
  generation: 1,
  nowNanos: 1_700_000_000_000_000_000n,
  randomBytes: (count) => new Uint8Array(count).fill(0xab),
};

/** A constant that is read from a column, so that values without literals can be given too. */
export interface Given {
  readonly given: Value;
  readonly type: DataType;
}

export function given(type: DataType, value: Value): Given {
  return { type, given: value };
}

type Part = Given | TypedExpression;

/** An expression of the given parts together with the row that it reads. */
export class Case {
  readonly values: Value[] = [];
  readonly fields: { name: string; type: DataType; optional: boolean; sensitive: boolean }[] = [];

  part(part: Part): TypedExpression {
    if (!('given' in part)) return part;
    const name = `f${this.fields.length}`;
    this.fields.push({ name, type: part.type, optional: true, sensitive: false });
    this.values.push(part.given);
    return {
      kind: 'column',
      row: 'input',
      field: name,
      type: part.type,
      optional: true,
      sensitive: false,
    };
  }
}

export type Build = (context: Case) => TypedExpression;

export function binary(operator: string, type: ScalarType, left: Part, right: Part): Build {
  return (context) =>
    ({
      kind: 'binary',
      operator,
      left: context.part(left),
      right: context.part(right),
      type,
      optional: true,
      sensitive: false,
    }) as TypedExpression;
}

/** A call whose signature, type and nullability follow from its parts. */
export function call(name: string, type: DataType, ...parts: Part[]): Build {
  return (context) => {
    const args = parts.map((part) => context.part(part));
    const resolution = resolveCall(BUILTIN_FUNCTIONS.get(name)!, args);
    if (resolution.kind !== 'ok') throw new Error(`${name} takes other arguments`);
    return {
      kind: 'call',
      function: name,
      overload: resolution.signature.overload,
      arguments: args,
      type,
      optional: resolution.optional,
      sensitive: false,
    };
  };
}

/** A constant of the statement. */
export function constant(value: string | boolean, type: ScalarType = 'STRING'): TypedExpression {
  return { kind: 'literal', value, type, optional: false, sensitive: false };
}

export function cast(target: ScalarType, part: Part, isTry = false): Build {
  return (context) => ({
    kind: 'cast',
    isTry,
    operand: context.part(part),
    target,
    type: target,
    optional: true,
    sensitive: false,
  });
}

/** The value of an expression, or its failure as `kind: detail`; both evaluators must agree. */
export function evaluateCase(build: Build): Value {
  const context = new Case();
  const expression = build(context);
  const schema: SchemaPlan = { name: 'row', fields: context.fields };
  const builder = new BatchBuilder(schema);
  builder.appendRow(context.values);
  const input = builder.finish();
  const rows = { rowCount: 1, input };
  const { columns, failures } = compiledCase(expression, schema).evaluate(rows, SNAPSHOT);
  const [failure] = failures;
  const compiled =
    failure === undefined ? readValue(columns[0]!, 0) : `${failure.kind}: ${failure.detail}`;
  const interpreted = interpretedCase(expression, rows);
  if (
    !Object.is(compiled, interpreted) &&
    JSON.stringify(compiled, printBigInt) !== JSON.stringify(interpreted, printBigInt)
  ) {
    throw new Error(`compiled ${String(compiled)}, interpreted ${String(interpreted)}`);
  }
  return compiled;
}

const COMPILED_MAX = 256;
const compiledCases = new Map<string, Expressions>();

/** Properties try the same few programs with many values. */
function compiledCase(expression: TypedExpression, schema: SchemaPlan): Expressions {
  const key = JSON.stringify([expression, schema]);
  let compiled = compiledCases.get(key);
  if (compiled === undefined) {
    if (compiledCases.size === COMPILED_MAX) compiledCases.clear();
    compiled = compileExpressions([expression], { input: schema }, 'set');
    compiledCases.set(key, compiled);
  }
  return compiled;
}

function printBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function interpretedCase(expression: TypedExpression, rows: { rowCount: number }): Value {
  try {
    return interpretExpression(expression, { rows, row: 0, snapshot: SNAPSHOT });
  } catch (fault) {
    if (fault instanceof RowFault) return `${fault.kind}: ${fault.detail}`;
    throw fault;
  }
}
