import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENTRY_OVERHEAD_BYTES } from '../../src/storage/entry-codec.ts';
import { LogIndex } from '../../src/storage/log-index.ts';
import { propRuns } from '../support/prop-runs.ts';

interface ModelEntry {
  readonly index: bigint;
  readonly term: bigint;
  readonly chain: Uint8Array;
  readonly bytes: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const append = fc.record({
  kind: fc.constant('append' as const),
  newTerms: fc.nat(2),
  bytes: fc.integer({ min: 0, max: 99 }),
});
const steps = fc.array(
  fc.oneof(
    { arbitrary: append, weight: 6 },
    { arbitrary: fc.record({ kind: fc.constant('purge' as const), share }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('truncate' as const), share }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('reset' as const), share }), weight: 1 },
  ),
  { maxLength: 200 },
);

let drawn = 0;
function chain(): Uint8Array {
  drawn += 1;
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(4, drawn);
  return bytes;
}

/** The entries that a retention by count and size keeps, found the slow way. */
function keptBy(log: readonly ModelEntry[], entriesKept: number, bytesKept: number): ModelEntry[] {
  for (let first = Math.max(0, log.length - entriesKept); first < log.length; first += 1) {
    const kept = log.slice(first);
    if (storedSize(kept) <= bytesKept) return kept;
  }
  return [];
}

function storedSize(log: readonly ModelEntry[]): number {
  return log.reduce((sum, { bytes }) => sum + bytes + ENTRY_OVERHEAD_BYTES, 0);
}

/** A log as a plain array, beside the index that it is compared with. */
class Model {
  log: ModelEntry[] = [];
  purged = { index: 5n, term: 2n, chain: chain() };
  readonly index = new LogIndex(this.purged);

  get last(): { readonly index: bigint; readonly term: bigint; readonly chain: Uint8Array } {
    const { index, term, chain: value } = this.log.at(-1) ?? this.purged;
    return { index, term, chain: value };
  }

  append(newTerms: number, bytes: number): void {
    const { last } = this;
    const term = last.term + BigInt(newTerms);
    const header = { index: last.index + 1n, term, chain: chain(), bytes };
    this.index.append(header);
    this.log.push(header);
  }

  purge(count: number): void {
    const end = this.log[count - 1];
    if (end === undefined) return;
    this.index.purge(end.index);
    this.purged = { index: end.index, term: end.term, chain: end.chain };
    this.log = this.log.slice(count);
  }

  truncate(kept: number): void {
    const first = this.log[kept];
    if (first === undefined) return;
    this.index.truncate(first.index);
    this.log = this.log.slice(0, kept);
  }

  reset(): void {
    const { last } = this;
    this.purged = { index: last.index + 7n, term: last.term + 1n, chain: chain() };
    this.index.reset(this.purged);
    this.log = [];
  }

  check(entriesKept: number, bytesKept: number): void {
    const { index, log, purged, last } = this;
    expect(index.bounds).toEqual({
      purged,
      last,
      retainedEntries: log.length,
      retainedBytes: storedSize(log),
    });
    for (const entry of [purged, ...log]) {
      expect(index.termAt(entry.index)).toBe(entry.term);
      expect(index.chainAt(entry.index)).toEqual(entry.chain);
    }
    expect([...index.headers()]).toEqual(log);
    const kept = keptBy(log, entriesKept, bytesKept);
    expect(index.indexBehind(entriesKept, bytesKept)).toBe(last.index - BigInt(kept.length));
    expect(index.termAt(purged.index - 1n)).toBe(undefined);
    expect(index.termAt(last.index + 1n)).toBe(undefined);
  }
}

test('CS-311 random appends, cuts, purges and resets agree with a plain array', () => {
  const property = fc.property(steps, fc.nat(10), fc.nat(600), (script, entriesKept, bytesKept) => {
    const model = new Model();
    for (const step of script) {
      if (step.kind === 'append') model.append(step.newTerms, step.bytes);
      else if (step.kind === 'reset') model.reset();
      else if (step.kind === 'purge') model.purge(Math.round(step.share * model.log.length));
      else model.truncate(Math.floor(step.share * model.log.length));
      model.check(entriesKept, bytesKept);
    }
  });
  fc.assert(property, { numRuns: propRuns(100) });
});
