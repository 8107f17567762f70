import type { ExecutionPlan, SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();
const SECOND = 1_000_000_000n;

const TOTALS: SchemaPlan = {
  name: 'totals',
  fields: [p.field('count', 'I64', { optional: true })],
};
const WIDER_EVENT: SchemaPlan = {
  ...p.EVENT,
  fields: [...p.EVENT.fields, p.field('size', 'I64', { optional: true })],
};
const OPTIONAL_TENANT: SchemaPlan = {
  ...p.TENANT,
  fields: [p.field('tenant', 'STRING', { optional: true })],
};

const stateful = (relay: string) => ({
  attached: false,
  inputs: [{ relay, where: null }],
  collect: null,
  filter: null,
  inputSchema: 'event',
  branch: 'by_tenant',
});
const deduplicator: ExecutionPlan['processors'][number] = {
  ...stateful('events'),
  kind: 'deduplicator',
  name: 'd',
  keys: [p.input('id')],
  maxTimeNanos: 60n * SECOND,
  routes: [p.route('unique')],
};
/** Counts records by two. */
const window: ExecutionPlan['processors'][number] = {
  ...stateful('events'),
  kind: 'window_processor',
  name: 'w',
  width: { messages: 2, durationNanos: null },
  step: { messages: 2, durationNanos: null },
  maxStateBytes: null,
  routes: [
    {
      relay: 'counts',
      aggregates: [
        {
          function: 'COUNT',
          arguments: [p.input('id')],
          constants: [],
          type: 'I64',
          optional: false,
          sensitive: false,
        },
      ],
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
      messageError: { kind: 'log' },
    },
  ],
};

/** Records of one tenant, deduplicated to `/unique` and counted by two. */
const start = (generation: number, input: SchemaPlan, key: SchemaPlan): ExecutionPlan =>
  p.plan({
    revision: generation,
    generation,
    clients: harness.clients(),
    schemas: [input, key, TOTALS, p.FAILURE],
    codecs: [p.jsonCodec(input)],
    branches: [{ name: 'by_tenant', schema: key.name, ttlNanos: 60n * SECOND, maxInstances: null }],
    relays: [
      p.relay('events', { branch: 'by_tenant' }),
      p.relay('unique', { branch: 'by_tenant' }),
      p.relay('counts', { schema: 'totals', branch: 'by_tenant' }),
    ],
    ingestors: [
      p.ingestor('in', {
        routes: [
          {
            ...p.route('events', {
              construction: { assignments: p.inherit(input), where: null },
            }),
            branch: p.byTenant,
          },
        ],
      }),
    ],
    processors: [deduplicator, window],
    emitters: [p.emitter('out', 'unique', '/unique')],
  });

describe('state that a stop leaves to the next start', () => {
  const received = (target: string) =>
    harness.metric('nervix_messages_total', { target, direction: 'received' });
  const renamed: SchemaPlan = { ...p.TENANT, name: 'tenant_key_2' };

  test.each<[string, SchemaPlan, SchemaPlan, number, readonly number[]]>([
    ['goes on under the same definitions', p.EVENT, p.TENANT, 1, [1]],
    ['goes on under the same fields of a key', p.EVENT, renamed, 1, [1]],
    ['is left behind by other fields of the key', p.EVENT, OPTIONAL_TENANT, 0, [1, 1]],
    ['is left behind by other fields of the input', WIDER_EVENT, p.TENANT, 0, [1, 1]],
  ])('%s (RT-196, RT-205)', async (_, input, key, windows, ids) => {
    const { plane, receiver } = harness;
    const record = (id: number) => event(id, { tenant: 't' });
    const unique = () => receiver.rows('/unique').map((row) => row['id']);
    await plane.install(start(1, p.EVENT, p.TENANT));
    await post(plane, record(1));
    await until('both nodes have the record', async () => {
      const { emitters } = await plane.nodeStatus('shop');
      const isDelivered = unique().length === 1 && emitters[0]?.bufferedRows === 0;
      return isDelivered && (await received('w')) === 1;
    });
    await plane.stopDomain('shop');
    await plane.install(start(2, input, key));
    await post(plane, record(1));
    await until('the window has the record', async () => (await received('w')) === 2);
    const filled = await received('counts');
    await post(plane, record(2));
    await until('the last record arrives', () => unique().includes(2));
    expect({ filled, unique: unique() }).toEqual({ filled: windows, unique: [...ids, 2] });
  });
});
