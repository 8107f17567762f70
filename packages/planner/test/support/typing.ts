import {
  type DataType,
  type Expression,
  NO_SPANS,
  printDataType,
  type TypedAggregate,
} from '@nervix/model';
import { checkExpression } from '../../src/expression/check-expression.js';
import { type CheckedValue, isUntyped } from '../../src/expression/checked.js';
import type { ExpressionFault } from '../../src/expression/expression-fault.js';
import { type FieldTable, fieldTable } from '../../src/expression/field-table.js';
import type { ExpressionScope } from '../../src/expression/scope.js';
import { PROCESSOR_SET, type ScopePolicy } from '../../src/expression/scope-policy.js';
import { column } from './models.js';

/** Columns of the test row: one of each scalar type, and lists. */
const COLUMNS: readonly (readonly [string, DataType])[] = [
  ['u8', 'U8'],
  ['i8', 'I8'],
  ['u16', 'U16'],
  ['i16', 'I16'],
  ['u32', 'U32'],
  ['i32', 'I32'],
  ['u64', 'U64'],
  ['i64', 'I64'],
  ['f32', 'F32'],
  ['f64', 'F64'],
  ['flag', 'BOOL'],
  ['text', 'STRING'],
  ['bytes', 'BYTES'],
  ['at', 'DATETIME'],
  ['vec', { kind: 'vec', element: 'I64' }],
  ['floats', { kind: 'vec', element: 'F32' }],
  ['texts', { kind: 'vec', element: 'STRING' }],
  ['flags', { kind: 'vec', element: 'BOOL' }],
  ['blobs', { kind: 'vec', element: 'BYTES' }],
  ['pair', { kind: 'array', element: 'F32', length: 2 }],
  ['matrix', { kind: 'array', length: 2, element: { kind: 'array', length: 3, element: 'F32' } }],
];

/** One field of each type: `i64`, `text` … with `opt_` twins that may be null and `sec_` ones. */
export const ROW: FieldTable = fieldTable(
  COLUMNS.flatMap(([name, type]) => [
    column(name, type),
    column(`opt_${name}`, type, { optional: true }),
    column(`sec_${name}`, type, { sensitive: true }),
  ]),
);

export function scopeOf(
  policy: ScopePolicy = PROCESSOR_SET,
  change: Partial<ExpressionScope> = {},
): ExpressionScope {
  const branch: FieldTable = fieldTable([column('tenant', 'STRING')]);
  const rows = { input: ROW, output: ROW, branch, error: ROW, partial_output: ROW };
  return {
    policy,
    rows: { ...rows, left: ROW, right: ROW, metadata: ROW, generated: ROW },
    states: new Map([['rates', ROW]]),
    assigned: new Set(),
    aggregates: policy.aggregates === 'none' ? null : ([] as TypedAggregate[]),
    headerless: null,
    surroundings: {
      spans: NO_SPANS,
      udf: (name) => UDFS.find((udf) => udf.name === name),
      hashMap: (name) => (name === 'cities' ? ROW : undefined),
    },
    ...change,
  };
}

const UDF = { kind: 'udf', language: 'ROTO_0_13', code: '', volatile: false } as const;
const UDFS = [
  {
    ...UDF,
    name: 'score',
    arguments: [
      { name: 'a', type: 'I64', optional: false },
      { name: 'b', type: 'STRING', optional: true },
    ],
    returns: { type: 'F64', optional: false },
  },
  {
    ...UDF,
    name: 'dice',
    arguments: [{ name: 'sides', type: 'I64', optional: false }],
    returns: { type: 'I64', optional: true },
    volatile: true,
  },
  {
    ...UDF,
    name: 'twice',
    language: 'ECMASCRIPT_2023',
    arguments: [{ name: 'a', type: 'I64', optional: false }],
    returns: { type: 'I64', optional: false },
  },
] as const;

/** The value, or the reason it is refused. */
export function typing(
  expression: Expression,
  scope: ExpressionScope = scopeOf(),
): CheckedValue | string {
  const outcome = checkExpression(expression, scope, new Set());
  return outcome.kind === 'refused' ? outcome.faults[0].reason : outcome.value;
}

/** Everything that is wrong with an expression. */
export function faultsOf(
  expression: Expression,
  scope: ExpressionScope = scopeOf(),
): readonly ExpressionFault[] {
  const outcome = checkExpression(expression, scope, new Set());
  return outcome.kind === 'refused' ? outcome.faults : [];
}

/** What the engine of this release cannot run of an expression. */
export function lacksOf(
  expression: Expression,
  scope: ExpressionScope = scopeOf(),
): readonly string[] {
  const outcome = checkExpression(expression, scope, new Set());
  return outcome.kind === 'refused' ? [] : outcome.unsupported.map(({ reason }) => reason);
}

/** The type, with `?` when it may be null and `!` when it is sensitive; or the refusal. */
export function typeOf(expression: Expression, scope: ExpressionScope = scopeOf()): string {
  const value = typing(expression, scope);
  if (typeof value === 'string') return value;
  if (isUntyped(value)) return value.kind === 'null' ? 'NULL' : 'VEC';
  const { type, optional, sensitive } = value;
  return `${printDataType(type)}${optional ? '?' : ''}${sensitive ? '!' : ''}`;
}
