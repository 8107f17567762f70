import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText, decodeText, encodeText } from '../../src/column/text.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(1000);

test('texts order by code points and survive UTF-8 (TYPE 3)', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const [a, b] = [encodeText(left), encodeText(right)];
      expect(decodeText(a, 0, a.length)).toBe(left);
      expect(Math.sign(compareText(left, right))).toBe(Math.sign(Buffer.compare(a, b)));
    }),
    { numRuns: RUNS },
  );
});
