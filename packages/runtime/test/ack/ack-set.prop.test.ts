import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { unionAcks } from '../../src/ack/child-acks.js';

/** A ledger that writes down what becomes of its slots. */
function recordedLedger(slots: number) {
  const outcomes: (string | null)[][] = Array.from({ length: slots }, () => []);
  const ledger = new AckLedger(slots, {
    settled: (slot, failure) => outcomes[slot]!.push(failure),
  });
  return { ledger, outcomes };
}

describe('acknowledgement trees', () => {
  test.prop([
    fc.integer({ min: 1, max: 6 }),
    fc.array(
      fc.record({
        slot: fc.nat(5),
        action: fc.constantFrom('attach', 'ack', 'ack', 'ack', 'nack', 'drop'),
        weight: fc.nat(30),
      }),
      { maxLength: 60 },
    ),
  ])(
    'a root completes once, and succeeds iff every share was acknowledged (RT-51, RT-57)',
    (slots, actions) => {
      const { ledger, outcomes } = recordedLedger(slots);
      const model = Array.from({ length: slots }, () => ({
        pending: 1,
        done: null as null | string,
      }));
      const finish = (slot: number, outcome: string) => {
        const node = model[slot]!;
        if (node.done === null) node.done = outcome;
      };
      for (const { slot: anySlot, action, weight } of actions) {
        const slot = anySlot % slots;
        const node = model[slot]!;
        if (action === 'attach') {
          ledger.attach(slot, 1 + (weight % 3));
          if (node.done === null) node.pending += 1 + (weight % 3);
        } else if (action === 'ack') {
          const shares = node.done === null ? 1 + (weight % node.pending) : 1;
          ledger.ack(slot, shares);
          if (node.done === null) node.pending -= shares;
          if (node.pending === 0) finish(slot, 'ok');
        } else if (action === 'nack') {
          ledger.nack(slot, `reason ${slot}`);
          finish(slot, 'failed');
        } else if (weight === 0) {
          ledger.drop('dropped');
          model.forEach((_, each) => {
            finish(each, 'failed');
          });
        }
        expect(ledger.openSlots).toBe(model.filter((each) => each.done === null).length);
      }
      model.forEach(({ done }, slot) => {
        const seen = outcomes[slot]!;
        if (done === null) expect(seen).toEqual([]);
        else expect(seen.map((failure) => (failure === null ? 'ok' : 'failed'))).toEqual([done]);
      });
    },
  );

  test.prop([
    fc.array(fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    fc.nat(2),
    fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
  ])(
    'split, joined and fanned-out sets keep exactly one share a row and consumer (RT-53, RT-54)',
    (parts, consumers, nacks) => {
      const ledgers = parts.map(() => recordedLedger(5));
      const sets = parts.map((slots, part) => {
        const { ledger } = ledgers[part]!;
        for (const slot of slots) ledger.attach(slot, 1);
        for (let slot = 0; slot < 5; slot += 1) ledger.ack(slot, 1);
        return { acks: AckSet.ofSlots(ledger, Int32Array.from(slots)), rowCount: slots.length };
      });
      const joined = AckSet.concat(sets);
      const owners = parts.flatMap((slots, part) => slots.map((slot) => [part, slot] as const));
      joined.attach(consumers);
      joined.ack();
      const failed = new Set<string>();
      for (let consumer = 0; consumer < consumers; consumer += 1) {
        owners.forEach(([part, slot], row) => {
          const single = joined.take(Int32Array.of(row));
          if (consumer === 0 && nacks[row] === true) {
            single.nack('refused');
            failed.add(`${part}.${slot}`);
          } else {
            single.ack();
          }
        });
      }
      for (const [part, slot] of owners) {
        const expected = failed.has(`${part}.${slot}`) ? 'refused' : null;
        expect(ledgers[part]!.outcomes[slot]).toEqual([expected]);
      }
    },
  );

  test('rows without a waiting source cost nothing and stay so when joined', () => {
    const set = AckSet.concat([
      { acks: AckSet.NONE, rowCount: 3 },
      { acks: AckSet.NONE, rowCount: 4 },
    ]);
    expect(set).toBe(AckSet.NONE);
    expect(set.take(Int32Array.of(1, 2))).toBe(AckSet.NONE);
  });

  test('a merged row carries the union of its origins (RT-54)', () => {
    const outcomes: [number, string | null][] = [];
    const ledger = new AckLedger(3, {
      settled: (slot, failure) => outcomes.push([slot, failure]),
    });
    const acks = AckSet.ofSlots(ledger, Int32Array.of(0, 1, 2));
    const merged = unionAcks([
      [
        { acks, row: 0 },
        { acks, row: 2 },
      ],
      [{ acks, row: 1 }],
    ]);
    merged.ackRow(0);
    merged.nackRow(1, 'lost');
    expect(outcomes).toEqual([
      [0, null],
      [2, null],
      [1, 'lost'],
    ]);
  });

  test('a share is resolved once: a second resolution breaks an invariant', () => {
    const { ledger } = recordedLedger(1);
    ledger.attach(0, 1);
    expect(() => {
      ledger.ack(0, 3);
    }).toThrow('an acknowledgement share is resolved once');
  });
});
