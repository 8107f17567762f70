import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { Relay } from '../../src/relay/relay.js';
import { idsOf, openInput, relayBatch } from '../support/batches.js';

const IGNORED = { admitted: () => undefined, fannedOut: () => undefined };

type Step = { readonly kind: 'publish' } | { readonly kind: 'consume'; readonly consumer: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'publish' }) },
  {
    weight: 4,
    arbitrary: fc.nat(2).map((consumer): Step => ({ kind: 'consume', consumer })),
  },
);

describe('relay', () => {
  test.prop([
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 3 }),
    fc.array(step, { maxLength: 80 }),
  ])(
    'nothing is lost, order is kept and the bound holds (RT-27, RT-29)',
    (capacity, consumerCount, steps) => {
      const relay = new Relay('events', capacity, IGNORED);
      const inputs = Array.from({ length: consumerCount }, () =>
        openInput(relay, true, () => undefined),
      );
      const received: number[][] = inputs.map(() => []);
      let published = 0;
      const take = (consumer: number): void => {
        const batch = inputs[consumer]!.take();
        if (batch !== undefined) received[consumer]!.push(...idsOf(batch.batch));
      };
      for (const next of steps) {
        if (next.kind === 'publish') {
          void relay.publish(relayBatch([published]));
          published += 1;
        } else {
          take(next.consumer % consumerCount);
        }
        expect(relay.depth).toBeLessThanOrEqual(capacity);
      }
      while (relay.depth + relay.waiting > 0 || inputs.some((input) => !input.isEmpty)) {
        inputs.forEach((_, consumer) => {
          take(consumer);
        });
      }
      const all = Array.from({ length: published }, (_, id) => id);
      for (const ids of received) expect(ids).toEqual(all);
    },
  );

  test('a publisher beyond the capacity waits until it is admitted (RT-27, RT-28)', async () => {
    const relay = new Relay('events', 1, IGNORED);
    const input = openInput(relay, true, () => undefined);
    expect(relay.publish(relayBatch([1]))).toBeUndefined();
    expect(relay.publish(relayBatch([2]))).toBeUndefined();
    const admission = relay.publish(relayBatch([3]));
    expect(admission).toBeInstanceOf(Promise);
    expect(relay.waiting).toBe(1);
    input.take();
    await admission;
    expect(relay.waiting).toBe(0);
    expect(relay.depth).toBe(1);
  });

  test('attached consumers each hold a share, detached ones none (RT-53)', () => {
    const outcomes: (string | null)[] = [];
    const ledger = new AckLedger(1, { settled: (_, failure) => outcomes.push(failure) });
    ledger.attach(0, 1);
    ledger.ack(0, 1);
    const relay = new Relay('events', 1, IGNORED);
    const attached = [0, 1].map(() => openInput(relay, true, () => undefined));
    const detached = openInput(relay, false, () => undefined);
    void relay.publish(relayBatch([1], { acks: AckSet.uniform(ledger, 1) }));
    detached.take()!.acks.ack();
    attached[0]!.take()!.acks.ack();
    expect(outcomes).toEqual([]);
    attached[1]!.take()!.acks.ack();
    expect(outcomes).toEqual([null]);
  });

  test('closing refuses what is buffered, queued and waiting', () => {
    const outcomes: (string | null)[] = [];
    const relay = new Relay('events', 1, IGNORED);
    const input = openInput(relay, true, () => undefined);
    for (const id of [1, 2, 3]) {
      const ledger = new AckLedger(1, { settled: (_, failure) => outcomes.push(failure) });
      void relay.publish(relayBatch([id], { acks: AckSet.uniform(ledger, 1) }));
    }
    relay.close('stopped');
    input.close('stopped');
    expect(outcomes).toEqual(['stopped', 'stopped', 'stopped']);
  });

  test.prop([
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('low', 'high', 'acks'),
    fc.constantFrom(-1, 1),
  ])('a side that is not as long as its rows fails all of these (RT-1)', (rows, side, by) => {
    const relay = new Relay('events', 4, IGNORED);
    const input = openInput(relay, true, () => undefined);
    const outcomes: string[] = [];
    const ledger = new AckLedger(rows + 1, {
      settled: (_, failure) => outcomes.push(failure ?? 'ok'),
    });
    const slots = (count: number) => Int32Array.from({ length: count }, (_, row) => row);
    const good = relayBatch(
      Array.from({ length: rows }, (_, row) => row),
      { acks: AckSet.ofSlots(ledger, slots(rows)) },
    );
    const wrong =
      side === 'acks'
        ? { ...good, acks: AckSet.ofSlots(ledger, slots(rows + by)) }
        : { ...good, [side]: new BigInt64Array(rows + by) };
    expect(() => relay.publish(wrong)).toThrow('every row has its watermarks and its share');
    const shares = side === 'acks' ? rows + by : rows;
    expect(outcomes).toHaveLength(shares);
    expect(outcomes.every((outcome) => outcome.startsWith("relay 'events' was given"))).toBe(true);
    expect(input.take()).toBeUndefined();
  });
});
