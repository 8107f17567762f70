import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { DispatchGate } from '../../src/relay/dispatch-gate.js';
import { Relay } from '../../src/relay/relay.js';
import { idsOf, openInput, relayBatch } from '../support/batches.js';
import { propertyRuns } from '../support/property-runs.js';

const IGNORED = { admitted: () => undefined, fannedOut: () => undefined };
const HELD: ReadonlySet<string> = new Set(['JUNCTION inside']);

type Action =
  | { readonly kind: 'publish'; readonly isInside: boolean }
  | { readonly kind: 'take' | 'close' | 'freeze' | 'open' }
  | { readonly kind: 'capacity'; readonly capacity: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('publish' as const), isInside: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.constant<Action>({ kind: 'take' }) },
  { weight: 2, arbitrary: fc.constantFrom<Action>({ kind: 'close' }, { kind: 'open' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: 'freeze' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('capacity' as const),
      capacity: fc.integer({ min: 1, max: 5 }),
    }),
  },
);

/** What a relay with one consumer is, in the plainest form: lists and a phase. */
class RelayModel {
  phase: 'open' | 'closed' | 'frozen' = 'open';
  capacity = 2;
  queued: number | null = null;
  buffer: number[] = [];
  waiting: number[] = [];
  fenced: { id: number; isInside: boolean }[] = [];
  received: number[] = [];
  refused: number[] = [];

  publish(id: number, isInside: boolean): void {
    const passes = this.phase === 'open' || (this.phase === 'closed' && isInside);
    if (passes) this.waiting.push(id);
    else this.fenced.push({ id, isInside });
    this.settle();
  }

  open(): void {
    this.phase = 'open';
    this.waiting.push(...this.fenced.splice(0).map(({ id }) => id));
    this.settle();
  }

  settle(): void {
    for (;;) {
      if (this.buffer.length > 0 && this.phase === 'frozen') {
        this.refused.push(this.buffer.shift()!);
      } else if (this.buffer.length > 0 && this.queued === null) {
        this.queued = this.buffer.shift()!;
      } else if (this.waiting.length > 0 && this.buffer.length < this.capacity) {
        this.buffer.push(this.waiting.shift()!);
      } else {
        return;
      }
    }
  }
}

describe('dispatch gate', () => {
  test.prop([fc.array(action, { maxLength: 80 })], { numRuns: propertyRuns(100) })(
    'a closed relay takes what was under way and what the hold itself sends, in order, and no ' +
      'more; a smaller capacity keeps what is buffered (RT-31, RT-34, RT-35)',
    (actions) => {
      const relay = new Relay('events', 2, IGNORED);
      const input = openInput(relay, true, () => undefined);
      const model = new RelayModel();
      const received: number[] = [];
      const refused: number[] = [];
      let next = 0;
      for (const step of actions) {
        if (step.kind === 'publish') {
          const id = next++;
          const ledger = new AckLedger(1, {
            settled: (_, failure) => {
              if (failure !== null) refused.push(id);
            },
          });
          const batch = relayBatch([id], { acks: AckSet.uniform(ledger, 1) });
          void relay.publish(batch, step.isInside ? 'JUNCTION inside' : 'JUNCTION outside');
          model.publish(id, step.isInside);
        } else if (step.kind === 'take') {
          const batch = input.take();
          if (batch !== undefined) received.push(...idsOf(batch.batch));
          if (model.queued !== null) model.received.push(model.queued);
          model.queued = null;
          model.settle();
        } else if (step.kind === 'close' && model.phase === 'open') {
          relay.closeGate(HELD);
          model.phase = 'closed';
        } else if (step.kind === 'freeze' && model.phase === 'closed') {
          relay.freezeGate();
          model.phase = 'frozen';
          relay.pump();
          model.settle();
        } else if (step.kind === 'open' && model.phase !== 'open') {
          relay.openGate();
          model.open();
        } else if (step.kind === 'capacity') {
          relay.setCapacity(step.capacity);
          model.capacity = step.capacity;
          model.settle();
        }
        expect(received).toEqual(model.received);
        expect(refused).toEqual(model.refused);
        expect([relay.depth, relay.waiting, relay.fenced]).toEqual([
          model.buffer.length,
          model.waiting.length,
          model.fenced.length,
        ]);
        expect(relay.isDrained).toBe(model.buffer.length + model.waiting.length === 0);
      }
    },
  );

  test('publishers of the hold count apart, and leave the counts they entered (RT-34)', () => {
    const gate = new DispatchGate();
    expect(gate.enter('JUNCTION inside')).toBe('outside');
    gate.close(HELD);
    expect(gate.isQuiet).toBe(false);
    expect(gate.enter('JUNCTION outside')).toBeUndefined();
    expect(gate.enter(undefined)).toBeUndefined();
    expect(gate.enter('JUNCTION inside')).toBe('inside');
    gate.leave('outside');
    expect([gate.isQuiet, gate.inFlightInside]).toEqual([true, 1]);
    gate.leave('inside');
    gate.freeze();
    expect(gate.enter('JUNCTION inside')).toBeUndefined();
    expect([gate.isQuiet, gate.inFlightInside]).toEqual([true, 0]);
    gate.open();
    expect(gate.enter('JUNCTION outside')).toBe('outside');
  });

  test('publishers that waited are told when they are in, in their order (RT-34)', async () => {
    const relay = new Relay('events', 1, IGNORED);
    const input = openInput(relay, true, () => undefined);
    relay.closeGate(HELD);
    const admitted: number[] = [];
    for (const id of [1, 2, 3]) {
      void relay.publish(relayBatch([id]), 'INGESTOR in')!.then(() => admitted.push(id));
    }
    await Promise.resolve();
    expect(admitted).toEqual([]);
    relay.openGate();
    await new Promise((resolve) => setImmediate(resolve));
    expect(admitted).toEqual([1, 2]);
    input.take();
    await new Promise((resolve) => setImmediate(resolve));
    expect(admitted).toEqual([1, 2, 3]);
  });

  test('buffered rows that nobody acknowledges go on while a hold drains (RT-35)', () => {
    const relay = new Relay('events', 3, IGNORED);
    const input = openInput(relay, true, () => undefined);
    for (const id of [1, 2, 3]) void relay.publish(relayBatch([id]));
    relay.closeGate(HELD);
    const taken = [1, 2, 3].map(() => idsOf(input.take()!.batch)[0]);
    expect(taken).toEqual([1, 2, 3]);
    expect(relay.isDrained).toBe(true);
  });

  test('a closed relay refuses who waits before its gate', async () => {
    const relay = new Relay('events', 1, IGNORED);
    const outcomes: (string | null)[] = [];
    const ledger = new AckLedger(1, { settled: (_, failure) => outcomes.push(failure) });
    relay.closeGate(HELD);
    const admission = relay.publish(relayBatch([1], { acks: AckSet.uniform(ledger, 1) }));
    relay.close('stopped');
    await admission;
    expect(outcomes).toEqual(['stopped']);
  });
});

test.prop(
  [
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 }),
    fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }),
  ],
  { numRuns: propertyRuns(100) },
)(
  'any run of capacities keeps every batch, admits at once what fits and nobody beyond (RT-31)',
  (capacities, publications) => {
    const relay = new Relay('events', 3, IGNORED);
    const inputs = [0, 1].map(() => openInput(relay, true, () => undefined));
    const received: number[][] = inputs.map(() => []);
    let published = 0;
    const depths: number[] = [];
    capacities.forEach((capacity, turn) => {
      for (let count = 0; count < publications[turn]!; count += 1) {
        void relay.publish(relayBatch([published++]));
      }
      const before = relay.depth;
      const waited = relay.waiting;
      relay.setCapacity(capacity);
      const room = Math.max(0, capacity - before);
      expect(relay.depth).toBe(Math.max(before, Math.min(capacity, before + waited)));
      expect(relay.waiting).toBe(waited - Math.min(waited, room));
      const consumer = turn % 2;
      const batch = inputs[consumer]!.take();
      if (batch !== undefined) received[consumer]!.push(...idsOf(batch.batch));
      depths.push(relay.depth);
    });
    while (relay.depth + relay.waiting > 0 || inputs.some((input) => !input.isEmpty)) {
      inputs.forEach((input, consumer) => {
        const batch = input.take();
        if (batch !== undefined) received[consumer]!.push(...idsOf(batch.batch));
      });
    }
    const all = Array.from({ length: published }, (_, id) => id);
    expect(received).toEqual([all, all]);
  },
);
