import {
  BINARY_OPERATORS,
  type OperatorSignature,
  UNARY_OPERATORS,
  WORD_OPERATORS,
} from '@nervix/model';
import { shownRule } from './diagram.ts';
import { code, document, list, nspl, paragraph, table } from './markdown.ts';
import { ruleDiagramPath } from './places.ts';
import type { RulePlan } from './rule-plan.ts';

const NEGATED: readonly OperatorSignature[] = Object.values(WORD_OPERATORS);

/** Operators by how tightly they bind, the tightest first. */
function precedence(): readonly (readonly string[])[] {
  const operators = [
    ...Object.values(UNARY_OPERATORS),
    ...Object.values(BINARY_OPERATORS),
    ...NEGATED,
  ];
  const levels = [...new Set(operators.map(({ level }) => level))].sort((a, b) => a - b);
  return [
    ['atoms, calls, `[…]`, `IF`, `CASE`, `TRY_CAST`, `JSON_…`, parentheses', ''],
    ['`AS`', 'left'],
    ...levels.map((level) => {
      const members = operators.filter((each) => each.level === level);
      const symbols = members.map(({ symbol }) => code(symbol)).join(' ');
      const isUnary = members.some((each) => Object.values(UNARY_OPERATORS).includes(each));
      if (isUnary) return [`${symbols} before an operand`, 'right'];
      const isNegated = members.some((each) => NEGATED.includes(each));
      return [isNegated ? `${symbols}, the words each also with \`NOT\`` : symbols, 'left'];
    }),
  ];
}

const SCOPES: readonly (readonly string[])[] = [
  ['`input.f`', 'the record that came in, unchanged'],
  ['`output.f`', 'a field of the record being built, once it has a value'],
  ['`message.f`, `f`', 'the field being built if it has a value, else the one that came in'],
  ['`branch.f`', 'the key of the branch'],
  ['`left.f`, `right.f`', 'the two records of a correlator'],
  ['`relay_state.r.f`', 'the latest record of relay `r`, if the statement declares the dependency'],
  ['`metadata.f`', 'what the source tells about a payload'],
  ['`error.f`, `partial_output.f`', 'the failure and what was built so far, in `SEND TO`'],
];

const EXAMPLES = `CREATE JUNCTION shapes FROM trips UNBRANCHED
  TO shaped
    SET id = input.id,
        fare = IF input.fare IS DISTINCT FROM 0.0 THEN input.fare * 1.2 ELSE 1.0 END,
        city = coalesce(lower(input.city), 'nowhere'),
        kind = CASE input.zone WHEN 1 THEN 'near' WHEN 2 THEN 'far' ELSE 'other' END,
        tip = TRY_CAST(input.tip AS F64),
        rider = JSON_VALUE(input.extra, '$.rider.id' AS U64),
        celsius = udf::celsius(input.fahrenheit),
        \`end\` = input.ended
    WHERE output.fare BETWEEN 1.0 AND 500.0 AND input.zone NOT IN (7, 9)
    FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`;

const GROUPS: readonly (readonly [heading: string, rules: readonly string[]])[] = [
  [
    'Operators',
    [
      'expression',
      'conjunction',
      'comparison',
      'comparisonOperator',
      'sum',
      'product',
      'prefixed',
      'cast',
    ],
  ],
  [
    'Operands',
    ['atom', 'field', 'fieldScope', 'call', 'arguments', 'conditional', 'simpleName', 'anyName'],
  ],
  ['Conversions', ['conversion', 'castType', 'declaredType']],
  [
    'Lists and constructions',
    ['expressions', 'assignments', 'target', 'inheritance', 'invocations'],
  ],
];

/** Rules of expressions in the order of the page. */
export const SHOWN_EXPRESSION_RULES: readonly string[] = GROUPS.flatMap(([, rules]) => rules);

/** The page of expressions and of the lists made of them. */
export function expressionsPage(plan: RulePlan): string {
  const diagrams = GROUPS.flatMap(([heading, rules]) => [
    `## ${heading}`,
    ...rules.flatMap((rule) => [
      `### ${shownRule(rule)}`,
      `![Syntax of ${shownRule(rule)}](${ruleDiagramPath(plan, rule)})`,
    ]),
  ]);
  return document([
    '# Expressions',
    paragraph(
      'Expressions compute values from the fields of records. Nothing is converted by itself: both sides of ' +
        'an operator have one type, and a number without a point is an I64, one with a point an F64.',
    ),
    nspl(EXAMPLES),
    '## Precedence',
    paragraph('From tight to loose.'),
    table(['operators', 'grouping'], precedence()),
    list([
      '`NOT a > 5` negates `a`, `a + b AS STRING` converts `b`: parentheses tell otherwise.',
      'The `AND` of `BETWEEN` belongs to it.',
      '`AND` and `OR` compute both sides; only `IF` and `CASE` compute what they choose.',
      'A condition keeps a record when it is true, not when it is null.',
      'In `TRY_CAST` the last `AS` before the closing parenthesis is its own.',
    ]),
    '## Where an expression ends',
    list([
      'There is no delimiter. An expression takes every token that can continue it, and the next clause begins ' +
        'behind that.',
      'A word where an operand is due is an operand, keyword or not: `DEDUPLICATE ON max(v), max MAX TIME 5m` ' +
        'has a call, a field and a clause.',
      'Inside `ALTER`, a comma and then `ADD`, `DROP`, `ALTER`, `SET`, `REPLACE` or `RENAME` begins the next ' +
        'operation, unless `(` or `.` follows or a bracket is open.',
    ]),
    '## Scopes',
    table(['written', 'read'], SCOPES),
    ...diagrams,
    '[Functions](functions.md) · [All statements](README.md)',
  ]);
}
