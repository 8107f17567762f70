import type { ExecutionPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { executionDelta, executionPause } from '../../src/domain/execution-delta.js';
import { holdScope } from '../../src/domain/hold-scope.js';
import * as p from '../support/plans.js';

const SECOND = 1_000_000_000n;
const each = (seconds: bigint) =>
  ({ kind: 'each', intervalNanos: seconds * SECOND, maxBatchBytes: 1024n }) as const;

const deduplicator = (rest: object = {}): ExecutionPlan['processors'][number] => ({
  kind: 'deduplicator',
  name: 'd',
  attached: true,
  inputs: [{ relay: 'events', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'event',
  branch: null,
  keys: [p.input('id')],
  maxTimeNanos: SECOND,
  routes: [p.route('unique')],
  ...rest,
});

const window = (rest: object = {}): ExecutionPlan['processors'][number] => ({
  kind: 'window_processor',
  name: 'w',
  attached: true,
  inputs: [{ relay: 'unique', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'event',
  branch: null,
  width: { messages: 2, durationNanos: null },
  step: { messages: 2, durationNanos: null },
  maxStateBytes: null,
  routes: [
    {
      relay: 'windows',
      aggregates: [],
      construction: { assignments: [], where: null },
      messageError: { kind: 'log' },
    },
  ],
  ...rest,
});

/** `in` to `events`, `d` to `unique`, `w` to `windows`, `j` to `copies`, `out` reads `copies`. */
const graph = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    relays: ['events', 'unique', 'windows', 'copies', 'failures'].map((name) =>
      p.relay(name, { schema: name === 'failures' ? 'failure' : 'event' }),
    ),
    processors: processors(),
    emitters: [p.emitter('out', 'copies', '/out')],
    ...rest,
  });
const junction = (route: object = {}, rest: object = {}) =>
  p.junction('j', ['unique'], [p.route('copies', route)], rest);
const processors = (changed: Partial<Record<'d' | 'w' | 'j', object>> = {}) => [
  changed.d === undefined ? deduplicator() : deduplicator(changed.d),
  changed.w === undefined ? window() : window(changed.w),
  changed.j === undefined ? junction() : junction({}, changed.j),
];
const withJunction = (junctionPlan: ExecutionPlan['processors'][number]) =>
  graph({ processors: [deduplicator(), window(), junctionPlan] });
const condition = p.binary('gt', p.input('amount'), p.int(1));
const [endpoint] = graph().endpoints as [ExecutionPlan['endpoints'][number]];

describe('what a plan holds of the one that runs', () => {
  test.each<[string, ExecutionPlan, readonly string[]]>([
    ['capacity', graph({ relays: graph().relays.map((r) => ({ ...r, capacity: 9 })) }), []],
    ['a filter', graph({ processors: processors({ d: { filter: condition } }) }), ['d']],
    [
      'a source condition',
      graph({ processors: processors({ w: { inputs: [{ relay: 'unique', where: condition }] } }) }),
      ['w'],
    ],
    [
      'COLLECT FOR',
      graph({
        processors: processors({ d: { collect: { intervalNanos: 5n, maxBatchBytes: null } } }),
      }),
      ['d'],
    ],
    ['MAX TIME', graph({ processors: processors({ d: { maxTimeNanos: 9n } }) }), ['d']],
    ['the flush of a route', withJunction(junction({ flush: each(3n) })), ['j']],
    [
      'the construction of a route',
      withJunction(
        junction({ construction: { assignments: p.inherit(p.EVENT), where: condition } }),
      ),
      ['j'],
    ],
    [
      'an error policy without a target',
      withJunction(junction({ messageError: { kind: 'ignore' } })),
      ['j'],
    ],
    [
      'the flush of an emitter',
      graph({ emitters: [p.emitter('out', 'copies', '/out', { flush: each(3n) })] }),
      ['out'],
    ],
  ])('nothing for %s (RT-182, RT-198)', (_, next, revised) => {
    const delta = executionDelta(graph(), { ...next, revision: 2 });
    expect(delta.kind).toBe('dynamic');
    const names = delta.kind === 'dynamic' ? [...delta.revised] : [];
    expect(names.map((key) => key.split(' ')[1])).toEqual(revised);
    expect(executionPause(graph(), next)).toBe('DYNAMIC');
  });

  test.each<[string, ExecutionPlan, string]>([
    ['an ingestor', graph({ ingestors: [p.ingestor('in', { filter: condition })] }), 'INGESTOR in'],
    [
      'the keys of a deduplicator',
      graph({ processors: processors({ d: { keys: [p.input('tenant')] } }) }),
      'DEDUPLICATOR d',
    ],
    [
      'the width of a window',
      graph({ processors: processors({ w: { width: { messages: 3, durationNanos: null } } }) }),
      'WINDOW_PROCESSOR w',
    ],
    ['attachment', graph({ processors: processors({ j: { attached: false } }) }), 'JUNCTION j'],
    [
      'the input of a processor',
      graph({ processors: processors({ j: { inputs: [{ relay: 'events', where: null }] } }) }),
      'JUNCTION j',
    ],
    [
      'an error target',
      withJunction(junction({ messageError: p.sendTo('failures') })),
      'JUNCTION j',
    ],
    [
      'another name of the schema that arrives at a processor',
      graph({
        schemas: [p.EVENT, { ...p.EVENT, name: 'twin' }, p.TENANT, p.FAILURE],
        processors: processors({ j: { inputSchema: 'twin' } }),
      }),
      'JUNCTION j',
    ],
    ['a sink', graph({ emitters: [p.emitter('out', 'copies', '/else')] }), 'EMITTER out'],
    [
      'an ingestor that listens at a new endpoint',
      graph({
        endpoints: [{ ...endpoint, name: 'other', path: '/other' }],
        ingestors: [p.ingestor('in', { endpoint: 'other' })],
      }),
      'INGESTOR in',
    ],
  ])('the node and what lies behind it for %s (RT-182, RT-198)', (_, next, swapped) => {
    const delta = executionDelta(graph(), next);
    expect(delta).toMatchObject({ kind: 'swap' });
    expect([...(delta.kind === 'swap' ? delta.swapped : [])]).toEqual([swapped]);
    expect(executionPause(graph(), next)).toBe('ENTITY_PAUSE');
  });

  test.each<[string, ExecutionPlan]>([
    ['a relay more', graph({ relays: [...graph().relays, p.relay('more')] })],
    ['a node less', graph({ emitters: [] })],
    [
      'the schema of a relay',
      graph({
        relays: graph().relays.map((r) => (r.name === 'copies' ? { ...r, schema: 'failure' } : r)),
      }),
    ],
    [
      'the branch of a relay',
      graph({
        relays: graph().relays.map((r) =>
          r.name === 'copies' ? { ...r, branch: 'by_tenant' } : r,
        ),
      }),
    ],
    [
      'a field of a schema that is used',
      graph({ schemas: [{ ...p.EVENT, fields: p.EVENT.fields.slice(1) }, p.TENANT, p.FAILURE] }),
    ],
    ['a codec', graph({ codecs: [{ ...p.jsonCodec(p.EVENT), strict: true }] })],
    [
      'a client',
      graph({
        clients: [{ name: 'sink', type: 'HTTP', endpoint: 'http://127.0.0.1:2', timeoutMs: 1 }],
      }),
    ],
    [
      'the relays that an emitter reads',
      graph({ emitters: [p.emitter('out', 'windows', '/out')] }),
    ],
    [
      'the fields that arrive at a node',
      graph({ processors: processors({ d: { inputSchema: 'failure' } }) }),
    ],
    ['the branching of a node', graph({ processors: processors({ d: { branch: 'by_tenant' } }) })],
    [
      'the path of an endpoint at which something listens',
      graph({ endpoints: [{ ...endpoint, path: '/else' }] }),
    ],
    ['another start', graph({ generation: 2 })],
  ])('all of it for %s (RT-32, RT-198)', (_, next) => {
    expect(executionDelta(graph(), next)).toEqual({ kind: 'rebuild' });
    expect(executionPause(graph(), next)).toBe('DOMAIN_PAUSE');
  });

  test('nothing at all for definitions that nothing runs, and for places in texts (CP-79, RT-196)', () => {
    const unused = { name: 'unused', fields: [] };
    const next = graph({
      endpoints: [{ ...endpoint, name: 'another', path: '/another' }, endpoint],
      schemas: [...graph().schemas, unused],
      processors: processors({ d: { filter: { ...condition, span: { start: 99, end: 100 } } } }),
    });
    const before = graph({ processors: processors({ d: { filter: condition } }) });
    expect(executionDelta(before, next)).toEqual({ kind: 'dynamic', revised: new Set() });
  });
});

describe('the scope of a hold', () => {
  const scopeOf = (swapped: string, plan = graph()) => {
    const { entities, ingestors, gates } = holdScope(plan, plan, new Set([swapped]));
    return [[...entities].sort(), [...ingestors], [...gates].sort()];
  };

  test('is the replaced node with everything downstream, behind its input relays (RT-201)', () => {
    expect(scopeOf('JUNCTION j')).toEqual([['EMITTER out', 'JUNCTION j'], [], ['unique']]);
    expect(scopeOf('EMITTER out')).toEqual([['EMITTER out'], [], ['copies']]);
    expect(scopeOf('DEDUPLICATOR d')).toEqual([
      ['DEDUPLICATOR d', 'EMITTER out', 'JUNCTION j', 'WINDOW_PROCESSOR w'],
      [],
      ['events'],
    ]);
  });

  test('holds a replaced ingestor itself, and gates what others publish into (RT-79, RT-201)', () => {
    const all = [
      'DEDUPLICATOR d',
      'EMITTER out',
      'INGESTOR in',
      'JUNCTION j',
      'WINDOW_PROCESSOR w',
    ];
    expect(scopeOf('INGESTOR in')).toEqual([all, ['in'], []]);
    const two = graph({ ingestors: [p.ingestor('in'), p.ingestor('other')] });
    expect(scopeOf('INGESTOR in', two)).toEqual([all, ['in'], ['events']]);
  });

  test('follows error relays, into which nodes of both sides publish (RT-201)', () => {
    const failing = graph({
      ingestors: [
        p.ingestor('in', {
          routes: [{ ...p.route('events', { messageError: p.sendTo('failures') }), branch: null }],
        }),
      ],
      processors: [deduplicator(), window(), junction({ messageError: p.sendTo('failures') })],
      emitters: [
        p.emitter('errors', 'failures', '/errors', { inputSchema: 'failure' }),
        p.emitter('out', 'copies', '/out'),
      ],
    });
    expect(scopeOf('JUNCTION j', failing)).toEqual([
      ['EMITTER errors', 'EMITTER out', 'JUNCTION j'],
      [],
      ['failures', 'unique'],
    ]);
  });
});
