import { expect, test } from 'vitest';
import { copyRange } from '../../src/column/copy-range.js';

test('ranges of any length are copied from and to anywhere, and nothing beside them', () => {
  const source = Uint8Array.from({ length: 300 }, (_, at) => (at * 37 + 11) % 251);
  for (let length = 0; length <= 210; length += 1) {
    for (const [from, to] of [
      [0, 0],
      [3, 1],
      [7, 30],
    ] as const) {
      const target = new Uint8Array(300).fill(255);
      copyRange(source, from, from + length, target, to);
      const expected = new Uint8Array(300).fill(255);
      expected.set(source.slice(from, from + length), to);
      expect(Buffer.compare(target, expected)).toBe(0);
    }
  }
});
