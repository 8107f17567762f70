import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchEncoder } from '../../src/storage/batch-encoder.ts';
import { decodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { propRuns } from '../support/prop-runs.ts';

const NO_DIGEST = new Uint8Array(16);
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((it) => new Uint8Array(it));
const large = fc.integer({ min: 0, max: 700_000 }).map((length) => new Uint8Array(length).fill(5));
const change = fc.record({
  key: bytes(40),
  value: fc.oneof({ weight: 20, arbitrary: bytes(2_000) }, { weight: 1, arbitrary: large }),
  isRemoved: fc.boolean(),
});
const batches = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 5 });
type Changes = readonly { key: Uint8Array; value: Uint8Array; isRemoved: boolean }[];

/** What the batch gives to the database, copied, and its digest. */
function contentOf(batch: BatchEncoder, changes: Changes) {
  for (const { key, value, isRemoved } of changes) {
    if (isRemoved) batch.delete(key);
    else batch.putState(key, value);
  }
  const digest = batch.putPositions(NO_DIGEST, Uint8Array.of(1, 2, 3));
  const operations = batch.operations.map((it) => [
    new Uint8Array(it.key),
    it.type === 'put' ? new Uint8Array(it.value) : undefined,
  ]);
  return { digest, operations };
}

test('CS-75 a batch in the memory of former ones is what it would be in its own', () => {
  fc.assert(
    fc.property(batches, fc.nat(5_000), (all, capacity) => {
      const reused = new BatchEncoder(1);
      for (const changes of all) {
        const own = contentOf(new BatchEncoder(1), changes);
        expect(contentOf(reused.restart(1, capacity), changes)).toEqual(own);
      }
    }),
    { numRuns: propRuns(100) },
  );
});

test('CS-72 the checksum of a value covers its key and the value', () => {
  fc.assert(
    fc.property(bytes(40), bytes(300), fc.nat(), (key, value, place) => {
      const batch = new BatchEncoder(1);
      batch.putState(key, value);
      const [operation] = batch.operations;
      if (operation?.type !== 'put') throw new Error('the batch stores the record');
      const stored = decodeRecord(RECORD_KIND.state, operation.key, operation.value, 1);
      expect([...stored]).toEqual([...value]);
      const other = new Uint8Array(operation.key);
      const at = place % other.length;
      other[at] = (other[at] ?? 0) ^ 1;
      expect(() => decodeRecord(RECORD_KIND.state, other, operation.value, 1)).toThrow();
    }),
    { numRuns: propRuns(100) },
  );
});
