import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZERO_CHAIN } from '../../src/raft/entry.ts';
import { ENTRY_KIND_CODE } from '../../src/raft/entry-kind.ts';
import { chainOf, moveStateDigest, recordDigest } from '../../src/storage/digests.ts';
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

test('CS-82 CS-350 digests are those of their own content, whatever was hashed before, large or small', () => {
  const sizes = fc.array(fc.constantFrom(0, 1, 16, 300, 65_480, 65_536, 70_000), { maxLength: 12 });
  const sha256 = (...parts: readonly Uint8Array[]): string => hash('sha256', Buffer.concat(parts));
  const property = fc.property(sizes, fc.nat({ max: 255 }), (list, filling) => {
    const key = Uint8Array.of(filling, 1);
    for (const [index, size] of list.entries()) {
      const payload = new Uint8Array(size).fill(filling + index);
      const record = BigInt(`0x${sha256(Uint8Array.of(0, 0, 0, 2), key, payload)}`);
      expect(recordDigest(key, payload)).toBe(record);
      const head = new Uint8Array(17);
      head[7] = index;
      head[15] = 3;
      head[16] = ENTRY_KIND_CODE.normal;
      const chain = chainOf(ZERO_CHAIN, {
        index: BigInt(index),
        term: 3n,
        kind: 'normal',
        payload,
      });
      expect(Buffer.from(chain).toString('hex')).toBe(
        sha256(ZERO_CHAIN, head, payload).slice(0, 32),
      );
    }
  });
  fc.assert(property, { numRuns: propRuns(50) });
});
