import { fc, test as property } from '@fast-check/vitest';
import { equalData } from '@nervix/model';
import { expect, test } from 'vitest';
import { equalModels } from '../src/index.js';

test.each([
  [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: undefined, b: 1 }, { a: 1, b: undefined }, false],
  [{ a: 1n }, { a: 1n }, true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [Number.NaN, Number.NaN, true],
])('equality %#', (left, right, expected) => {
  expect(equalModels(left, right)).toBe(expected);
});

const data = fc.jsonValue({ maxDepth: 3 });

property.prop([data, data])('agrees with equality of canonical texts', (left, right) => {
  expect(equalModels(left, right)).toBe(equalData(left, right));
  expect(equalModels(left, structuredClone(left))).toBe(true);
});
