import type { ExecutionPlan, IngestorPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { randomPool } from '../../src/node/random-pool.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { event } from '../support/post.js';

const uuid: TypedExpression = {
  kind: 'call',
  function: 'uuid_v4',
  overload: 'uuid_v4',
  arguments: [],
  type: 'STRING',
  optional: false,
  sensitive: false,
};

/** An ingestor in ACK mode whose program reads random bytes. */
function plan(ingestor: Partial<IngestorPlan> = {}): ExecutionPlan {
  const construction = {
    assignments: [...p.inherit(p.EVENT), p.set('note', uuid, 4)],
    where: null,
  };
  return p.plan({
    ingestors: [
      p.ingestor('in', {
        mode: 'ack_parallel',
        ackWindow: { max: 4096, timeoutNanos: 3_600_000_000_000n },
        routes: [{ ...p.route('events', { construction }), branch: null }],
        ...ingestor,
      }),
    ],
  });
}

const group = (first: number): string =>
  Array.from({ length: 1024 }, (_, index) => event(first + index)).join('\n');

/** A graph whose programs throw what `fault` holds. */
function faulty(from: ExecutionPlan = plan()) {
  const random = randomPool();
  const state: { fault: Error | null } = { fault: null };
  const graph = virtualGraph(from, new VirtualClock(), (count) => {
    if (state.fault !== null) throw state.fault;
    return random(count);
  });
  const internalErrors = () =>
    graph.store
      .samples()
      .flatMap((sample) =>
        sample.name === 'nervix_internal_errors_total' && sample.kind !== 'histogram'
          ? [sample.value]
          : [],
      )
      .reduce((total, value) => total + value, 0);
  return { ...graph, state, internalErrors };
}

describe('a program that throws', () => {
  test.each(['idle timer', 'full group', 'room again'])(
    'costs the rows at hand and nothing else: %s',
    async (path) => {
      const { graph, state, probe, offer, advance, settle, messages, internalErrors } = faulty();
      const events = probe('events');
      const relay = graph.relays.find('events').relay;
      if (path === 'room again') {
        events.isOpen = false;
        for (const first of [0, 2000]) {
          offer(group(first));
          await advance(1);
        }
        offer(group(4000));
        await advance(10);
      }
      const secret = new RangeError('secret value 4711');
      state.fault = secret;
      const struck =
        path === 'idle timer' ? [offer(event(1)), offer(event(2))] : [offer(group(6000))];
      events.isOpen = true;
      relay.pump();
      await advance(10);
      expect(struck.map(({ outcome }) => outcome)).toEqual(struck.map(() => ({ kind: 'failed' })));
      expect(internalErrors()).toBeGreaterThan(0);
      expect(messages.filter((message) => message.includes('internal error'))[0]).toBe(
        "ingestor 'in' internal error in domain 'shop': " +
          "ingestor 'in' failed to evaluate FILTER-MAP: RangeError",
      );
      expect(messages.join()).not.toContain('4711');
      state.fault = null;
      const before = events.rows().length;
      const later = offer(event(9));
      await advance(10);
      await settle();
      expect(events.rows()).toHaveLength(before + 1);
      events.batches.at(-1)!.acks.ack();
      expect(later.outcome).toEqual({ kind: 'acknowledged' });
      expect(graph.ingestors[0]!.isIdle).toBe(true);
      expect(graph.ingestors[0]!.figures.waitingRequests).toBeLessThan(4);
    },
  );
});

describe('bodies that a hold kept', () => {
  const MIB = 1024 * 1024;
  const noAck = { mode: 'no_ack_sequential', ackWindow: null } as const;
  const buffer = (mib: number) => ({
    quiesce: { kind: 'buffer' as const, maxBytes: BigInt(mib * MIB) },
  });
  const note = 'n'.repeat(256 * 1024);
  const rejecting = { quiesce: { kind: 'reject', retryAfterNanos: 1_000_000_000n } } as const;

  test.each([
    ['in the ingestor that held them', null],
    ['in its successor', buffer(64)],
    ['in a successor with less room', buffer(1)],
    ['in a successor that rejects', rejecting],
  ])(
    'all go in, in order and before later ones, whatever room there is: %s (RT-73, RT-76)',
    async (_, successor) => {
      const before = virtualGraph(plan({ ...noAck, ...buffer(64) }));
      const [ingestor] = before.graph.ingestors;
      ingestor!.hold();
      const count = 128;
      const answers = Array.from({ length: count }, (_each, id) =>
        before.offer(event(id, { note })),
      );
      expect(answers.every(({ outcome }) => outcome?.kind === 'buffered')).toBe(true);
      expect(ingestor!.figures.bufferedRecords).toBe(count);
      const after =
        successor === null ? before : virtualGraph(plan({ ...noAck, ...successor }), before.clock);
      const [resumed] = after.graph.ingestors;
      const events = after.probe('events');
      const relay = after.graph.relays.find('events').relay;
      events.isOpen = false;
      resumed!.start(successor === null ? [] : ingestor!.takeHeld());
      for (let turn = 0; turn < 40; turn += 1) await after.advance(5);
      const late = after.offer(event(count));
      expect(events.batches).toEqual([]);
      expect(resumed!.figures.bufferedRecords).toBeGreaterThan(0);
      expect(late.outcome).toBeUndefined();
      events.isOpen = true;
      relay.pump();
      for (let turn = 0; turn < 40; turn += 1) await after.advance(5);
      const ids = Array.from({ length: count + 1 }, (_each, id) => BigInt(id));
      expect(events.rows().map((row) => row['id'])).toEqual(ids);
      expect(late.outcome).toEqual({ kind: 'decoded' });
      expect(resumed!.figures).toMatchObject({ bufferedRecords: 0, bufferedBytes: 0, dropped: 0 });
      expect(resumed!.isIdle).toBe(true);
    },
  );

  test('stay before those of the next hold, and what waits behind them is held with them', async () => {
    const { graph, probe, offer, advance } = virtualGraph(plan({ ...noAck, ...buffer(64) }));
    const [ingestor] = graph.ingestors;
    const events = probe('events');
    const { relay } = graph.relays.find('events');
    events.isOpen = false;
    ingestor!.hold();
    for (let id = 0; id < 128; id += 1) offer(event(id, { note }));
    ingestor!.start();
    for (let turn = 0; turn < 40; turn += 1) await advance(5);
    const waiting = offer(event(128));
    expect(waiting.outcome).toBeUndefined();
    ingestor!.hold();
    expect(waiting.outcome).toEqual({ kind: 'buffered' });
    offer(event(129));
    events.isOpen = true;
    relay.pump();
    for (let turn = 0; turn < 40; turn += 1) await advance(5);
    expect(ingestor!.isIdle).toBe(true);
    expect(events.rows().length).toBeLessThan(128);
    ingestor!.start();
    for (let turn = 0; turn < 40; turn += 1) await advance(5);
    expect(events.rows().map((row) => Number(row['id']))).toEqual(
      Array.from({ length: 130 }, (_each, id) => id),
    );
  });

  test('are counted when a stop discards them (RT-77)', async () => {
    const { graph, offer } = virtualGraph(plan({ ...noAck, ...buffer(1) }));
    const [ingestor] = graph.ingestors;
    ingestor!.hold();
    offer(event(1));
    offer(event(2));
    ingestor!.close('stopped');
    expect(ingestor!.figures).toMatchObject({ dropped: 2, bufferedRecords: 0 });
  });
});

describe('slots of ACK mode', () => {
  const window = (max: number, timeoutMs: number): Partial<IngestorPlan> => ({
    ackWindow: { max, timeoutNanos: BigInt(timeoutMs) * 1_000_000n },
    quiesce: { kind: 'buffer', maxBytes: 1000n },
  });

  test('run from admission while a hold keeps the body (CN-378, CN-379)', async () => {
    const { graph, offer, advance } = virtualGraph(plan(window(1, 200)));
    const [ingestor] = graph.ingestors;
    ingestor!.hold();
    const held = offer(event(1));
    expect(offer(event(2)).outcome).toEqual({ kind: 'busy' });
    expect(ingestor!.figures).toMatchObject({ waitingRequests: 1, bufferedRecords: 1 });
    await advance(199);
    expect(held.outcome).toBeUndefined();
    await advance(1);
    expect(held.outcome).toEqual({ kind: 'unknown' });
    expect(ingestor!.figures).toMatchObject({
      waitingRequests: 0,
      bufferedRecords: 0,
      bufferedBytes: 0,
    });
  });

  test('go on with the time that is left in a successor, with or without a window', async () => {
    for (const rest of [window(1, 5000), { mode: 'no_ack_sequential', ackWindow: null } as const]) {
      const before = virtualGraph(plan(window(2, 200)));
      before.graph.ingestors[0]!.hold();
      const bodies = [before.offer(event(1)), before.offer(event(2))];
      await before.advance(150);
      const after = virtualGraph(plan(rest), before.clock);
      const events = after.probe('events');
      after.graph.ingestors[0]!.start(before.graph.ingestors[0]!.takeHeld());
      expect(before.graph.ingestors[0]!.figures.waitingRequests).toBe(0);
      await after.advance(49);
      expect(events.rows()).toHaveLength(2);
      const waits = rest.ackWindow !== null;
      const early = waits ? undefined : { kind: 'decoded' };
      for (const { outcome } of bodies) expect(outcome).toEqual(early);
      await after.advance(1);
      for (const { outcome } of bodies) expect(outcome).toEqual(early ?? { kind: 'unknown' });
      expect(after.graph.ingestors[0]!.figures.waitingRequests).toBe(0);
    }
  });

  test('run while a body waits for room, and a late one is not taken in', async () => {
    const { graph, probe, offer, advance } = virtualGraph(plan(window(8, 300)));
    const events = probe('events');
    const { relay } = graph.relays.find('events');
    events.isOpen = false;
    const offered: ReturnType<typeof offer>[] = [];
    for (let index = 0; index < 8; index += 1) {
      offered.push(offer(group(index * 1024)));
      await advance(1);
    }
    expect(offer(event(1)).outcome).toEqual({ kind: 'busy' });
    expect(graph.ingestors[0]!.figures.waitingRequests).toBe(8);
    await advance(300);
    for (const { outcome } of offered) expect(outcome).toEqual({ kind: 'unknown' });
    const admitted = events.rows().length;
    events.isOpen = true;
    relay.pump();
    for (let turn = 0; turn < 10; turn += 1) await advance(5);
    expect(events.rows().length - admitted).toBeLessThan(8 * 1024);
    expect(graph.ingestors[0]!.isIdle).toBe(true);
  });

  test('are not taken by bodies that were answered before the window came', async () => {
    const before = virtualGraph(
      plan({ ...window(1, 200), mode: 'no_ack_sequential', ackWindow: null }),
    );
    before.graph.ingestors[0]!.hold();
    expect(before.offer(event(1)).outcome).toEqual({ kind: 'buffered' });
    const after = virtualGraph(plan(window(1, 200)), before.clock);
    const events = after.probe('events');
    after.graph.ingestors[0]!.start(before.graph.ingestors[0]!.takeHeld());
    const own = after.offer(event(2));
    await after.advance(10);
    expect(events.rows()).toHaveLength(2);
    events.batches[0]!.acks.nackRow(0, 'failed');
    expect(own.outcome).toBeUndefined();
    events.batches[0]!.acks.ackRow(1);
    expect(own.outcome).toEqual({ kind: 'acknowledged' });
  });
});
