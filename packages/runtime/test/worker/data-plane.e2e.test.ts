import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataPlane, type LogRecord, startDataPlane } from '../../src/index.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

// The worker runs the build of this package, which must be up to date.

let receiver: Receiver;
let plane: DataPlane;
let logs: LogRecord[];
let failures: Error[];

beforeEach(async () => {
  logs = [];
  failures = [];
  receiver = await Receiver.open();
  plane = await startDataPlane({
    http: { host: '127.0.0.1', port: 0 },
    nodeId: 'n1',
    onLog: (record) => logs.push(record),
    onFailure: (error) => failures.push(error),
  });
});

afterEach(async () => {
  await plane.close();
  await receiver.close();
});

const piped = () =>
  p.plan({
    clients: [{ name: 'sink', type: 'HTTP', endpoint: receiver.origin, timeoutMs: 2000 }],
    emitters: [p.emitter('out', 'events', '/out')],
  });

describe('data plane in a worker thread', () => {
  test('runs plans, reports figures and drains', async () => {
    await plane.install(piped());
    for (const id of [1, 2]) expect((await post(plane, event(id))).status).toBe(202);
    expect((await post(plane, 'nonsense')).status).toBe(422);
    await until('the failure is logged', () => logs.some(({ level }) => level === 'warn'));
    const status = await plane.nodeStatus('shop');
    expect(status).toMatchObject({ state: 'running', generation: 1, revision: 1 });
    const samples = await plane.metrics();
    expect(samples.find(({ name }) => name === 'nervix_endpoint_responses_total')?.labels).toEqual({
      domain: 'shop',
      endpoint: 'intake',
      status: '202',
      physical_node_id: 'n1',
    });
    expect(await plane.drain(10_000)).toEqual({ outcome: 'completed', pending: [] });
    expect(receiver.rows('/out').map((row) => row['id'])).toEqual([1, 2]);
    expect((await post(plane, event(3))).status).toBe(503);
    expect(failures).toEqual([]);
  });

  test('CP-106: what was admitted to be held crosses the thread border, and is let go', async () => {
    await plane.install(piped());
    const same = { ...piped(), revision: 2 };
    await plane.prepare(same, { level: 'DOMAIN_PAUSE', nodes: [], gates: [] });
    expect((await plane.nodeStatus('shop')).state).toBe('paused');
    await plane.install(same);
    expect(await plane.nodeStatus('shop')).toMatchObject({ state: 'running', revision: 2 });
  });

  test('errors keep their code, message and details', async () => {
    await expect(plane.install(p.plan({ codecs: [] }))).rejects.toMatchObject({
      code: 'RUNTIME_INVALID_PLAN',
      retryable: false,
      details: { domain: 'shop', problem: "codec 'event_json' is missing" },
    });
    await expect(plane.nodeStatus('nowhere')).rejects.toMatchObject({
      code: 'RUNTIME_DOMAIN_NOT_RUNNING',
      retryable: true,
    });
  });

  test('subscriptions cross the thread border under credit', async () => {
    await plane.install(piped());
    let seen = 0;
    const reader = async (next: { kind: string; rowCount?: number }) => {
      if (next.kind === 'rows') seen += next.rowCount ?? 0;
    };
    const handle = await plane.openSubscription(
      { domain: 'shop', relay: 'events', delivery: 'BLOCKING', sampleRate: null, where: null },
      reader,
    );
    const rows = Array.from({ length: 5000 }, (_, id) => event(id, { note: 'x'.repeat(1000) }));
    await post(plane, rows.join('\n'), { type: 'application/x-ndjson' });
    await until('all rows are seen', () => seen === 5000);
    await handle.close();
  });

  test('a second listener at the same address is refused', async () => {
    const { host, port } = plane.httpAddress;
    await expect(startDataPlane({ http: { host, port } })).rejects.toMatchObject({
      code: 'RUNTIME_LISTEN_FAILED',
    });
  });

  test('a worker that ends by itself is reported, and every call is rejected', async () => {
    await plane.install(piped());
    // No relay has this field, which breaks an invariant of the worker while it runs.
    const broken = p.input('id', { name: 'x', fields: [p.field('id', 'BOOL')] });
    const missing = { ...broken, field: 'absent' } as typeof broken;
    await plane.install({
      ...piped(),
      revision: 2,
      ingestors: [p.ingestor('in', { filter: missing })],
    });
    await post(plane, event(1)).catch(() => undefined);
    await until('the failure is reported', () => failures.length === 1);
    expect(failures[0]).toMatchObject({ code: 'RUNTIME_WORKER_FAILED' });
    await expect(plane.metrics()).rejects.toMatchObject({ code: 'RUNTIME_WORKER_FAILED' });
  });

  test('a closed data plane answers nothing', async () => {
    await plane.close();
    await expect(plane.metrics()).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    expect(failures).toEqual([]);
  });
});
