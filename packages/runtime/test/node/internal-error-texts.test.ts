import type { ExecutionPlan, TypedAggregate, TypedExpression } from '@nervix/model';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WindowAggregates } from '../../src/aggregate/window-aggregates.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Reservations } from '../../src/node/reservations.js';
import { IDS, relayBatch } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { event } from '../support/post.js';

/** An expression that throws, for no random bytes are to be had. */
const THROWING: TypedExpression = {
  kind: 'call',
  function: 'uuid_v4',
  overload: 'uuid_v4',
  arguments: [],
  type: 'STRING',
  optional: false,
  sensitive: false,
};
const CONDITION = p.binary('eq', THROWING, p.text('none'));
const id = p.input('id', IDS);
const COUNTS = { name: 'counts', fields: [p.field('count', 'I64')] };
const counted: TypedAggregate = {
  function: 'COUNT',
  arguments: [id],
  constants: [],
  type: 'I64',
  optional: false,
  sensitive: false,
};
const inherited = { assignments: p.inherit(IDS), where: null };
const throwing = { ...inherited, where: CONDITION };

type Processor = ExecutionPlan['processors'][number];
const clauses = {
  attached: true,
  inputs: [{ relay: 'events', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'ids',
  branch: null,
};
const deduplicator = (parts: object = {}) =>
  ({
    ...clauses,
    kind: 'deduplicator',
    name: 'd',
    keys: [id],
    maxTimeNanos: 1_000_000_000n,
    routes: [p.route('unique', { construction: inherited })],
    ...parts,
  }) as Processor;
const window = (route: object = {}, parts: object = {}) =>
  ({
    ...clauses,
    kind: 'window_processor',
    name: 'w',
    width: { messages: 1, durationNanos: null },
    step: { messages: 1, durationNanos: null },
    maxStateBytes: null,
    routes: [
      {
        relay: 'counts',
        aggregates: [counted],
        construction: {
          assignments: [
            p.set(
              'count',
              { kind: 'aggregate', index: 0, type: 'I64', optional: false, sensitive: false },
              0,
            ),
          ],
          where: null,
        },
        messageError: { kind: 'ignore' },
        ...route,
      },
    ],
    ...parts,
  }) as Processor;

const planOf = (processor: Processor) =>
  p.plan({
    schemas: [IDS, COUNTS, p.TENANT, p.EVENT],
    relays: [
      p.relay('events', { schema: 'ids' }),
      p.relay('unique', { schema: 'ids' }),
      p.relay('counts', { schema: 'counts' }),
    ],
    ingestors: [],
    processors: [processor],
  });
const fault = () => {
  throw new RangeError('secret 4711');
};
const graphOf = (plan: ExecutionPlan) => virtualGraph(plan, new VirtualClock(), fault);

/** Lets a method fail for the rest of a test. */
function breaks(method: { mockImplementation(broken: () => never): { mockRestore(): void } }) {
  const spy = method.mockImplementation(fault);
  onTestFinished(() => {
    spy.mockRestore();
  });
}

const where = [{ relay: 'events', where: CONDITION }];
const PROGRAMS: readonly (readonly [Processor, string])[] = [
  [deduplicator({ inputs: where }), 'failed to evaluate FROM WHERE'],
  [deduplicator({ filter: CONDITION }), 'failed to evaluate FILTER WHERE'],
  [deduplicator({ keys: [THROWING] }), 'failed to evaluate DEDUPLICATE ON expressions'],
  [
    deduplicator({ routes: [p.route('unique', { construction: throwing })] }),
    'failed to evaluate FILTER-MAP',
  ],
  [window({}, { inputs: where }), 'failed to evaluate FROM WHERE'],
  [window({ aggregates: [{ ...counted, arguments: [THROWING] }] }), 'aggregate input failed'],
  [
    window({ construction: { assignments: [p.set('count', p.int(1), 0)], where: CONDITION } }),
    'failed to evaluate FILTER-MAP',
  ],
];
const labelOf = ({ kind, name }: Processor) => `${kind.replace('_', ' ')} '${name}'`;

/** What a processor says of a fault at a step, and no value with it. */
async function expectTold(processor: Processor, failure: string): Promise<void> {
  const { publish, advance, messages } = graphOf(planOf(processor));
  await publish('events', relayBatch([7, 8]));
  await advance(1000);
  const label = labelOf(processor);
  expect(messages).toEqual([
    `${label} internal error in domain 'shop': ${label} ${failure}: RangeError`,
  ]);
}

describe('TX-51, RT-173: internal errors tell the step that failed, and no value', () => {
  test.each(PROGRAMS)('a program of $kind: %s', async (processor, failure) => {
    await expectTold(processor, failure);
  });

  test('the history of a deduplicator', async () => {
    breaks(vi.spyOn(Reservations.prototype, 'arrive'));
    await expectTold(deduplicator(), 'failed to update state');
  });

  test('the rows that a deduplicator sends on', async () => {
    breaks(vi.spyOn(RecordBatch.prototype, 'take'));
    await expectTold(deduplicator(), 'failed to build route input batch');
  });

  test('the rows that a route gathered', async () => {
    const flush = { kind: 'each', intervalNanos: 100_000_000n, maxBatchBytes: 1_000_000n } as const;
    const routes = [p.route('unique', { construction: inherited, flush })];
    const { publish, advance, messages } = graphOf(planOf(deduplicator({ routes })));
    await publish('events', relayBatch([1]));
    await publish('events', relayBatch([2]));
    breaks(vi.spyOn(RecordBatch, 'concat'));
    await advance(100);
    expect(messages).toEqual([
      "deduplicator 'd' internal error in domain 'shop': " +
        "deduplicator 'd' failed to concatenate output route batch: RangeError",
    ]);
  });

  test('the rows that a window emits at once', async () => {
    breaks(vi.spyOn(RecordBatch, 'concat'));
    await expectTold(window(), 'failed to concatenate output route batch');
  });

  test('the aggregates of a window', async () => {
    breaks(vi.spyOn(WindowAggregates.prototype, 'admit'));
    await expectTold(window(), 'aggregate state failed');
  });

  test('the aggregates of a window whose time has come', async () => {
    const { publish, advance, messages } = graphOf(
      planOf(window({}, { width: { messages: null, durationNanos: 5_000_000n } })),
    );
    await publish('events', relayBatch([7]));
    breaks(vi.spyOn(WindowAggregates.prototype, 'results'));
    await advance(100);
    expect(messages).toEqual([
      "window processor 'w' internal error in domain 'shop': " +
        "window processor 'w' aggregate state failed: RangeError",
    ]);
  });

  test('the key that rows of an ingestor are branched by', async () => {
    const [assignment] = p.byTenant?.assignments ?? [];
    if (assignment === undefined) throw new Error('the sample sets no key');
    const branch = { branch: 'by_tenant', assignments: [{ ...assignment, value: THROWING }] };
    const { offer, advance, messages } = graphOf(
      p.plan({
        relays: [p.relay('events', { branch: 'by_tenant' })],
        ingestors: [p.ingestor('in', { routes: [{ ...p.route('events'), branch }] })],
      }),
    );
    offer(event(1));
    await advance(100);
    expect(messages).toEqual([
      "ingestor 'in' internal error in domain 'shop': " +
        "ingestor 'in' failed to evaluate output branch assignments: RangeError",
    ]);
  });
});
