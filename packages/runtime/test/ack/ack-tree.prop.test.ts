import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { unionAcks } from '../../src/ack/child-acks.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { AckWindow } from '../../src/node/ack-window.js';
import { propertyRuns } from '../support/property-runs.js';

const ROOTS = 4;

/** Merged rows, each made from rows of some roots, and what is done with their copies. */
const tree = fc.record({
  merged: fc.array(fc.uniqueArray(fc.nat(ROOTS - 1), { minLength: 1, maxLength: ROOTS }), {
    minLength: 1,
    maxLength: 6,
  }),
  copies: fc.integer({ min: 1, max: 3 }),
  actions: fc.array(
    fc.record({
      leaf: fc.nat(17),
      action: fc.constantFrom('ack', 'ack', 'ack', 'nack', 'park', 'unpark', 'alive'),
    }),
    { maxLength: 60 },
  ),
});

type Leaf = { readonly row: number; state: 'open' | 'parked' | 'acked' };

/** The tree by its definition, judged from the leaves each time. */
class TreeModel {
  readonly leaves: Leaf[];
  readonly failedRows = new Set<number>();
  readonly failedRoots = new Set<number>();
  readonly alive = Array.from({ length: ROOTS }, () => 0);
  readonly #merged: readonly (readonly number[])[];

  constructor(merged: readonly (readonly number[])[], copies: number) {
    this.#merged = merged;
    this.leaves = merged.flatMap((_, row) =>
      Array.from({ length: copies }, (): Leaf => ({ row, state: 'open' })),
    );
  }

  rowState(row: number): 'failed' | 'done' | 'idle' | 'open' {
    if (this.failedRows.has(row)) return 'failed';
    const left = this.leaves.filter((leaf) => leaf.row === row && leaf.state !== 'acked');
    if (left.length === 0) return 'done';
    return left.every(({ state }) => state === 'parked') ? 'idle' : 'open';
  }

  rootState(root: number): 'failed' | 'done' | 'idle' | 'open' {
    if (this.failedRoots.has(root)) return 'failed';
    const states = this.#merged.flatMap((roots, row) =>
      roots.includes(root) ? this.rowState(row) : [],
    );
    const left = states.filter((state) => state !== 'done');
    if (left.length === 0) return 'done';
    return left.every((state) => state === 'idle') ? 'idle' : 'open';
  }

  nack(row: number): void {
    if (this.rowState(row) === 'done') return;
    const isFirst = !this.failedRows.has(row);
    this.failedRows.add(row);
    if (!isFirst) return;
    for (const root of this.#merged[row]!) {
      const others = this.#merged.flatMap((roots, each) =>
        roots.includes(root) && each !== row ? this.rowState(each) : [],
      );
      if (!others.includes('failed')) this.failedRoots.add(root);
    }
  }

  keepAlive(row: number): void {
    if (this.rowState(row) === 'failed' || this.rowState(row) === 'done') return;
    for (const root of this.#merged[row]!) {
      if (this.rootState(root) !== 'failed') this.alive[root]! += 1;
    }
  }
}

describe('trees of shares', () => {
  test.prop([tree], { numRuns: propertyRuns(100) })(
    'a root succeeds iff all its descendants do, hears of every one that is held, and is idle iff ' +
      'all that are left are parked (RT-54, RT-55, RT-56, RT-57)',
    ({ merged, copies, actions }) => {
      const outcomes = Array.from({ length: ROOTS }, () => [] as (string | null)[]);
      const alive = Array.from({ length: ROOTS }, () => 0);
      const idle = Array.from({ length: ROOTS }, () => false);
      const roots = new AckLedger(ROOTS, {
        settled: (slot, failure) => outcomes[slot]!.push(failure),
        alive: (slot) => {
          alive[slot]! += 1;
        },
        idled: (slot, isIdle) => {
          expect(idle[slot]).toBe(!isIdle);
          idle[slot] = isIdle;
        },
      });
      const shares = AckSet.ofSlots(
        roots,
        Int32Array.from({ length: ROOTS }, (_, slot) => slot),
      );
      const rows = unionAcks(
        merged.map((origins) =>
          origins.map((row) => {
            shares.attachRow(row, 1);
            return { acks: shares, row };
          }),
        ),
      );
      rows.attach(copies);
      rows.ack();
      shares.ack();
      const model = new TreeModel(merged, copies);
      for (const { leaf: any, action } of actions) {
        const leaf = model.leaves[any % model.leaves.length]!;
        const single = rows.take(Int32Array.of(leaf.row));
        const isOver = model.failedRows.has(leaf.row);
        if (action === 'ack' && leaf.state === 'open') {
          single.ack();
          leaf.state = 'acked';
        } else if (action === 'nack' && leaf.state !== 'acked') {
          single.nack('refused');
          model.nack(leaf.row);
        } else if (action === 'park' && leaf.state === 'open' && !isOver) {
          single.park();
          leaf.state = 'parked';
        } else if (action === 'unpark' && leaf.state === 'parked' && !isOver) {
          single.unpark();
          leaf.state = 'open';
        } else if (action === 'alive' && leaf.state !== 'acked') {
          single.alive();
          model.keepAlive(leaf.row);
        }
        for (let root = 0; root < ROOTS; root += 1) {
          const state = model.rootState(root);
          const expected = state === 'done' ? [null] : state === 'failed' ? ['refused'] : [];
          expect(outcomes[root]).toEqual(expected);
          if (expected.length === 0) expect(roots.isIdle(root)).toBe(state === 'idle');
          if (expected.length === 0) expect(idle[root]).toBe(state === 'idle');
        }
        expect(alive).toEqual(model.alive);
      }
    },
  );

  test('a parked share is taken up before it is resolved', () => {
    const ledger = new AckLedger(1, { settled: () => undefined });
    ledger.park(0, 1);
    expect(() => ledger.ack(0, 1)).toThrow('resolved once, and not parked');
    expect(() => ledger.park(0, 1)).toThrow('only pending shares are parked');
    ledger.unpark(0, 1);
    expect(() => ledger.unpark(0, 1)).toThrow('only parked shares are taken up again');
  });

  test('requests whose rows are all parked count as idle until one is taken up (RT-57)', () => {
    const window = new AckWindow(8, 60_000, new VirtualClock());
    const outcomes: string[] = [];
    const open = () => window.open(({ kind }) => outcomes.push(kind));
    const request = { body: Buffer.from(''), isLines: false, headers: () => [] };
    const members = [2, 3].map((endRow) => ({ request, endRow, token: open() }));
    const { acks, dispatched } = windowRoots(window, members);
    expect([window.used, window.idle]).toEqual([2, 0]);
    acks.parkRow(2);
    expect(window.idle).toBe(0);
    dispatched();
    expect(window.idle).toBe(1);
    acks.parkRow(0);
    expect(window.idle).toBe(1);
    acks.parkRow(1);
    expect(window.idle).toBe(2);
    acks.unparkRow(1);
    acks.ackRow(1);
    expect([window.used, window.idle]).toEqual([2, 2]);
    acks.nackRow(0, 'stopped');
    acks.unparkRow(2);
    expect([window.used, window.idle]).toEqual([1, 0]);
    acks.ackRow(2);
    expect([window.used, window.idle, outcomes]).toEqual([0, 0, ['failed', 'acknowledged']]);
  });
});

function windowRoots(window: AckWindow, members: Parameters<AckWindow['roots']>[0]) {
  const roots = window.roots(members, members.at(-1)!.endRow);
  return { acks: roots.acks, dispatched: () => roots.dispatched() };
}
