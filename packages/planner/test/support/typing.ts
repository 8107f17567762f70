import { type Expression, NO_SPANS, printDataType, type TypedAggregate } from '@nervix/model';
import { checkExpression } from '../../src/expression/check-expression.js';
import type { CheckedValue } from '../../src/expression/checked.js';
import { type FieldTable, fieldTable } from '../../src/expression/field-table.js';
import type { ExpressionScope } from '../../src/expression/scope.js';
import { PROCESSOR_SET, type ScopePolicy } from '../../src/expression/scope-policy.js';
import { column } from './models.js';

/** One field of each type: `i64`, `text` … and `opt_` twins that may be null. */
const ROW = fieldTable(
  (
    [
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
    ] as const
  ).flatMap(([name, type]) => [
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
  return {
    policy,
    rows: { input: ROW, output: ROW, branch, error: ROW, partial_output: ROW },
    assigned: new Set(),
    aggregates: policy.aggregates === 'none' ? null : ([] as TypedAggregate[]),
    spans: NO_SPANS,
    ...change,
  };
}

/** The value, or the reason it is refused. */
export function typing(
  expression: Expression,
  scope: ExpressionScope = scopeOf(),
): CheckedValue | string {
  const outcome = checkExpression(expression, scope, new Set());
  return outcome.kind === 'refused' ? outcome.reason : outcome.value;
}

/** The type, with `?` when it may be null and `!` when it is sensitive; or the refusal. */
export function typeOf(expression: Expression, scope: ExpressionScope = scopeOf()): string {
  const value = typing(expression, scope);
  if (value === null) return 'NULL';
  if (typeof value === 'string') return value;
  const { type, optional } = value.expression;
  return `${printDataType(type)}${optional ? '?' : ''}${value.isSensitive ? '!' : ''}`;
}
