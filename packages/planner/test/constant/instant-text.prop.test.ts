import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { printFloat, readFloat } from '../../src/constant/float-text.js';
import { printInstant, readInstant } from '../../src/constant/instant-text.js';

const instant = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });

test.prop([instant])('a printed instant reads back and agrees with the platform', (nanos) => {
  const text = printInstant(nanos);
  expect(readInstant(text)).toBe(nanos);
  const millis = Number((nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n);
  expect(text.slice(0, 19)).toBe(new Date(millis).toISOString().slice(0, 19));
});

test.prop([fc.double({ noNaN: true })])('a printed double reads back', (value) => {
  expect(readFloat(printFloat(value, 'F64'), 'F64')).toBe(value);
});

test.prop([fc.float({ noNaN: true })])('a printed single reads back', (value) => {
  expect(readFloat(printFloat(value, 'F32'), 'F32')).toBe(value);
});
