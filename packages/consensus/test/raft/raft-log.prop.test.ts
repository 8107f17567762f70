import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, LOG_START } from '../../src/raft/entry.ts';
import { RaftLog } from '../../src/raft/raft-log.ts';
import { testChain } from '../support/core-member.ts';
import { propRuns } from '../support/prop-runs.ts';

type Step =
  | { readonly kind: 'append'; readonly raise: number; readonly bytes: number }
  | { readonly kind: 'truncate' | 'purge' | 'stabilise'; readonly at: number }
  | { readonly kind: 'reset'; readonly raise: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        raise: fc.nat({ max: 2 }),
        bytes: fc.nat({ max: 30 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('truncate' as const, 'purge' as const, 'stabilise' as const),
        at: fc.nat({ max: 100 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('reset' as const), raise: fc.nat({ max: 2 }) }),
    },
  ),
  { maxLength: 120 },
);

/** The log as a plain array, and every question answered by looking at all of it. */
class PlainLog {
  purged = { ...LOG_START };
  entries: Entry[] = [];
  stable = 0n;

  get last() {
    const { index, term, chain } = this.entries.at(-1) ?? this.purged;
    return { index, term, chain };
  }

  termAt(index: bigint): bigint | undefined {
    if (index === this.purged.index) return this.purged.term;
    return this.entries.find((entry) => entry.index === index)?.term;
  }

  lastIndexAtMost(index: bigint, term: bigint): bigint {
    const found = this.entries.findLast((entry) => entry.index <= index && entry.term <= term);
    return found?.index ?? this.purged.index;
  }
}

function carryOut(step: Step, plain: PlainLog, log: RaftLog): void {
  const { last } = plain;
  switch (step.kind) {
    case 'append': {
      const term = last.term + BigInt(step.raise);
      const body = { index: last.index + 1n, term, kind: 'normal' as const };
      const payload = new Uint8Array(step.bytes).fill(step.raise);
      const chain = testChain(last.chain, { ...body, payload });
      const entry = { ...body, payload, chain };
      plain.entries.push(entry);
      log.append(entry);
      return;
    }
    case 'reset': {
      const term = last.term + BigInt(step.raise);
      const position = { index: last.index + 5n, term, chain: new Uint8Array(16).fill(3) };
      plain.purged = position;
      plain.entries = [];
      plain.stable = position.index;
      log.reset(position);
      return;
    }
    default: {
      const entry = plain.entries[step.at % Math.max(plain.entries.length, 1)];
      if (entry === undefined) return;
      const { index, term, chain } = entry;
      if (step.kind === 'truncate') {
        plain.entries = plain.entries.filter((it) => it.index < index);
        if (plain.stable >= index) plain.stable = index - 1n;
        log.truncate(index);
      } else if (step.kind === 'stabilise') {
        if (index > plain.stable) plain.stable = index;
        log.stabilise(index, term);
      } else if (index <= plain.stable) {
        plain.entries = plain.entries.filter((it) => it.index > index);
        plain.purged = { index, term, chain };
        log.purge(index);
      }
    }
  }
}

function compare(plain: PlainLog, log: RaftLog): void {
  const { last } = plain;
  expect(log.lastIndex).toBe(last.index);
  expect(log.lastTerm).toBe(last.term);
  expect(log.lastChain).toEqual(last.chain);
  expect(log.stable).toBe(plain.stable);
  expect(log.purged.index).toBe(plain.purged.index);
  for (let index = plain.purged.index - 1n; index <= last.index + 1n; index += 1n) {
    expect(log.termAt(index)).toBe(plain.termAt(index));
    for (const term of [last.term - 2n, last.term - 1n, last.term]) {
      expect(log.lastIndexAtMost(index, term)).toBe(plain.lastIndexAtMost(index, term));
    }
  }
  for (const { index, chain } of plain.entries) expect(log.chainAt(index)).toEqual(chain);
  const held = plain.entries.filter(({ index }) => index >= log.firstCached);
  expect(held.every(({ index }) => log.cached(index, 1, 1)?.[0]?.index === index)).toBe(true);
  // Only what is durable may be forgotten here.
  expect(log.firstCached).toBeLessThanOrEqual(plain.stable + 1n);
  if (log.firstCached > 0n) expect(log.cached(log.firstCached - 1n, 1, 1)).toBeUndefined();
}

test('CS-311 the log answers like a plain array, conflict hints included', () => {
  fc.assert(
    fc.property(steps, fc.nat({ max: 200 }), (list, cacheBytesMax) => {
      const plain = new PlainLog();
      const log = new RaftLog(LOG_START, [], cacheBytesMax);
      for (const step of list) {
        carryOut(step, plain, log);
        compare(plain, log);
      }
    }),
    { numRuns: propRuns(40) },
  );
});

test('CS-311 bytes and batches are those of the array', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 40 }),
      fc.nat({ max: 120 }),
      fc.integer({ min: 1, max: 9 }),
      (sizes, bytesMax, countMax) => {
        const plain = new PlainLog();
        const log = new RaftLog(LOG_START, [], 10_000);
        for (const bytes of sizes) carryOut({ kind: 'append', raise: 0, bytes }, plain, log);
        let from = 1n;
        while (from <= log.lastIndex) {
          const batch = log.cached(from, bytesMax, countMax)!;
          const bytes = batch.reduce((sum, { payload }) => sum + payload.length, 0);
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(countMax);
          if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(bytesMax);
          expect(batch[0]?.index).toBe(from);
          from += BigInt(batch.length);
          expect(log.bytesBetween(from - BigInt(batch.length), from - 1n)).toBe(bytes);
        }
      },
    ),
    { numRuns: propRuns(100) },
  );
});

test('a million headers are taken in well under a second', () => {
  const chain = new Uint8Array(16);
  function* headers() {
    for (let index = 1n; index <= 1_000_000n; index += 1n) {
      yield { index, term: index / 1_000n, chain, bytes: 100 };
    }
  }
  const before = performance.now();
  const log = new RaftLog(LOG_START, headers(), 1_000);
  const elapsed = performance.now() - before;
  expect(log.termAt(500_500n)).toBe(500n);
  expect(log.lastIndexAtMost(999_999n, 3n)).toBe(3_999n);
  expect(elapsed).toBeLessThan(3_000);
});
