import { describe, expect, test } from 'vitest';
import { parseExpression } from '../src/index.ts';
import { canonical, expressionRefusal } from './support/reading.ts';

describe('NSPL 9.2: canonical expressions', () => {
  test.each([
    ['a or b and c = d + e * -f as i64', 'a OR b AND c = d + e * -f AS I64'],
    ['(a or b) and not c', '(a OR b) AND NOT c'],
    ['a - (b - c) - d', 'a - (b - c) - d'],
    ['(a = b) = (c = d)', 'a = b = (c = d)'],
    ['- - x', '-(-x)'],
    ['not not x', 'NOT (NOT x)'],
    ['(-x) as i64', '(-x) AS I64'],
    ['-x as i64', '-x AS I64'],
    ['not a in (1, 2,)', 'NOT a IN (1, 2)'],
    ['a not in ()', 'a NOT IN ()'],
    ['a not between 1 and b or c', 'a NOT BETWEEN 1 AND b OR c'],
    ['a between (b = c) and d', 'a BETWEEN (b = c) AND d'],
    ['a is not distinct from b and c', 'a IS NOT DISTINCT FROM b AND c'],
    ['if a then 1 else 2 end + 1', 'IF a THEN 1 ELSE 2 END + 1'],
    ['case a + 1 when 1 then x end', 'CASE a + 1 WHEN 1 THEN x END'],
    ['case when a then x else y end', 'CASE WHEN a THEN x ELSE y END'],
    ['[1, 2.50, "it\'s",]', '[1, 2.5, "it\'s"]'],
    ['80.0', '80.0'],
    ['123456789012345678901234567890.0', '123456789012345680000000000000.0'],
    ['0.00000012', '0.00000012'],
    ['Lower(INPUT.City)', 'lower(input.city)'],
    ['UDF::End(1,)', 'udf::end(1)'],
    ['relay_state.rates.`a.b`', 'relay_state.rates.`a.b`'],
    ['right.id = right(x, 2)', 'right.id = right(x, 2)'],
    ['message.end', 'message.end'],
    ['`end` + add + message.add + add(1)', '`end` + `add` + message.add + add(1)'],
    ['a as utf8 as INT32', 'a AS STRING AS I32'],
    ['$$it\'s a "b"$$', '$s$it\'s a "b"$s$'],
    ['$x$a$s$\n$x$', '$s_1$a$s$\n$s_1$'],
  ])('%j prints as %j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(canonical(expected)).toBe(expected);
  });
});

describe('NSPL 3: TRY_CAST takes the AS before its own parenthesis', () => {
  test.each([
    ['try_cast(x as string as i64)', 'TRY_CAST(x AS STRING AS I64)'],
    ['try_cast(a + b as string as i64)', 'TRY_CAST(a + b AS STRING AS I64)'],
    ['try_cast((x as i8) as i64)', 'TRY_CAST(x AS I8 AS I64)'],
    ['try_cast(f(x as i8) as i64)', 'TRY_CAST(f(x AS I8) AS I64)'],
    ['try_cast(try_cast(x as i8) as i64)', 'TRY_CAST(TRY_CAST(x AS I8) AS I64)'],
  ])('%j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });
  test('its own AS is not optional', () => {
    expect(expressionRefusal('try_cast(x)')).toBe('expected AS, found )');
    expect(expressionRefusal('try_cast(x as foo)')).toBe("unsupported type 'foo'");
  });
});

describe('JSON reads', () => {
  test.each([
    [`json_value(d, '$["a"].b[0]["x y"]' as vec<int32>)`, `'$.a.b[0]["x y"]' AS VEC<I32>)`],
    ["try_json_value(d, '$' as array<f32, 2, 3>)", "'$' AS ARRAY<F32, 2, 3>)"],
    ["json_exists(d, '$.a')", "JSON_EXISTS(d, '$.a')"],
  ])('%j', (text, expected) => {
    expect(canonical(text)).toContain(expected);
  });
  test.each([
    ['a', "a path starts with '$'"],
    ['$a', "expected '.' or '[' at byte 1"],
    [
      '$.1',
      'expected a member name of letters, digits and underscores not starting with a digit ' +
        'at byte 2; write any other name as ["name"]',
    ],
    ['$[x]', 'expected an array index or a double-quoted member name at byte 2'],
    ['$[01]', 'array index at byte 2 is not an integer from 0 to 4294967295 without leading zeros'],
    [
      '$[4294967296]',
      'array index at byte 2 is not an integer from 0 to 4294967295 without leading zeros',
    ],
    ['$["\\x"]', 'member name at byte 2 is not a valid JSON string'],
    ['$["\\ud800"]', 'member name at byte 2 is not a valid JSON string'],
    ['$["é"', "expected ']' at byte 6"],
    [`$${'.a'.repeat(65)}`, 'a path takes at most 64 steps'],
  ])('path %j is refused', (path, defect) => {
    expect(expressionRefusal(`json_exists(d, $p$${path}$p$)`)).toBe(
      `invalid JSON path '${path.length > 64 ? `${path.slice(0, 64)}…` : path}': ${defect}`,
    );
  });
});

describe('NSPL 3: refusals', () => {
  test.each([
    ['a.b', "'a' is not an expression scope; relay names cannot qualify fields"],
    ['a.b.c', 'only relay_state.<relay>.<field> may contain three field path segments'],
    ['relay_state.a', 'relay_state references require relay_state.<relay>.<field>'],
    [
      '9223372036854775808',
      "invalid integer literal '9223372036854775808': number too large to fit in target type",
    ],
    [
      '1e5',
      "number literal '1e5' has an exponent, which an expression does not read; " +
        "write '1e5' AS F64",
    ],
    ['a as foo', "unsupported type 'foo'"],
    ["json_value(d, '$' as array<i8, 0>)", 'array length must be a positive unsigned integer'],
    ["json_value(d, '$' as array<i8, 2147483648>)", 'array length must not exceed 2147483647'],
    ['`a b`', "invalid identifier: invalid character ' ' in name"],
    ['``', 'invalid identifier: name must not be empty'],
    ['end', 'expected expression, found end'],
    ['a +', 'expected expression, found end of input'],
    ['a NOT b', 'expected IN | BETWEEN, found b'],
    ['a IS b', 'expected DISTINCT | NOT, found b'],
    ['a IN (1', 'expected , | ), found end of input'],
    ['[]', 'expected expression, found ]'],
    ['if a then b end', 'expected ELSE, found end'],
    ['case a end', 'expected WHEN, found end'],
    ['a b', 'expected end of input, found b'],
    ['', 'expected expression, found end of input'],
  ])('%j', (text, message) => {
    expect(expressionRefusal(text)).toBe(message);
  });
});

describe('NSPL 15.5: nesting ends at 256 levels', () => {
  test.each([
    ['(', 'a', ')'],
    ['-', 'a', ''],
    ['NOT ', 'a', ''],
    ['f(', 'a', ')'],
    ['[', 'a', ']'],
    ['IF a THEN ', 'b', ' ELSE c END'],
    ['CASE WHEN a THEN ', 'b', ' END'],
    ['TRY_CAST(', 'a', ' AS I64)'],
    ['a IN (', 'b', ')'],
  ])('%s', (open, core, close) => {
    const nested = (levels: number) => open.repeat(levels) + core + close.repeat(levels);
    expect(parseExpression(nested(256)).kind).toBe('parsed');
    expect(expressionRefusal(nested(257))).toBe('expression nesting exceeds 256 levels');
    expect(expressionRefusal(nested(5000))).toBe('expression nesting exceeds 256 levels');
  });
});

test('spans of nodes count bytes of the submitted text', () => {
  const result = parseExpression("'é' = (a + 1)");
  if (result.kind === 'refused' || result.expression.kind !== 'binary') throw new Error('refused');
  const { expression, spans } = result;
  expect(spans.spanOf(expression)).toEqual({ start: 0, end: 14 });
  expect(spans.spanOf(expression.left)).toEqual({ start: 0, end: 4 });
  expect(spans.spanOf(expression.right)).toEqual({ start: 8, end: 13 });
  expect(spans.spanOf({})).toBeUndefined();
  expect(Object.isFrozen(expression.right)).toBe(true);
});
