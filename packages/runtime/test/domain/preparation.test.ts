import { describe, expect, test } from 'vitest';
import { createInProcessDataPlane } from '../../src/index.js';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';

const harness = useHarness({ alterationDrainMs: 200 });

/** A pipeline whose emitter can reach nobody, so that it never drains. */
const stuck = () =>
  p.plan({
    clients: [{ name: 'sink', type: 'HTTP', endpoint: 'http://127.0.0.1:9', timeoutMs: 100 }],
    relays: [p.relay('events')],
    ingestors: [p.ingestor('in')],
    emitters: [p.emitter('out', 'events', '/out')],
  });

const flowing = (revision: number, rest: object = {}) =>
  p.plan({ revision, relays: [p.relay('events')], ingestors: [p.ingestor('in')], ...rest });

describe('RT-206: making room for a plan', () => {
  test('a plan of the same graph takes over without a pause, even when nothing drains', async () => {
    const { plane } = harness;
    const before = stuck();
    await plane.install(before);
    expect((await post(plane, event(1))).status).toBe(202);
    const unused = { name: 'unused', fields: [p.field('a', 'STRING')] };
    const after = {
      ...before,
      revision: before.revision + 1,
      schemas: [...before.schemas, unused],
    };
    await plane.prepare(after);
    await plane.install(after);
    expect((await plane.nodeStatus(before.domain)).revision).toBe(after.revision);
    expect((await post(plane, event(2))).status).toBe(202);
  });

  test('a drain that times out refuses the plan and the graph goes on', async () => {
    const { plane } = harness;
    const before = stuck();
    await plane.install(before);
    expect((await post(plane, event(1))).status).toBe(202);
    const after = { ...before, revision: 2, relays: [...before.relays, p.relay('more')] };
    await expect(plane.prepare(after)).rejects.toMatchObject({ code: 'RUNTIME_DRAIN_TIMEOUT' });
    expect(await plane.nodeStatus(before.domain)).toMatchObject({ state: 'running', revision: 1 });
    expect((await post(plane, event(2))).status).toBe(202);
  });

  test('what is prepared is held until it is installed or released', async () => {
    const { plane } = harness;
    await plane.install(flowing(1));
    const after = flowing(2, { relays: [p.relay('events'), p.relay('more')] });
    await plane.prepare(after);
    expect((await post(plane, event(1))).status).toBe(503);
    await plane.release(after.domain);
    expect((await post(plane, event(2))).status).toBe(202);
    await plane.prepare(after);
    await plane.install(after);
    expect((await post(plane, event(3))).status).toBe(202);
  });

  test('an address of another domain is refused before anything is held', async () => {
    const { plane } = harness;
    await plane.install(flowing(1));
    const other = flowing(1, { domain: 'other' });
    await expect(plane.prepare(other)).rejects.toMatchObject({ code: 'RUNTIME_ROUTE_CONFLICT' });
    expect((await post(plane, event(1))).status).toBe(202);
  });
});

describe('RT-78: the end of a data plane', () => {
  test('nothing is installed once the drain has begun', async () => {
    const { plane } = harness;
    await plane.install(flowing(1));
    const drained = plane.drain(1_000);
    await expect(plane.install(flowing(2))).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    await expect(plane.prepare(flowing(2))).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    expect((await drained).outcome).toBe('completed');
    expect((await post(plane, event(1))).status).toBe(503);
  });
});

test('CN-133: a deferred listener is not there before it knows its endpoints', async () => {
  const plane = await createInProcessDataPlane({
    http: { host: '127.0.0.1', port: 0 },
    isListeningDeferred: true,
  });
  try {
    expect(plane.httpAddress.port).toBe(0);
    await plane.install(flowing(1));
    await plane.listen();
    expect((await post(plane, event(1))).status).toBe(202);
  } finally {
    await plane.close();
  }
});
