import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveStateDigest, recordDigest } from '../../src/storage/digests.ts';
import { propRuns } from '../support/prop-runs.ts';

const bytes = fc.uint8Array({ maxLength: 6 });
const records = fc.uniqueArray(fc.tuple(bytes, bytes), {
  maxLength: 12,
  selector: ([key]) => Buffer.from(key).toString('hex'),
});

function digestOf(all: readonly (readonly [Uint8Array, Uint8Array])[]): bigint {
  return all.reduce((sum, [key, value]) => moveStateDigest(sum, 0n, recordDigest(key, value)), 0n);
}

test('CS-318 the state digest ignores order and sees every added, removed or replaced record', () => {
  const property = fc.property(records, bytes, bytes, (all, value, extra) => {
    const digest = digestOf(all);
    expect(digestOf(all.toReversed())).toBe(digest);
    const first = all[0];
    if (first === undefined) return;
    const [key, before] = first;
    const rest = all.slice(1);
    const removed = moveStateDigest(digest, recordDigest(key, before), 0n);
    expect(removed).toBe(digestOf(rest));
    expect(removed).not.toBe(digest);
    const replaced = moveStateDigest(digest, recordDigest(key, before), recordDigest(key, value));
    expect(replaced).toBe(digestOf([[key, value], ...rest]));
    expect(replaced === digest).toBe(Buffer.compare(before, value) === 0);
    const longer = Uint8Array.of(...key, ...extra, 0);
    expect(recordDigest(longer, before)).not.toBe(recordDigest(key, before));
  });
  fc.assert(property, { numRuns: propRuns(200) });
});
