import type { ExecutionPlan } from '@nervix/model';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { createInProcessDataPlane, type DataPlane, type LogRecord } from '../../src/index.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { Receiver } from '../support/receiver.js';

const LEASE_MS = 1_000;

let clock: VirtualClock;
let plane: DataPlane;
let receiver: Receiver;
let logs: LogRecord[];

beforeEach(async () => {
  clock = new VirtualClock();
  receiver = await Receiver.open();
  logs = [];
  plane = await createInProcessDataPlane(
    {
      http: { host: '127.0.0.1', port: 0 },
      nodeId: 'n7',
      alterationDrainMs: LEASE_MS,
      onLog: (record) => logs.push(record),
    },
    clock,
  );
});
afterEach(async () => {
  await plane.close();
  await receiver.close();
});

const ACKNOWLEDGED = { mode: 'ack_parallel', ackWindow: { max: 9, timeoutNanos: 10n ** 15n } };

/** `plain` and `awaited` to `events`, `d` to `unique`, `out` sends those on. */
const pipeline = (revision: number, rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    revision,
    clients: [{ name: 'sink', type: 'HTTP', endpoint: receiver.origin, timeoutMs: 2_000 }],
    relays: ['events', 'unique'].map((name) => p.relay(name, { capacity: 9 })),
    endpoints: ['plain', 'awaited'].map((name) => ({
      ...{ name, vhost: 'main', hostnames: ['shop.test'], path: `/${name}`, type: 'HTTP' as const },
    })),
    ingestors: [
      p.ingestor('plain', { endpoint: 'plain' }),
      p.ingestor('awaited', { endpoint: 'awaited', ...ACKNOWLEDGED } as object),
    ],
    processors: [p.junction('d', ['events'], [p.route('unique')])],
    emitters: [p.emitter('out', 'unique', '/out')],
    ...rest,
  });

const elsewhere = (revision: number) =>
  pipeline(revision, { emitters: [p.emitter('out', 'unique', '/else')] });

/** Lets time pass until something holds; sockets take real time meanwhile. */
async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (await holds()) return;
    await tick(1);
  }
  throw new Error(`never: ${what}`);
}

async function tick(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    clock.advance(1);
    for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  }
}

/** Lets time pass while something is under way. */
async function during<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  await until('the work is over', () => isOver);
  return work;
}

const idsAt = (path: string) => receiver.rows(path).map((row) => row['id']);
const fenced = async () => {
  const { relays } = await plane.nodeStatus('shop');
  return relays.find(({ name }) => name === 'unique')?.waiting;
};
const send = (id: number, path = '/plain') => during(post(plane, event(id), { path }));
const discarded = async () => {
  const samples = await plane.metrics();
  const found = samples.find(({ name, labels }) => {
    return name === 'nervix_messages_discarded_total' && labels['reason'] === 'lapsed';
  });
  return found === undefined || found.kind === 'histogram' ? 0 : found.value;
};

describe('a hold of part of a graph', () => {
  test('ends by itself when its lease is over, and what waited goes on (CP-105, RT-202)', async () => {
    await plane.install(pipeline(1));
    await during(plane.prepare(elsewhere(2)));
    expect((await send(1)).status).toBe(202);
    await until('the record waits at the gate', async () => (await fenced()) === 1);
    await tick(LEASE_MS - 100);
    expect(idsAt('/out')).toEqual([]);
    await until('it goes on', () => idsAt('/out').includes(1));
    expect(logs.map(({ message }) => message)).toEqual([
      "the hold for a change of domain 'shop' lapsed before the change came",
    ]);
    await plane.release('shop');
    await during(plane.prepare(elsewhere(3)));
    await during(plane.install(elsewhere(3)));
    await send(2);
    await until('the next one goes elsewhere', () => idsAt('/else').includes(2));
    expect(await discarded()).toBe(0);
  });

  test('is not held any longer for being asked for again (RT-202)', async () => {
    await plane.install(pipeline(1));
    await during(plane.prepare(elsewhere(2)));
    await tick(LEASE_MS / 2);
    await during(plane.prepare(elsewhere(2)));
    expect((await send(1)).status).toBe(202);
    await until('the record waits at the gate', async () => (await fenced()) === 1);
    await tick(LEASE_MS / 2);
    await until('it goes on', () => idsAt('/out').includes(1));
  });

  test('of the whole domain stands until its owner ends it (CP-105)', async () => {
    await plane.install(pipeline(1));
    const whole = { level: 'DOMAIN_PAUSE', nodes: [], gates: [] } as const;
    await during(plane.prepare(elsewhere(2), whole));
    await tick(2 * LEASE_MS);
    expect((await plane.nodeStatus('shop')).state).toBe('paused');
    await plane.release('shop');
    expect((await plane.nodeStatus('shop')).state).toBe('running');
  });

  test('that has lapsed is not drained again: what the old node has is refused (CP-106)', async () => {
    receiver.answer = ({ path }) => (path === '/out' ? 500 : 204);
    await plane.install(pipeline(1));
    await during(plane.prepare(elsewhere(2)));
    await tick(LEASE_MS);
    const awaited = post(plane, event(1), { path: '/awaited' });
    expect((await send(2)).status).toBe(202);
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    for (const id of [3, 4]) await send(id);
    await until('the others wait behind', async () => {
      return (await plane.nodeStatus('shop')).relays.some(({ buffered }) => buffered > 0);
    });
    await plane.install(elsewhere(2));
    expect(await plane.nodeStatus('shop')).toMatchObject({ state: 'running', revision: 2 });
    expect((await during(awaited)).status).toBe(503);
    expect(await discarded()).toBe(4);
    expect((await during(post(plane, event(5), { path: '/awaited' }))).status).toBe(200);
    expect(idsAt('/else')).toEqual([5]);
  });
});

describe('a drain that times out', () => {
  test('says how much is left of what is to be replaced, and where (CP-105, RT-206)', async () => {
    receiver.answer = () => 500;
    await plane.install(pipeline(1));
    for (const id of [1, 2]) await send(id);
    const awaited = post(plane, event(3), { path: '/awaited' });
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    await expect(during(plane.prepare(elsewhere(2)))).rejects.toMatchObject({
      code: 'RUNTIME_DRAIN_TIMEOUT',
      message: expect.stringMatching(
        new RegExp(
          "^timed out draining domain 'shop' for emitter 'out': pending_node=n7, relay_buffers=\\d, " +
            "node_work_items=\\d, outstanding_acks=0 \\(emitter 'out'.*\\)$",
          'u',
        ),
      ),
    });
    const all = pipeline(2, { relays: [...pipeline(1).relays, p.relay('more')] });
    const failure = await during(plane.prepare(all)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        /^timed out draining domain 'shop': pending_node=n7, active_ingestors=0, outstanding_acks=1, /u,
      ),
    });
    const { details } = failure as { details: Record<string, number> };
    const { relayBuffers = 0, nodeWorkItems = 0, emitterRows } = details;
    expect(emitterRows).toBe(nodeWorkItems);
    expect(relayBuffers + nodeWorkItems).toBe(3);
    receiver.answer = () => 204;
    expect((await during(awaited)).status).toBe(200);
  });

  test('counts the open outcomes of an ingestor that is to be replaced (CP-105, RT-79)', async () => {
    receiver.answer = () => 500;
    await plane.install(pipeline(1));
    const awaited = post(plane, event(3), { path: '/awaited' });
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    const [plain, other] = pipeline(1).ingestors;
    const filter = p.binary('gt', p.input('id'), p.int(1));
    const next = pipeline(2, { ingestors: [plain!, { ...other!, filter }] });
    await expect(during(plane.prepare(next))).rejects.toMatchObject({
      message: expect.stringMatching(
        /^timed out draining domain 'shop' for ingestor 'awaited': .* outstanding_acks=1 \(ingestor 'awaited', /u,
      ),
    });
    receiver.answer = () => 204;
    expect((await during(awaited)).status).toBe(200);
  });
});
