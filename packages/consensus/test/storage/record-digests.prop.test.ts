import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordDigests } from '../../src/storage/record-digests.ts';
import { propRuns } from '../support/prop-runs.ts';

const COUNT_MAX = 6;
const LONG = 'n'.repeat(257);
const names = [...'abcdefgh', LONG];
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(fc.tuple(fc.constantFrom(...names), fc.bigInt(0n, 3n)), { maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.constant('clear' as const) },
);

test('CS-82 what is remembered of a record is what was written last, and unknown is not absent', () => {
  const property = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const digests = new RecordDigests(COUNT_MAX);
    const written = new Map<string, bigint>();
    for (const it of steps) {
      if (it === 'clear') digests.clear();
      else {
        digests.remember(it);
        for (const [name, digest] of it) written.set(name, digest);
      }
      for (const name of names) {
        // Nothing at all is right as well: the record is then read.
        expect([written.get(name) ?? 0n, undefined]).toContain(digests.get(name));
      }
    }
  });
  fc.assert(property, { numRuns: propRuns(300) });
});

test('CS-82 a state of few records is known as a whole, also what is not in it', () => {
  const digests = new RecordDigests(COUNT_MAX);
  for (const name of 'abcdef') digests.remember([[name, 1n]]);
  digests.remember([['a', 0n]]);
  expect([...'abx'].map((name) => digests.get(name))).toEqual([0n, 1n, 0n]);
  digests.remember([['g', 2n]]);
  expect(digests.get('x')).toBe(0n);
  digests.remember([['h', 2n]]);
  expect([...'bcghx'].map((name) => digests.get(name))).toEqual([undefined, 1n, 2n, 2n, undefined]);
});
