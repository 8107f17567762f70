/** A form of an expression or of a list: a text of it, and one that breaks off or goes wrong. */
export interface Form {
  /** Rule of the notation that the form belongs to. */
  readonly rule: string;
  readonly accepted: string;
  readonly canonical: string;
  readonly refused: string;
  readonly message: string;
  readonly pointed: string;
}

type Row = readonly [
  accepted: string,
  canonical: string,
  refused: string,
  message: string,
  pointed: string,
];

function formsOf(rows: Readonly<Record<string, readonly Row[]>>): readonly Form[] {
  return Object.entries(rows).flatMap(([rule, forms]) =>
    forms.map(([accepted, canonical, refused, message, pointed]) => ({
      rule,
      accepted,
      canonical,
      refused,
      message,
      pointed,
    })),
  );
}

const TARGETS = 'SET targets must be bare, message.<field>, output.<field>, or branch.<field>';

/** Forms of expressions. */
export const EXPRESSION_FORMS: readonly Form[] = formsOf({
  expression: [
    ['a or b', 'a OR b', 'a OR', 'expected expression, found end of input', ''],
    ['a OR b OR c', 'a OR b OR c', 'OR b', 'expected expression, found OR', 'OR'],
  ],
  conjunction: [['a and b', 'a AND b', 'a AND OR b', 'expected expression, found OR', 'OR']],
  comparison: [
    ['a = b', 'a = b', 'a = = b', 'expected expression, found =', '='],
    ['a = b = c', 'a = b = c', 'a = b =', 'expected expression, found end of input', ''],
    ['a in (1, 2,)', 'a IN (1, 2)', 'a IN 1', 'expected (, found 1', '1'],
    ['a IN (1)', 'a IN (1)', 'a IN (1 2)', 'expected , | ), found 2', '2'],
    ['a in ()', 'a IN ()', 'a IN (,)', 'expected expression, found ,', ','],
    ['a not in (1)', 'a NOT IN (1)', 'a NOT (1)', 'expected IN | BETWEEN, found (', '('],
    ['a between 1 and 2', 'a BETWEEN 1 AND 2', 'a BETWEEN 1 OR 2', 'expected AND, found OR', 'OR'],
    [
      'a not between 1 and 2',
      'a NOT BETWEEN 1 AND 2',
      'a NOT BETWEEN AND 2',
      'expected expression, found AND',
      'AND',
    ],
  ],
  comparisonOperator: [
    ['a = b', 'a = b', 'a = )', 'expected expression, found )', ')'],
    ['a != b', 'a != b', 'a != )', 'expected expression, found )', ')'],
    ['a >= b', 'a >= b', 'a >= )', 'expected expression, found )', ')'],
    ['a <= b', 'a <= b', 'a <= )', 'expected expression, found )', ')'],
    ['a > b', 'a > b', 'a > )', 'expected expression, found )', ')'],
    ['a < b', 'a < b', 'a < )', 'expected expression, found )', ')'],
    [
      'a is distinct from b',
      'a IS DISTINCT FROM b',
      'a IS FROM b',
      'expected DISTINCT | NOT, found FROM',
      'FROM',
    ],
    [
      'a IS DISTINCT FROM b',
      'a IS DISTINCT FROM b',
      'a IS DISTINCT b',
      'expected FROM, found b',
      'b',
    ],
    [
      'a is not distinct from b',
      'a IS NOT DISTINCT FROM b',
      'a IS NOT b',
      'expected DISTINCT, found b',
      'b',
    ],
    [
      'a IS NOT DISTINCT FROM b',
      'a IS NOT DISTINCT FROM b',
      'a IS NOT DISTINCT b',
      'expected FROM, found b',
      'b',
    ],
  ],
  sum: [
    ['a + b', 'a + b', 'a + * b', 'expected expression, found *', '*'],
    ['a - b', 'a - b', 'a - / b', 'expected expression, found /', '/'],
  ],
  product: [
    ['a * b', 'a * b', 'a * = b', 'expected expression, found =', '='],
    ['a / b', 'a / b', 'a / = b', 'expected expression, found =', '='],
    ['a % b', 'a % b', 'a % = b', 'expected expression, found =', '='],
  ],
  prefixed: [
    ['-a', '-a', '- )', 'expected expression, found )', ')'],
    ['not a', 'NOT a', 'NOT AND', 'expected expression, found AND', 'AND'],
    ['- not -a', '-(NOT (-a))', '- NOT -', 'expected expression, found end of input', ''],
  ],
  cast: [
    ['a as i64', 'a AS I64', 'a AS 5', 'expected identifier, found 5', '5'],
    [
      'a AS I32 AS I64',
      'a AS I32 AS I64',
      'a AS I32 AS',
      'expected identifier, found end of input',
      '',
    ],
    ['a AS STRING', 'a AS STRING', 'a AS decimal', "unsupported type 'decimal'", 'decimal'],
  ],
  atom: [
    ['5', '5', '5.', 'expected end of input, found .', '.'],
    ['5.0', '5.0', '.5', 'expected expression, found .', '.'],
    ["'x'", "'x'", "'x' 'y'", 'expected end of input, found "y"', "'y'"],
    ['true', 'TRUE', 'TRUE FALSE', 'expected end of input, found FALSE', 'FALSE'],
    ['false', 'FALSE', 'FALSE(1)', 'expected end of input, found (', '('],
    ['null', 'NULL', 'NULL NULL', 'expected end of input, found NULL', 'NULL'],
    ['[1, 2,]', '[1, 2]', '[1 2]', 'expected , | ], found 2', '2'],
    ['[a]', '[a]', '[1,,2]', 'expected expression, found ,', ','],
    ['[[1], [2]]', '[[1], [2]]', '[]', 'expected expression, found ]', ']'],
    ['(a)', 'a', '(a', 'expected ), found end of input', ''],
    ['(a + b) * c', '(a + b) * c', '()', 'expected expression, found )', ')'],
  ],
  field: [
    ['A', 'a', 'a b', 'expected end of input, found b', 'b'],
    ['`a-b`', '`a-b`', '`a-b` `c`', 'expected end of input, found `c`', '`c`'],
    ['input.a', 'input.a', 'input.', 'expected identifier, found end of input', ''],
    [
      'relay_state.r.f',
      'relay_state.r.f',
      'relay_state.r',
      'relay_state references require relay_state.<relay>.<field>',
      'relay_state.r',
    ],
    [
      'RELAY_STATE.r.`f-g`',
      'relay_state.r.`f-g`',
      'relay_state.r.5',
      'expected identifier, found 5',
      '5',
    ],
  ],
  fieldScope: [
    ['message.a', 'message.a', 'message.5', 'expected identifier, found 5', '5'],
    ['input.a', 'input.a', 'input.5', 'expected identifier, found 5', '5'],
    ['output.a', 'output.a', 'output.5', 'expected identifier, found 5', '5'],
    ['branch.a', 'branch.a', 'branch.5', 'expected identifier, found 5', '5'],
    ['left.a', 'left.a', 'left.5', 'expected identifier, found 5', '5'],
    ['right.a', 'right.a', 'right.5', 'expected identifier, found 5', '5'],
    ['metadata.a', 'metadata.a', 'metadata.5', 'expected identifier, found 5', '5'],
    [
      'partial_output.a',
      'partial_output.a',
      'partial_output.5',
      'expected identifier, found 5',
      '5',
    ],
    ['error.a', 'error.a', 'error.5', 'expected identifier, found 5', '5'],
    [
      'Input.a',
      'input.a',
      'relay.a',
      "'relay' is not an expression scope; relay names cannot qualify fields",
      'relay.a',
    ],
  ],
  call: [
    ['f()', 'f()', 'f(', 'expected expression, found end of input', ''],
    ['F(1, 2)', 'f(1, 2)', 'f(1', 'expected , | ), found end of input', ''],
    ['udf::f(1)', 'udf::f(1)', 'UDF f(1)', 'expected ::, found f', 'f'],
    ['UDF::end()', 'udf::end()', 'UDF::5', 'expected identifier, found 5', '5'],
    ['UDF::`f-g`()', 'udf::`f-g`()', 'UDF::f', 'expected (, found end of input', ''],
    ['`f-g`()', '`f-g`()', 'where()', 'expected expression, found where', 'where'],
  ],
  arguments: [
    ['f(1,)', 'f(1)', 'f(,)', 'expected expression, found ,', ','],
    ['f(a, b)', 'f(a, b)', 'f(a b)', 'expected , | ), found b', 'b'],
  ],
  conditional: [
    [
      'if a then b else c end',
      'IF a THEN b ELSE c END',
      'IF THEN',
      'expected expression, found THEN',
      'THEN',
    ],
    [
      'IF a THEN b ELSE c END',
      'IF a THEN b ELSE c END',
      'IF a ELSE',
      'expected THEN, found ELSE',
      'ELSE',
    ],
    [
      'IF a THEN 1 ELSE 2 END',
      'IF a THEN 1 ELSE 2 END',
      'IF a THEN b END',
      'expected ELSE, found END',
      'END',
    ],
    [
      'IF a THEN IF b THEN 1 ELSE 2 END ELSE 3 END',
      'IF a THEN IF b THEN 1 ELSE 2 END ELSE 3 END',
      'IF a THEN b ELSE c',
      'expected END, found end of input',
      '',
    ],
    [
      'case when a then b end',
      'CASE WHEN a THEN b END',
      'CASE END',
      'expected expression, found END',
      'END',
    ],
    [
      'case a when 1 then b end',
      'CASE a WHEN 1 THEN b END',
      'CASE a THEN',
      'expected WHEN, found THEN',
      'THEN',
    ],
    [
      'CASE WHEN a THEN b WHEN c THEN d END',
      'CASE WHEN a THEN b WHEN c THEN d END',
      'CASE WHEN a b',
      'expected THEN, found b',
      'b',
    ],
    [
      'CASE WHEN a THEN b ELSE c END',
      'CASE WHEN a THEN b ELSE c END',
      'CASE WHEN a THEN b c',
      'expected WHEN | ELSE | END, found c',
      'c',
    ],
    [
      'CASE a WHEN 1 THEN b ELSE c END',
      'CASE a WHEN 1 THEN b ELSE c END',
      'CASE WHEN a THEN b ELSE c WHEN',
      'expected END, found WHEN',
      'WHEN',
    ],
  ],
  conversion: [
    ['try_cast(a as i64)', 'TRY_CAST(a AS I64)', 'TRY_CAST a', 'expected (, found a', 'a'],
    ['TRY_CAST(a AS I64)', 'TRY_CAST(a AS I64)', 'TRY_CAST(a)', 'expected AS, found )', ')'],
    [
      'TRY_CAST(a + b AS I64)',
      'TRY_CAST(a + b AS I64)',
      'TRY_CAST(a AS I64',
      'expected AS | ), found end of input',
      '',
    ],
    [
      "json_value(a, '$' as i64)",
      "JSON_VALUE(a, '$' AS I64)",
      'JSON_VALUE a',
      'expected (, found a',
      'a',
    ],
    [
      "JSON_VALUE(a, '$' AS I64)",
      "JSON_VALUE(a, '$' AS I64)",
      'JSON_VALUE(a)',
      'expected ,, found )',
      ')',
    ],
    [
      "JSON_VALUE(a, '$.b' AS I64)",
      "JSON_VALUE(a, '$.b' AS I64)",
      'JSON_VALUE(a, b AS I64)',
      'expected json_path, found b',
      'b',
    ],
    [
      "JSON_VALUE(a, '$[0]' AS I64)",
      "JSON_VALUE(a, '$[0]' AS I64)",
      "JSON_VALUE(a, '$')",
      'expected AS, found )',
      ')',
    ],
    [
      "try_json_value(a, '$' as i64)",
      "TRY_JSON_VALUE(a, '$' AS I64)",
      "TRY_JSON_VALUE(a, '$' AS I64",
      'expected ), found end of input',
      '',
    ],
    [
      "json_exists(a, '$')",
      "JSON_EXISTS(a, '$')",
      "JSON_EXISTS(a, '$' AS I64)",
      'expected ), found AS',
      'AS',
    ],
  ],
  declaredType: [
    [
      "JSON_VALUE(a, '$' AS VEC<I64>)",
      "JSON_VALUE(a, '$' AS VEC<I64>)",
      "JSON_VALUE(a, '$' AS VEC I64)",
      'expected <, found I64',
      'I64',
    ],
    [
      "JSON_VALUE(a, '$' AS VEC<VEC<INT8>>)",
      "JSON_VALUE(a, '$' AS VEC<VEC<I8>>)",
      "JSON_VALUE(a, '$' AS VEC<I64)",
      'expected >, found )',
      ')',
    ],
    [
      "JSON_VALUE(a, '$' AS ARRAY<I64, 2>)",
      "JSON_VALUE(a, '$' AS ARRAY<I64, 2>)",
      "JSON_VALUE(a, '$' AS ARRAY<I64>)",
      'expected ,, found >',
      '>',
    ],
    [
      "JSON_VALUE(a, '$' AS ARRAY<I64, 2, 3>)",
      "JSON_VALUE(a, '$' AS ARRAY<I64, 2, 3>)",
      "JSON_VALUE(a, '$' AS ARRAY<I64, x>)",
      'expected number_literal, found x',
      'x',
    ],
    [
      "JSON_VALUE(a, '$' AS STRING)",
      "JSON_VALUE(a, '$' AS STRING)",
      "JSON_VALUE(a, '$' AS 5)",
      'expected identifier, found 5',
      '5',
    ],
  ],
  simpleName: [
    ['flush', 'flush', 'where', 'expected expression, found where', 'where'],
    ['`where`', '`where`', '`where', 'unterminated quoted name; expected `', '`where'],
    ['max', 'max', 'case', 'expected expression, found end of input', ''],
  ],
  anyName: [
    [
      'input.where',
      'input.where',
      "input.'where'",
      'expected identifier, found "where"',
      "'where'",
    ],
    ['input.`a.b`', 'input.`a.b`', 'input.(a)', 'expected identifier, found (', '('],
  ],
});

/** Forms of the lists and constructions that statements embed, with the words before them. */
export const LIST_FORMS: readonly Form[] = formsOf({
  expressions: [
    [
      'DEDUPLICATE ON a',
      'DEDUPLICATE ON a',
      "DEDUPLICATE ON 'a' +",
      'expected expression, found end of input',
      '',
    ],
    [
      'DEDUPLICATE ON a, b + 1',
      'DEDUPLICATE ON a, b + 1',
      'DEDUPLICATE ON a,',
      'expected expression, found end of input',
      '',
    ],
    [
      'DEDUPLICATE ON max(a), max',
      'DEDUPLICATE ON max(a), max',
      'DEDUPLICATE ON a, )',
      'expected expression, found )',
      ')',
    ],
  ],
  assignments: [
    ['SET a = 1', 'SET a = 1', 'SET a 1', 'expected =, found 1', '1'],
    [
      'SET a = 1, b = 2',
      'SET a = 1, b = 2',
      'SET a = 1,',
      'expected identifier, found end of input',
      '',
    ],
    ['SET a = 1, a = 2', 'SET a = 1, a = 2', 'SET a = 1, b', 'expected =, found end of input', ''],
    ['SET a = b OR c', 'SET a = b OR c', 'SET a =', 'expected expression, found end of input', ''],
  ],
  target: [
    ['SET `a-b` = 1', 'SET `a-b` = 1', 'SET 5 = 1', 'expected set_assignments, found 5', '5'],
    [
      'SET message.a = 1',
      'SET message.a = 1',
      'SET message. = 1',
      'expected identifier, found =',
      '=',
    ],
    [
      'SET output.end = 1',
      'SET output.end = 1',
      'SET output.5 = 1',
      'expected identifier, found 5',
      '5',
    ],
    ['SET branch.a = 1', 'SET branch.a = 1', 'SET branch.a.b = 1', TARGETS, 'branch.a.b'],
    ['SET a = 1', 'SET a = 1', 'SET input.a = 1', TARGETS, 'input.a'],
    [
      'SET message = 1',
      'SET message = 1',
      'SET end.a = 1',
      'expected set_assignments, found end',
      'end',
    ],
    [
      'SET set_ = 1',
      'SET set_ = 1',
      'SET a = 1, case.a = 1',
      'expected identifier, found case',
      'case',
    ],
  ],
  inheritance: [
    [
      'INHERIT ALL',
      'INHERIT ALL',
      'INHERIT ALL a',
      'expected SET | WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found a',
      'a',
    ],
    [
      'INHERIT ALL EXCEPT a, b',
      'INHERIT ALL EXCEPT a, b',
      'INHERIT ALL EXCEPT',
      'expected identifier, found end of input',
      '',
    ],
    [
      'INHERIT ALL EXCEPT a',
      'INHERIT ALL EXCEPT a',
      'INHERIT ALL EXCEPT a,',
      'expected identifier, found end of input',
      '',
    ],
    ['INHERIT a, `b-c`', 'INHERIT a, `b-c`', 'INHERIT 5', 'expected inherit_targets, found 5', '5'],
    [
      'INHERIT a LEAK SENSITIVE, b',
      'INHERIT a LEAK SENSITIVE, b',
      'INHERIT a LEAK b',
      'expected SENSITIVE, found b',
      'b',
    ],
    ['INHERIT a, b', 'INHERIT a, b', 'INHERIT a, 5', 'expected identifier, found 5', '5'],
    ['INHERIT a', 'INHERIT a', 'INHERIT a, A', "duplicate field 'a'", 'A'],
  ],
  invocations: [
    ['INVOKE f()', 'INVOKE f()', 'INVOKE 5', 'expected invocations, found 5', '5'],
    ['INVOKE f(1, a)', 'INVOKE f(1, a)', 'INVOKE f', 'expected (, found end of input', ''],
    [
      'INVOKE f(), `g-h`(1,)',
      'INVOKE f(), `g-h`(1)',
      'INVOKE f(),',
      'expected identifier, found end of input',
      '',
    ],
    ['INVOKE g(a)', 'INVOKE g(a)', 'INVOKE f(1', 'expected , | ), found end of input', ''],
    [
      'INVOKE `where`()',
      'INVOKE `where`()',
      'INVOKE where()',
      'expected invocations, found where',
      'where',
    ],
  ],
});
