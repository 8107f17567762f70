import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { RuntimeLog } from '../../src/log.js';
import { combineOutcomes } from '../../src/node/endpoint-intake.js';
import { allocatedBytes, MemoryPressure } from '../../src/pressure/memory-pressure.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { event } from '../support/post.js';

function setUp() {
  const clock = new VirtualClock();
  const state = { bytes: 0, random: 0.5 };
  const messages: string[] = [];
  const log = new RuntimeLog(
    ({ message }) => messages.push(message),
    'info',
    () => clock.monotonicMs(),
  );
  const pressure = new MemoryPressure({
    limits: { highBytes: 100, lowBytes: 50 },
    clock,
    log,
    sample: () => state.bytes,
    random: () => state.random,
  });
  return { clock, state, messages, pressure };
}

/** An ingestor that only remembers whether it is held. */
class Stub {
  isHeld = false;

  hold(): void {
    this.isHeld = true;
  }

  resume(): void {
    this.isHeld = false;
  }
}

describe('memory pressure', () => {
  test('holds all ingestors from the high mark on, and resumes them one by one (RT-81)', () => {
    const { clock, state, messages, pressure } = setUp();
    const stubs = [new Stub(), new Stub(), new Stub()];
    const held = () => stubs.map(({ isHeld }) => isHeld);
    pressure.apply('a', stubs.slice(0, 2));
    pressure.apply('b', stubs.slice(2));
    state.bytes = 99;
    clock.advance(500);
    expect(held()).toEqual([false, false, false]);
    state.bytes = 100;
    clock.advance(499);
    expect(held()).toEqual([false, false, false]);
    clock.advance(1);
    expect(held()).toEqual([true, true, true]);
    state.bytes = 51;
    clock.advance(5000);
    expect(held()).toEqual([true, true, true]);
    state.bytes = 50;
    clock.advance(999);
    expect(held()).toEqual([true, true, true]);
    clock.advance(1);
    expect(held()).toEqual([false, true, true]);
    clock.advance(500);
    expect(held()).toEqual([false, false, true]);
    expect(pressure.isActive).toBe(true);
    clock.advance(500);
    expect(held()).toEqual([false, false, false]);
    expect(pressure.isActive).toBe(false);
    expect(messages).toEqual([
      'memory is short: intake is held',
      'memory is free again: intake goes on',
    ]);
  });

  test('a look before each resumption stops or reverts it (RT-81)', () => {
    const { clock, state, pressure } = setUp();
    const stubs = [new Stub(), new Stub()];
    const held = () => stubs.map(({ isHeld }) => isHeld);
    pressure.apply('a', stubs);
    state.bytes = 200;
    clock.advance(500);
    state.bytes = 10;
    clock.advance(1000);
    expect(held()).toEqual([false, true]);
    state.bytes = 70;
    clock.advance(5000);
    expect(held()).toEqual([false, true]);
    state.bytes = 100;
    clock.advance(500);
    expect(held()).toEqual([true, true]);
    state.random = 0;
    state.bytes = 50;
    clock.advance(500);
    expect(held()).toEqual([false, false]);
  });

  test('ingestors that come while memory is short are held, those that went are forgotten', () => {
    const { clock, state, pressure } = setUp();
    const [old, next, other] = [new Stub(), new Stub(), new Stub()];
    pressure.apply('a', [old]);
    state.bytes = 100;
    clock.advance(500);
    pressure.apply('a', [next]);
    pressure.apply('b', [other]);
    expect([next.isHeld, other.isHeld]).toEqual([true, true]);
    pressure.apply('b', []);
    state.bytes = 0;
    clock.advance(2000);
    expect([old.isHeld, next.isHeld, other.isHeld]).toEqual([true, false, true]);
    expect(pressure.isActive).toBe(false);
    pressure.close();
    state.bytes = 100;
    clock.advance(5000);
    expect(next.isHeld).toBe(false);
  });

  test('marks that contradict each other are refused', () => {
    const { clock } = setUp();
    const log = new RuntimeLog(
      () => undefined,
      'info',
      () => 0,
    );
    const make = (limits: { highBytes: number; lowBytes: number; intervalMs?: number }) => () =>
      new MemoryPressure({ limits, clock, log, sample: allocatedBytes, random: Math.random });
    expect(make({ highBytes: 1, lowBytes: 1 })).toThrow('low watermark');
    expect(make({ highBytes: 2, lowBytes: 1, intervalMs: 0 })).toThrow('again and again');
    expect(allocatedBytes()).toBeGreaterThan(1_000_000);
  });
});

describe('an ingestor that is held for want of memory', () => {
  const buffer = { quiesce: { kind: 'buffer', maxBytes: 1000n } } as const;

  test('rejects whatever its mode, and keeps what another hold kept before (RT-82)', async () => {
    const { graph, probe, offer, advance } = virtualGraph(
      p.plan({ ingestors: [p.ingestor('in', buffer), p.ingestor('hinted')] }),
    );
    const [ingestor, hinted] = graph.ingestors;
    const events = probe('events');
    ingestor!.hold();
    expect(offer(event(1)).outcome).toEqual({ kind: 'buffered' });
    for (const each of [ingestor!, hinted!]) each.hold('memory pressure');
    expect(offer(event(2)).outcome).toEqual({ kind: 'rejected', retryAfterSeconds: null });
    expect(offer(event(2), 1).outcome).toEqual({ kind: 'rejected', retryAfterSeconds: 2 });
    expect(ingestor!.figures).toMatchObject({
      state: 'held',
      quiesceCauses: ['domain pause', 'memory pressure'],
      bufferedRecords: 1,
      rejected: 1,
    });
    ingestor!.start();
    await advance(10);
    expect(events.rows()).toEqual([]);
    expect(ingestor!.figures.quiesceCauses).toEqual(['memory pressure']);
    ingestor!.resume('memory pressure');
    await advance(10);
    expect(events.rows()).toHaveLength(1);
    expect(ingestor!.figures).toMatchObject({ state: 'running', quiesceCauses: [] });
    expect(offer(event(3)).outcome).toEqual({ kind: 'decoded' });
  });

  test('gives the hint only when every ingestor has one (RT-72, CN-134)', () => {
    const hinted = { kind: 'rejected', retryAfterSeconds: 2 } as const;
    const unhinted = { kind: 'rejected', retryAfterSeconds: null } as const;
    expect(combineOutcomes([['a', hinted]]).retryAfterSeconds).toBe(2);
    for (const outcomes of [[unhinted], [hinted, unhinted], [unhinted, hinted]]) {
      const answer = combineOutcomes(outcomes.map((outcome) => ['a', outcome] as const));
      expect(answer).toMatchObject({ status: 503, error: { code: 'QUIESCED' } });
      expect(answer.retryAfterSeconds).toBeUndefined();
    }
  });
});
