import { printDataType, type SchemaField, typedExpressionDefect } from '@nervix/model';
import { parseExpression } from '@nervix/nspl-parser';
import { typeExpression } from '@nervix/planner';
import { describe, expect, test } from 'vitest';

const field = (
  name: string,
  type: SchemaField['type'],
  flags: Partial<SchemaField> = {},
): SchemaField => ({ name, type, optional: false, sensitive: false, ...flags });

const INPUT = [
  field('i', 'I64'),
  field('oi', 'I64', { optional: true }),
  field('u', 'U8'),
  field('w', 'U16'),
  field('f', 'F64'),
  field('s', 'STRING'),
  field('os', 'STRING', { optional: true }),
  field('ob', 'BOOL', { optional: true }),
  field('t', 'DATETIME'),
  field('end', 'DATETIME'),
  field('readings', { kind: 'vec', element: 'F64' }),
  field('pin', 'STRING', { sensitive: true }),
];

/** The type of a text with `?` and `!`, or the texts of all that is wrong, with what is blamed. */
function verdict(text: string): string {
  const parsed = parseExpression(text);
  if (parsed.kind !== 'parsed') return 'unreadable';
  const { expression, spans } = parsed;
  const outcome = typeExpression({
    expression,
    context: 'processor_set',
    rows: { input: INPUT },
    spans,
  });
  if (outcome.kind === 'typed') {
    const { type, optional, sensitive } = outcome.program.expression;
    expect(typedExpressionDefect(outcome.program.expression)).toBe(undefined);
    return `${printDataType(type)}${optional ? '?' : ''}${sensitive ? '!' : ''}`;
  }
  const bytes = new TextEncoder().encode(text);
  return outcome.faults
    .map(({ reason, subject }) => {
      const span = spans.spanOf(subject);
      const place =
        span === undefined ? '' : new TextDecoder().decode(bytes.slice(span.start, span.end));
      return `${reason} [${place}]`;
    })
    .join('; ');
}

describe('TYPE 12 vectors: what is accepted, as what, and what is refused where', () =>
  test.each([
    ['-5 % 3', 'I64'],
    ['7 / 0', 'I64'],
    ['0.0 / 0.0', 'F64'],
    [
      '1 + 2 AS STRING',
      'binary operator Add requires matching operand types, found Int64 and Utf8 [1 + 2 AS STRING]',
    ],
    ['(1 + 2) AS STRING', 'STRING'],
    ['NOT 1 = 2', 'operator Not is not valid for Int64 [NOT 1]'],
    [
      'NULL = NULL',
      'NULL requires a declared optional assignment target [NULL]; ' +
        'NULL requires a declared optional assignment target [NULL]',
    ],
    ['oi IN ()', 'BOOL'],
    ['oi NOT IN (1, 2,)', 'BOOL?'],
    ['IF TRUE THEN 1 ELSE 1 / 0 END', 'I64'],
    ['TRUE OR 1 / 0 = 1', 'BOOL'],
    ['round(-0.125, 2)', 'F64'],
    ["'1e5' AS F64 AS STRING", 'STRING'],
    ["'2024-02-29 12:00:00+02:00' AS DATETIME AS STRING", 'STRING'],
    ['300 AS U8', 'U8'],
    ['u IN (300 AS U8)', 'IN set element 1: cannot cast value to UInt8 [u IN (300 AS U8)]'],
    ['max(input.readings)', 'F64?'],
    ['input.`end`', 'DATETIME'],
    ['1.0 / f', 'F64'],
    ['w - w', 'U16'],
    ['s < s', 'BOOL'],
    ['f IS NOT DISTINCT FROM f', 'BOOL'],
    ['i BETWEEN 10 AND oi', 'BOOL?'],
    ['FALSE AND (i AS I8) > 0 AS I8', 'BOOL'],
    ["CASE WHEN ob THEN 'a' ELSE 'b' END", 'STRING'],
    ["CASE WHEN TRUE THEN 'a' END", 'STRING?'],
    [
      'CASE WHEN ob THEN NULL ELSE NULL END',
      'NULL requires a declared optional assignment target [CASE WHEN ob THEN NULL ELSE NULL END]',
    ],
    ['33554433 AS F32', 'F32'],
    ["'1.0000000596046448' AS F32 = 1.0 AS F32", 'BOOL'],
    ['(-0.75) AS U8', 'U8'],
    ['-0.75 AS U8', 'operator Neg is not valid for UInt8 [-0.75 AS U8]'],
    ['TRUE AS DATETIME', 'DATETIME'],
    ["least('NaN' AS F64, 2.0)", 'F64'],
    ["substr('héllo', 0, 2)", 'STRING'],
    ["split('', ';')", 'VEC<STRING>'],
    ["concat(os, 'z')", 'STRING?'],
    ["hex_encode(base64_decode('AQ=='))", 'STRING'],
    ['shift_left(i, 15)', 'I64'],
    ["date_trunc('week', '2029-07-01T10:00:00Z' AS DATETIME)", 'DATETIME'],
    ["date_add('month', 1, t)", 'DATETIME'],
    ["date_diff('month', t, t)", 'I64'],
    ["to_unix('second', t)", 'I64'],
    ["parse_datetime('%Y-%m-%d %H:%M', s, 'Europe/Paris', 'later')", 'DATETIME'],
    ['slice([7, 8], -2, 1)', 'VEC<I64>'],
    ["JSON_VALUE(s, '$.k' AS I64)", 'I64?'],
    ["TRY_JSON_VALUE(s, '$.k' AS VEC<I64>)", 'VEC<I64>?'],
    ["JSON_EXISTS(pin, '$[0]')", 'BOOL!'],
    ['i = i = TRUE', 'BOOL'],
    [
      'i < i < i',
      'binary operator Lt requires matching operand types, found Boolean and Int64 [i < i < i]',
    ],
    ['input.u > 5 AS U8', 'BOOL'],
    [
      'input.u > 5',
      'binary operator Gt requires matching operand types, found UInt8 and Int64 [input.u > 5]',
    ],
    ['length(pin) > 3', 'BOOL!'],
    ['leak_sensitive(length(pin)) > 3', 'BOOL'],
  ])('%s', (text, expected) => expect(verdict(text)).toBe(expected)));
