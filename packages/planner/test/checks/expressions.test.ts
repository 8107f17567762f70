import { type Expression, type Model, typedExpressionDefect } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { PlanRefusal } from '../../src/index.js';
import { binary, call, field, int, list, nil, text, udf } from '../support/expressions.js';
import { assign, change, column, construct, junction, planWith, relay } from '../support/models.js';

function refusals(...models: readonly Model[]): readonly PlanRefusal[] {
  const outcome = planWith(...models);
  return outcome.kind === 'rejected' ? outcome.refusals : [];
}

const filtered = (filter: Expression): Model => change(junction, { filter });
const compile = (reason: string) =>
  `model 'split' in domain 'taxi' is invalid: FILTER WHERE compile failed: ${reason}`;

test('each part of an expression that is wrong is a refusal with its place and hint', () => {
  const left = field('input.amuont');
  const right = call('lenght', field('input.note'));
  expect(refusals(filtered(binary(left, 'gt', right)))).toMatchObject([
    {
      message: compile("unknown input field 'amuont'"),
      subject: left,
      hint: 'did you mean amount?',
    },
    {
      message: compile("unknown function 'lenght' with arity 1"),
      subject: right,
      hint: 'did you mean length?',
    },
  ]);
});

const LISTS: readonly Model[] = [
  {
    kind: 'schema',
    name: 'lists',
    fields: [
      column('numbers', { kind: 'vec', element: 'I64' }),
      column('more', { kind: 'vec', element: 'STRING' }, { optional: true }),
      column('pair', { kind: 'array', element: 'I64', length: 2 }, { optional: true }),
    ],
  },
  relay('listed', 'lists'),
];

const listed = (...set: [string, Expression][]): Model => {
  const [route] = junction.routes;
  if (route === undefined) throw new Error('the junction of the tests has a route');
  const construction = construct({ set: set.map(([target, value]) => assign(target, value)) });
  return change(junction, { routes: [{ ...route, relay: 'listed', construction }] });
};

describe('TYPE 6.7 values that their field types', () => {
  test('vec() is an empty list of the type of its VEC field', () => {
    const model = listed(['numbers', call('vec')], ['more', call('vec')], ['pair', nil]);
    const outcome = planWith(...LISTS, model);
    const [planned] = outcome.kind === 'accepted' ? outcome.plan.processors : [];
    const route = planned?.kind === 'junction' ? planned.routes[0] : undefined;
    const values = route?.construction.assignments.map(({ value }) => value) ?? [];
    expect(values).toMatchObject([
      { kind: 'list', elements: [], type: { kind: 'vec', element: 'I64' }, optional: false },
      { kind: 'list', elements: [], type: { kind: 'vec', element: 'STRING' }, optional: false },
      { kind: 'literal', value: null, optional: true },
    ]);
    for (const value of values) expect(typedExpressionDefect(value)).toBe(undefined);
  });

  test('TX-48 vec() is nothing for an ARRAY field, and an ARRAY is no VEC', () => {
    expect(
      refusals(...LISTS, listed(['numbers', call('vec', int(1))], ['pair', call('vec')])),
    ).toMatchObject([
      {
        message: expect.stringContaining(
          'vec() without values may only be the whole value of a VEC',
        ),
      },
    ]);
    expect(refusals(...LISTS, listed(['numbers', list(int(1), int(2))]))).toMatchObject([
      {
        message: expect.stringContaining(
          "SET field 'numbers' has expression type FixedSizeList(Int64, 2), " +
            'expected declared output type List(Int64)',
        ),
      },
    ]);
  });
});

describe('what the domain defines', () => {
  const UDF: Model = {
    kind: 'udf',
    name: 'score',
    language: 'ROTO_0_13',
    arguments: [{ name: 'a', type: 'I64', optional: false }],
    returns: { type: 'BOOL', optional: false },
    volatile: false,
    code: '',
  };

  test('TYPE 8 a UDF is typed by its declaration before this release refuses to run it', () => {
    const expression = udf('score', field('input.tenant'));
    expect(refusals(UDF, filtered(expression)).map(({ message }) => message)).toContain(
      compile("UDF 'score' argument 1 requires Int64, found Utf8; cast explicitly"),
    );
    expect(refusals(UDF, filtered(udf('score', field('input.id'))))).toContainEqual(
      expect.objectContaining({
        message: compile('calls of UDFs in ROTO_0_13 are not supported by this release'),
      }),
    );
  });

  test('TYPE 6.5 a hash map has the fields of the schema that its codec decodes into', () => {
    const map: Model = {
      kind: 'hash_map',
      name: 'events_by_id',
      key: 'id',
      resource: { resource: 'files', version: '1' },
      path: '/events.json',
      decodeUsing: 'event_json',
    };
    const lookup = (name: string) =>
      call('is_null', call('LOOKUP_HASH_MAP', text('events_by_id'), field('input.id'), text(name)));
    const messages = (name: string) =>
      refusals(map, filtered(lookup(name))).map(({ message }) => message);
    expect(messages('nope')).toContain(
      compile("LOOKUP_HASH_MAP field 'nope' is missing from hash map 'events_by_id' schema"),
    );
    expect(messages('amount')).toContain(
      compile('LOOKUP_HASH_MAP is not supported by this release'),
    );
  });
});
