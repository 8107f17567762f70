import { fc } from '@fast-check/vitest';
import type { Expression, Model } from '@nervix/model';
import { BUILTIN_FUNCTIONS, SCALAR_TYPES, WINDOW_AGGREGATES } from '@nervix/model';
import { binary, field, float, int } from './expressions.js';
import { BY_TENANT, change, INHERIT_ALL, junction, relay, SCHEMAS, UNBRANCHED } from './models.js';

const NAMES = ['id', 'tenant', 'amount', 'at', 'note', 'secret', 'raw', 'nope', 'rows'];
const SCOPES = [
  null,
  'message',
  'input',
  'output',
  'branch',
  'left',
  'right',
  'metadata',
  'partial_output',
  'error',
] as const;
const CALLS = [...BUILTIN_FUNCTIONS.keys(), ...WINDOW_AGGREGATES.keys(), 'array', 'x'];
const OPERATORS = [
  'add',
  'sub',
  'mul',
  'div',
  'rem',
  'eq',
  'not_eq',
  'gt',
  'lt',
  'gt_eq',
  'lt_eq',
  'and',
  'or',
] as const;

const armOf = ([when, then]: [Expression, Expression]) => ({ when, then });

/** Any expression tree, sensible or not. */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(
      fc.bigInt({ min: 0n, max: 1n << 70n }).map((value) => int(String(value))),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(float),
      fc.string().map((value): Expression => ({ kind: 'string', value })),
      fc.boolean().map((value): Expression => ({ kind: 'boolean', value })),
      fc.constant<Expression>({ kind: 'null' }),
      fc
        .record({ scope: fc.constantFrom(...SCOPES), name: fc.constantFrom(...NAMES) })
        .map((reference): Expression => ({ kind: 'field', ...reference })),
      fc.constant<Expression>({ kind: 'relay_state', relay: 'events', name: 'id' }),
    ),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom(...CALLS),
      arguments: fc.array(tie('node'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('udf_call' as const),
      name: fc.constant('f'),
      arguments: fc.array(tie('node'), { maxLength: 2 }),
    }),
    fc.record({
      kind: fc.constant('list' as const),
      elements: fc.array(tie('node'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('unary' as const),
      operator: fc.constantFrom('neg' as const, 'not' as const),
      operand: tie('node'),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...OPERATORS),
      left: tie('node'),
      right: tie('node'),
    }),
    fc.record({
      kind: fc.constant('distinct' as const),
      negated: fc.boolean(),
      left: tie('node'),
      right: tie('node'),
    }),
    fc.record({
      kind: fc.constant('in' as const),
      negated: fc.boolean(),
      operand: tie('node'),
      elements: fc.array(tie('node'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('between' as const),
      negated: fc.boolean(),
      operand: tie('node'),
      low: tie('node'),
      high: tie('node'),
    }),
    fc.record({
      kind: fc.constant('cast' as const),
      isTry: fc.boolean(),
      operand: tie('node'),
      target: fc.constantFrom(...SCALAR_TYPES),
    }),
    fc.record({
      kind: fc.constant('case' as const),
      form: fc.constant('case' as const),
      operand: fc.option(tie('node')),
      arms: fc.array(fc.tuple(tie('node'), tie('node')).map(armOf), {
        minLength: 1,
        maxLength: 2,
      }),
      otherwise: fc.option(tie('node')),
    }),
  ),
})).node;

/** A valid graph: relays of two branchings, and junctions from earlier relays to later ones. */
export const validGraph: fc.Arbitrary<readonly Model[]> = fc
  .record({
    branchings: fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }),
    edges: fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.nat(3)), { maxLength: 10 }),
  })
  .map(({ branchings, edges }) => {
    const relays = branchings.map((isBranched, index) =>
      relay(`r${index}`, 'event', { branching: isBranched ? BY_TENANT : UNBRANCHED }),
    );
    const junctions = edges.flatMap(([left, right, filter], index) => {
      const source = relays[left % relays.length];
      const target = relays[right % relays.length];
      if (source === undefined || target === undefined) return [];
      if (source.branching.kind !== target.branching.kind) return [];
      return [
        change(junction, {
          name: `j${index}`,
          inputs: { relays: [{ relay: source.name, where: null }], collect: null },
          branching: source.branching,
          filter: filter === 0 ? null : binary(field('id'), 'gt', int(filter)),
          routes: [
            {
              relay: target.name,
              construction: INHERIT_ALL,
              flush: { kind: 'immediate' },
              messageError: { kind: 'log' },
            },
          ],
        }),
      ];
    });
    const branch: Model = {
      kind: 'branch',
      name: 'by_tenant',
      schema: 'tenant_key',
      ttl: '1h',
      maxInstances: null,
    };
    return [...SCHEMAS, branch, ...relays, ...junctions];
  });
