import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHAIN_BYTES, type ChainedPosition, type Entry } from '../../src/raft/entry.ts';
import { MalformedBytesError } from '../../src/storage/byte-codec.ts';
import { chainOf } from '../../src/storage/digests.ts';
import { ENTRY_HEAD_BYTES } from '../../src/storage/entry-codec.ts';
import { EntrySequence } from '../../src/storage/entry-sequence.ts';
import {
  BLOCK_BYTES_MAX,
  BlockCursor,
  blockBefore,
  blocksOf,
  entriesIn,
} from '../../src/storage/log-block.ts';
import { decodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { propRuns } from '../support/prop-runs.ts';
import { storedBlock } from '../support/stored-blocks.ts';

const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((it) => new Uint8Array(it));
const parts = fc.record({
  newTerms: fc.nat(2),
  kind: fc.constantFrom('normal' as const, 'empty' as const, 'configuration' as const),
  payload: bytes(0, 60),
});

/** A position, and entries that follow it. */
interface Stretch {
  readonly start: ChainedPosition;
  readonly entries: readonly Entry[];
}

const stretch: fc.Arbitrary<Stretch> = fc
  .tuple(
    fc.record({
      index: fc.bigInt({ min: 0n, max: 2n ** 63n }),
      term: fc.bigInt({ min: 1n, max: 2n ** 32n }),
      chain: bytes(CHAIN_BYTES, CHAIN_BYTES),
    }),
    fc.array(parts, { minLength: 1, maxLength: 8 }),
  )
  .map(([start, drawn]) => ({ start, entries: following(start, drawn) }));

function following(
  start: ChainedPosition,
  drawn: readonly (Pick<Entry, 'kind' | 'payload'> & { readonly newTerms: number })[],
): readonly Entry[] {
  let { index, term, chain } = start;
  return drawn.map(({ newTerms, kind, payload }) => {
    index += 1n;
    term += BigInt(newTerms);
    const fields = { index, term, kind, payload };
    chain = chainOf(chain, fields);
    return { ...fields, chain };
  });
}

/** A block without its frame. */
function payloadOf(entries: readonly Entry[]): Uint8Array {
  const { key, value } = storedBlock(entries);
  return decodeRecord(RECORD_KIND.block, key, value, 1);
}

/** The newest position behind `start` when a block is taken as a whole. Throws like the takers. */
function taken(start: ChainedPosition, block: Uint8Array): ChainedPosition {
  const sequence = new EntrySequence(start);
  const cursor = new BlockCursor(block, start.index + 1n);
  while (cursor.next()) sequence.take(cursor);
  return sequence.newest;
}

/** Where each entry of a block ends. */
function endsOf(entries: readonly Entry[]): readonly number[] {
  let end = 0;
  return entries.map(({ payload }) => {
    end += ENTRY_HEAD_BYTES + payload.length;
    return end;
  });
}

test('CS-80 CS-310 a cursor meets the entries that the encoder wrote, each at its place', () => {
  const property = fc.property(stretch, ({ start, entries }) => {
    const block = payloadOf(entries);
    const cursor = new BlockCursor(block, start.index + 1n);
    const found: Entry[] = [];
    const offsets: number[] = [];
    while (cursor.next()) {
      const { index, term, kind } = cursor;
      const chain = new Uint8Array(cursor.chain);
      found.push({ index, term, kind, chain, payload: new Uint8Array(cursor.payload) });
      offsets.push(cursor.offset);
    }
    expect(found).toEqual(entries);
    const ends = endsOf(entries);
    expect(offsets).toEqual([0, ...ends.slice(0, -1)]);
    expect(block).toHaveLength(ends.at(-1)!);
    expect(cursor.next()).toBe(false);
    const { index, term, chain } = entries.at(-1)!;
    expect(taken(start, block)).toEqual({ index, term, chain });
  });
  fc.assert(property, { numRuns: propRuns(200) });
});

test('CS-80 CS-350 a sequence passes no block with a changed byte, whatever its checksum', () => {
  const property = fc.property(stretch, fc.integer({ min: 1, max: 255 }), (drawn, by) => {
    const { start, entries } = drawn;
    const block = payloadOf(entries);
    for (let at = 0; at < block.length; at += 1) {
      const damaged = block.map((byte, i) => (i === at ? byte ^ by : byte));
      expect(() => taken(start, damaged), `byte ${at}`).toThrow(MalformedBytesError);
    }
  });
  fc.assert(property, { numRuns: propRuns(100) });
});

test('CS-80 CS-350 a block with missing bytes is refused, or ends with one of its entries', () => {
  const property = fc.property(stretch, fc.nat(255), ({ start, entries }, added) => {
    const block = payloadOf(entries);
    const ends = endsOf(entries);
    for (let end = 0; end < block.length; end += 1) {
      const shorter = block.subarray(0, end);
      const at = ends.indexOf(end);
      if (at < 0) expect(() => taken(start, shorter), `${end}`).toThrow(MalformedBytesError);
      else expect(taken(start, shorter).index).toBe(entries[at]!.index);
      const gone = Uint8Array.of(...block.subarray(0, end), ...block.subarray(end + 1));
      expect(() => taken(start, gone), `without ${end}`).toThrow(MalformedBytesError);
      const more = Uint8Array.of(...block.subarray(0, end), added, ...block.subarray(end));
      expect(() => taken(start, more), `more at ${end}`).toThrow(MalformedBytesError);
    }
    expect(() => taken(start, Uint8Array.of(...block, added))).toThrow(MalformedBytesError);
  });
  fc.assert(property, { numRuns: propRuns(50) });
});

test('CS-80 CS-350 a sequence passes no entries left out, doubled or in another order', () => {
  const property = fc.property(stretch, fc.nat(), fc.nat(), (drawn, one, other) => {
    const { start, entries } = drawn;
    const at = one % entries.length;
    const behind = other % entries.length;
    const rest = entries.filter((_, i) => i !== at);
    const first = start.index + 1n;
    const refuse = (changed: readonly Entry[]): void => {
      const { key, value } = storedBlock(changed, { first });
      const block = decodeRecord(RECORD_KIND.block, key, value, 1);
      expect(() => taken(start, block)).toThrow(MalformedBytesError);
    };
    if (at < rest.length) refuse(rest);
    refuse(entries.toSpliced(at, 0, entries[at]!));
    if (at !== behind) refuse(rest.toSpliced(behind, 0, entries[at]!));
  });
  fc.assert(property, { numRuns: propRuns(100) });
});

test('CS-80 the form alone lets neither an older term nor an unknown kind pass', () => {
  const property = fc.property(stretch, fc.nat(), ({ start, entries }, drawn) => {
    const at = drawn % entries.length;
    const block = new Uint8Array(payloadOf(entries));
    const place = at === 0 ? 0 : endsOf(entries)[at - 1]!;
    const view = new DataView(block.buffer);
    const form = (): void => {
      const sequence = new EntrySequence(start);
      const cursor = new BlockCursor(block, start.index + 1n);
      while (cursor.next()) {
        expect(cursor.kind).toBeTypeOf('string');
        sequence.takeForm(cursor);
      }
    };
    form();
    const before = at === 0 ? start.term : entries[at - 1]!.term;
    view.setBigUint64(place, before - 1n);
    expect(form).toThrow('of an older term');
    view.setBigUint64(place, entries[at]!.term);
    view.setUint8(place + 8, 9);
    expect(form).toThrow('unknown entry kind 9');
  });
  fc.assert(property, { numRuns: propRuns(100) });
});

test('CS-103 any part of a block is read, and what lies before an entry of it', () => {
  const property = fc.property(stretch, ({ start, entries }) => {
    const block = payloadOf(entries);
    const first = start.index + 1n;
    const end = first + BigInt(entries.length);
    for (let from = start.index; from <= end; from += 1n) {
      for (let through = start.index; through <= end; through += 1n) {
        const wanted = entries.filter(({ index }) => index >= from && index <= through);
        expect(entriesIn(block, first, { from, through })).toEqual(wanted);
      }
      const isInside = from >= first && from < end;
      const cut = (): Uint8Array => blockBefore(block, first, from);
      if (!isInside) expect(cut).toThrow(MalformedBytesError);
      else if (from === first) expect(cut()).toHaveLength(0);
      else expect(cut()).toEqual(payloadOf(entries.slice(0, Number(from - first))));
    }
  });
  fc.assert(property, { numRuns: propRuns(50) });
});

test('CS-74 blocks are as large as they may be, and hold all entries in order', () => {
  const third = Math.floor(BLOCK_BYTES_MAX / 3);
  const sizes = fc.array(
    fc.oneof(
      fc.nat(300),
      fc.integer({ min: third - 99, max: third + 9 }),
      fc.integer({
        min: BLOCK_BYTES_MAX - ENTRY_HEAD_BYTES - 2,
        max: BLOCK_BYTES_MAX + 9,
      }),
    ),
    { maxLength: 12 },
  );
  const property = fc.property(sizes, (drawn) => {
    const entries = drawn.map((size, i): Entry => {
      const payload = new Uint8Array(size);
      return { index: BigInt(i), term: 1n, kind: 'normal', chain: new Uint8Array(16), payload };
    });
    const blocks = blocksOf(entries);
    expect(blocks.flat()).toEqual(entries);
    blocks.forEach((block, i) => {
      const size = endsOf(block).at(-1)!;
      if (block.length > 1) expect(size).toBeLessThanOrEqual(BLOCK_BYTES_MAX);
      const next = blocks[i + 1]?.[0];
      if (next === undefined) return;
      expect(size + endsOf([next])[0]!).toBeGreaterThan(BLOCK_BYTES_MAX);
    });
  });
  fc.assert(property, { numRuns: propRuns(50) });
});
