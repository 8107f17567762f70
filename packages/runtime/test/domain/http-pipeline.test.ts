import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

describe('records from an HTTP endpoint to an HTTP destination', () => {
  test('a posted record passes relays, junction and emitter (CN-133, RT-60, CN-230)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('large')],
        processors: [
          p.junction('split', ['events'], [p.route('large')], {
            filter: p.binary('gt', p.input('amount'), p.int(15)),
          }),
        ],
        emitters: [
          p.emitter('out', 'large', '/out', {
            headers: [{ name: p.text('X-Tenant'), value: p.input('tenant') }],
          }),
        ],
      }),
    );
    for (const id of [1, 2, 3]) expect((await post(plane, event(id))).status).toBe(202);
    await until('two records arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/out')).toEqual([
      { id: 2, tenant: 't2', amount: 20 },
      { id: 3, tenant: 't0', amount: 30 },
    ]);
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'x-tenant': 't2', accept: '*/*', connection: 'close' },
    });
    expect(receiver.connections).toBe(2);
    const status = await plane.nodeStatus('shop');
    expect(status.state).toBe('running');
    expect(status.emitters[0]).toMatchObject({ name: 'out', status: 'OK', transientError: null });
    const received = { target_kind: 'JUNCTION', direction: 'received', relay: 'events' };
    expect(await harness.metric('nervix_messages_total', received)).toBe(3);
    const sent = { target_kind: 'JUNCTION', direction: 'sent', relay: 'large' };
    expect(await harness.metric('nervix_messages_total', sent)).toBe(2);
    const answers = { endpoint: 'intake', status: '202' };
    expect(await harness.metric('nervix_endpoint_responses_total', answers)).toBe(3);
  });

  test('a body of lines is admitted whole or not at all, naming the line', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    const lines = { type: 'application/x-ndjson; charset=utf-8' };
    const bad = await post(plane, `${event(1)}\n\n{"id":true}\n${event(2)}`, lines);
    expect(bad.status).toBe(422);
    expect(JSON.parse(bad.body)).toEqual({
      error: {
        code: 'UNDECODABLE',
        message: 'no ingestor could decode the body',
        ingestors: [{ ingestor: 'in', code: 'DECODE_FAILED', line: 3 }],
      },
    });
    expect((await post(plane, `${event(3)}\r\n \n${event(4)}\n`, lines)).status).toBe(202);
    await until('both records arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/out').map((row) => row['id'])).toEqual([3, 4]);
    expect(await harness.metric('nervix_ingestor_decode_errors_total', { action: 'skip' })).toBe(1);
  });

  test('rows of one request take several branches, in order within each (RT-15, RT-18, RT-49)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events', { branch: 'by_tenant', capacity: 4 })],
        ingestors: [p.ingestor('in', { routes: [{ ...p.route('events'), branch: p.byTenant }] })],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    const ids = Array.from({ length: 30 }, (_, id) => id);
    const body = ids.map((id) => event(id)).join('\n');
    expect((await post(plane, body, { type: 'application/x-ndjson' })).status).toBe(202);
    await until('all records arrive', () => receiver.requests.length === 30);
    for (const tenant of ['t0', 't1', 't2']) {
      const own = receiver.rows('/out').filter((row) => row['tenant'] === tenant);
      const ordered = own.map((row) => Number(row['id']));
      expect(ordered).toEqual([...ordered].sort((left, right) => left - right));
      expect(ordered).toHaveLength(10);
    }
    expect(await harness.metric('nervix_branch_instances', { branch: 'by_tenant' })).toBe(3);
    expect((await plane.nodeStatus('shop')).relays[0]).toMatchObject({ branchInstances: 3 });
  });

  test('INHERIT, SET and WHERE of several routes are independent (RT-41, RT-44, RT-45)', async () => {
    const { plane, receiver } = harness;
    const doubled = [
      ...p.inherit(p.EVENT),
      p.set('amount', p.binary('mul', p.input('amount'), p.int(2)), 4),
    ];
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('doubled')],
        ingestors: [
          p.ingestor('in', {
            routes: [
              { ...p.route('events'), branch: null },
              {
                ...p.route('doubled', {
                  construction: {
                    assignments: doubled,
                    where: p.binary('gt', p.output('amount'), p.int(30)),
                  },
                }),
                branch: null,
              },
            ],
          }),
        ],
        emitters: [p.emitter('all', 'events', '/all'), p.emitter('some', 'doubled', '/some')],
      }),
    );
    for (const id of [1, 2]) await post(plane, event(id));
    await until('three records arrive', () => receiver.requests.length === 3);
    expect(receiver.rows('/all').map((row) => row['amount'])).toEqual([10, 20]);
    expect(receiver.rows('/some').map((row) => row['amount'])).toEqual([40]);
  });
});
