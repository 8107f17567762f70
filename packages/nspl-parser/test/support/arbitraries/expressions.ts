import type { Expression } from '@nervix/model';
import fc from 'fast-check';
import { dataType, fieldName, scalar, text } from './names.ts';

const jsonPath = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^\.[A-Za-z_][A-Za-z0-9_]{0,4}$/),
      fc.nat(4294967295).map((index) => `[${index}]`),
    ),
    { maxLength: 4 },
  )
  .map((steps) => `$${steps.join('')}`);

const scope = fc.constantFrom(
  'message' as const,
  'input' as const,
  'output' as const,
  'branch' as const,
  'left' as const,
  'right' as const,
  'metadata' as const,
  'partial_output' as const,
  'error' as const,
);

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({
    kind: fc.constant('integer' as const),
    digits: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(String),
  }),
  fc
    .record({
      kind: fc.constant('float' as const),
      value: fc.oneof(
        fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
      ),
    })
    .filter(({ value }) => !Object.is(value, -0)),
  fc.record({ kind: fc.constant('string' as const), value: text }),
  fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({ kind: fc.constant('null' as const) }),
  fc.record({ kind: fc.constant('field' as const), scope: fc.option(scope), name: fieldName }),
  fc.record({ kind: fc.constant('relay_state' as const), relay: fieldName, name: fieldName }),
);

export const expression: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => {
  const node = tie('node');
  const nodes = fc.array(node, { maxLength: 3 });
  // biome-ignore lint/suspicious/noThenProperty: the model names an arm's result so.
  const arm = fc.record({ when: node, then: node });
  return {
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'expression', withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constantFrom('call' as const, 'udf_call' as const),
        name: fieldName,
        arguments: nodes,
      }),
      fc.record({
        kind: fc.constant('list' as const),
        elements: fc.array(node, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('unary' as const),
        operator: fc.constantFrom('neg' as const, 'not' as const),
        operand: node,
      }),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(
          ...(['add', 'sub', 'mul', 'div', 'rem', 'eq', 'not_eq', 'gt', 'lt'] as const),
          ...(['gt_eq', 'lt_eq', 'and', 'or'] as const),
        ),
        left: node,
        right: node,
      }),
      fc.record({
        kind: fc.constant('distinct' as const),
        negated: fc.boolean(),
        left: node,
        right: node,
      }),
      fc.record({
        kind: fc.constant('in' as const),
        negated: fc.boolean(),
        operand: node,
        elements: nodes,
      }),
      fc.record({
        kind: fc.constant('between' as const),
        negated: fc.boolean(),
        operand: node,
        low: node,
        high: node,
      }),
      fc.record({
        kind: fc.constant('cast' as const),
        isTry: fc.boolean(),
        operand: node,
        target: scalar,
      }),
      fc.record({
        kind: fc.constant('case' as const),
        form: fc.constant('case' as const),
        operand: fc.option(node),
        arms: fc.array(arm, { minLength: 1, maxLength: 3 }),
        otherwise: fc.option(node),
      }),
      fc.record({
        kind: fc.constant('case' as const),
        form: fc.constant('if' as const),
        operand: fc.constant(null),
        arms: fc.array(arm, { minLength: 1, maxLength: 1 }),
        otherwise: node,
      }),
      fc.record({
        kind: fc.constant('json_read' as const),
        function: fc.constantFrom('JSON_VALUE' as const, 'TRY_JSON_VALUE' as const),
        document: node,
        path: jsonPath,
        target: dataType,
      }),
      fc.record({ kind: fc.constant('json_exists' as const), document: node, path: jsonPath }),
    ),
  };
}).node;
