import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/raft/entry.ts';
import { MalformedBytesError } from '../../src/storage/byte-codec.ts';
import { blockKey } from '../../src/storage/level-keys.ts';
import { decodeManifest, encodeManifest } from '../../src/storage/manifest-codec.ts';
import {
  decodeFormat,
  decodePositions,
  decodeWitness,
  encodeFormat,
  encodePositions,
  encodeWitness,
  type StoredPositions,
} from '../../src/storage/position-codec.ts';
import { decodeRecord, encodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { anyLevel, anyLevels } from '../support/level-arbitraries.ts';
import { propRuns } from '../support/prop-runs.ts';
import { entriesOf, storedBlock } from '../support/stored-blocks.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const plain = (max: number) => fc.uint8Array({ maxLength: max }).map((it) => new Uint8Array(it));
const chain = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((it) => new Uint8Array(it));
const storeId = chain.map((bytes) => Buffer.from(bytes).toString('hex'));
const name = fc.string({ unit: 'grapheme', maxLength: 20 });
/** Entries of a block; what they are is free, but not how they are counted. */
const block: fc.Arbitrary<readonly Entry[]> = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 9n }),
    fc.array(
      fc.record({
        term: u64,
        kind: fc.constantFrom('normal' as const, 'empty' as const, 'configuration' as const),
        payload: plain(200),
        chain,
      }),
      { minLength: 1, maxLength: 8 },
    ),
  )
  .map(([first, entries]) => entries.map((it, i) => ({ ...it, index: first + BigInt(i) })));
const hardState = fc.record({
  term: u64,
  commit: u64,
  votedFor: fc.option(fc.record({ nodeId: name, storeId }), { nil: undefined }),
});
const numRuns = propRuns(200);

/** Round trip, and no other reading of any shorter or arbitrary bytes. */
function checkCodec<T>(
  values: fc.Arbitrary<T>,
  encode: (value: T) => Uint8Array,
  decode: (bytes: Uint8Array) => T,
): void {
  const property = fc.property(values, fc.nat(), plain(120), (value, cut, noise) => {
    const bytes = encode(value);
    expect(decode(bytes)).toEqual(value);
    const shorter = bytes.slice(0, cut % bytes.length);
    expect(() => decode(shorter)).toThrow(MalformedBytesError);
    expect(() => decode(Uint8Array.of(...bytes, 0))).toThrow(MalformedBytesError);
    try {
      expect(decode(encode(decode(noise)))).toEqual(decode(noise));
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedBytesError);
    }
  });
  fc.assert(property, { numRuns });
}

test('CS-310 blocks of entries', () => {
  const first = 7n;
  const placed = block.map((entries) =>
    entries.map((it, i) => ({ ...it, index: first + BigInt(i) })),
  );
  const key = blockKey({ epoch: 3, first });
  checkCodec<readonly Entry[]>(
    placed,
    (entries) => storedBlock(entries, { epoch: 3 }).value,
    (value) => entriesOf({ key, value }),
  );
});

test('CS-72 CS-310 a block is whole, or refused, whatever byte is changed in value or key', () => {
  const property = fc.property(block, fc.integer({ min: 1, max: 255 }), (entries, by) => {
    const { key, value } = storedBlock(entries);
    expect(entriesOf({ key, value })).toEqual(entries);
    const changed = (bytes: Uint8Array, at: number): Uint8Array =>
      bytes.map((byte, i) => (i === at ? byte ^ by : byte));
    for (let at = 0; at < value.length; at += 1) {
      const damaged = changed(value, at);
      expect(() => entriesOf({ key, value: damaged })).toThrow(MalformedBytesError);
    }
    for (let at = 0; at < key.length; at += 1) {
      const damaged = changed(key, at);
      expect(() => entriesOf({ key: damaged, value })).toThrow(MalformedBytesError);
    }
  });
  fc.assert(property, { numRuns: propRuns(50) });
});

test('CS-310 CS-348 formats', () => {
  const format = fc.record({
    identity: fc.record({ clusterId: name, nodeId: name, storeId }),
    level: anyLevel,
    incarnation: u64,
    clusterUid: fc.option(storeId, { nil: undefined }),
  });
  checkCodec(
    fc.record({ seq: u64, value: format }),
    ({ seq, value }) => encodeFormat(seq, value),
    (bytes) => decodeFormat(bytes, () => {}),
  );
});

const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

test('CS-310 positions', () => {
  const position = fc.record({ index: u64, term: u64, chain });
  const generation = fc.record({ generation: u64, manifestDigest: digest });
  const positions: fc.Arbitrary<StoredPositions> = fc.record({
    hardState,
    bounds: fc.record({
      epoch: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      purged: position,
      last: position,
      configurationIndex: u64,
      configurationDigest: chain,
    }),
    applied: fc.record({
      position: fc.record({ index: u64, term: u64, revision: u64 }),
      stateDigest: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      recordCount: u64,
      configurationIndex: u64,
    }),
    active: fc.option(generation, { nil: undefined }),
    installation: fc.option(generation, { nil: undefined }),
    head: fc.record({ seq: u64, digest: chain, formatSeq: u64 }),
  });
  checkCodec(
    positions,
    (value) => Uint8Array.of(...encodePositions(value, value.head), ...value.head.digest),
    decodePositions,
  );
});

test('CS-110 CS-310 manifests', () => {
  const member = fc.record({
    nodeId: name,
    storeId,
    incarnation: u64,
    endpoint: name,
    levels: anyLevels,
  });
  const members = fc.array(member, { maxLength: 3 });
  const manifest = fc.record({
    generation: u64,
    index: u64,
    term: u64,
    chain,
    configurationIndex: u64,
    configuration: fc.record({
      clusterUid: storeId,
      level: anyLevel,
      voters: members,
      outgoing: members,
      learners: members,
    }),
    revision: u64,
    stateDigest: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    recordCount: u64,
    sections: fc.array(digest, { maxLength: 3 }),
    bytes: fc.maxSafeNat(),
  });
  checkCodec(manifest, encodeManifest, decodeManifest);
});

test('CS-310 witnesses', () => {
  checkCodec(
    fc.record({ seq: u64, previousDigest: chain, digest: chain }),
    encodeWitness,
    decodeWitness,
  );
});

test('CS-72 CS-310 the frame catches every changed byte, in value and key', () => {
  const kind = fc.constantFrom(...Object.values(RECORD_KIND));
  const change = fc.integer({ min: 1, max: 255 });
  const property = fc.property(kind, plain(20), plain(60), change, (it, key, payload, flip) => {
    const value = encodeRecord(it, key, payload, 2);
    expect(decodeRecord(it, key, value, 2)).toEqual(payload);
    const damaged = (bytes: Uint8Array, at: number): Uint8Array =>
      bytes.map((byte, i) => (i === at ? byte ^ flip : byte));
    for (let at = 0; at < value.length; at += 1) {
      expect(() => decodeRecord(it, key, damaged(value, at), 255)).toThrow(MalformedBytesError);
    }
    for (let at = 0; at < key.length; at += 1) {
      expect(() => decodeRecord(it, damaged(key, at), value, 255)).toThrow(MalformedBytesError);
    }
    const other = it === RECORD_KIND.block ? RECORD_KIND.state : RECORD_KIND.block;
    expect(() => decodeRecord(other, key, value, 2)).toThrow('record kind');
  });
  fc.assert(property, { numRuns });
});
