import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  packBytes,
  packResults,
  packWrites,
  unpackBytes,
  unpackResults,
  unpackWrites,
} from '../../src/worker/packing.ts';
import { propRuns } from '../support/prop-runs.ts';

const bytes = fc.uint8Array({ maxLength: 20 });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const numRuns = propRuns(300);

test('CS-1 commands cross threads as they are', () => {
  fc.assert(
    fc.property(fc.array(bytes), (items) => {
      expect(unpackBytes(packBytes(items)).map((it) => [...it])).toEqual(
        items.map((it) => [...it]),
      );
    }),
    { numRuns },
  );
});

test('CS-1 results cross threads as they are', () => {
  const result = fc.record({ index: u64, term: u64, revision: u64, result: bytes });
  const numbered = fc.record({ id: fc.nat(2 ** 32 - 1), result });
  fc.assert(
    fc.property(fc.array(numbered), (results) => {
      expect([...unpackResults(packResults(results))]).toEqual(results);
    }),
    { numRuns },
  );
});

test('CS-1 changes of records cross threads as they are', () => {
  const write = fc.record({ key: bytes, value: fc.option(bytes, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(write), (writes) => {
      expect([...unpackWrites(packWrites(writes))]).toEqual(writes);
    }),
    { numRuns },
  );
});
