import { describe, expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const window = 'CREATE WINDOW PROCESSOR w FROM a WIDTH';
const rest = 'UNBRANCHED TO b SET x = 1 ON MESSAGE ERROR LOG';

/** Lines of a window processor from its width to its branching. */
function extent(text: string): string {
  const lines = printStatement(read(`${window} ${text} ${rest}`)).split('\n');
  const end = lines.indexOf('  UNBRANCHED');
  return lines
    .slice(2, end)
    .map((line) => line.trim())
    .join(' ');
}

describe('NSPL 6.4, 9.3: a window is as wide and steps as far as it says', () => {
  test.each([
    ['10 messages step 5 messages', 'WIDTH 10 MESSAGES STEP 5 MESSAGES'],
    ['10 MESSAGES STEP 10 MESSAGES', 'WIDTH 10 MESSAGES STEP 10 MESSAGES'],
    ['10s duration step 2s duration', 'WIDTH 10s DURATION STEP 2s DURATION'],
    ['1m DURATION STEP 60s DURATION', 'WIDTH 1m DURATION STEP 60s DURATION'],
    ['3 MESSAGES 5s DURATION STEP 1 MESSAGES', 'WIDTH 3 MESSAGES 5s DURATION STEP 1 MESSAGES'],
    ['3 MESSAGES 5s DURATION STEP 1s DURATION', 'WIDTH 3 MESSAGES 5s DURATION STEP 1s DURATION'],
    [
      '5s DURATION 3 MESSAGES STEP 1s DURATION 2 MESSAGES',
      'WIDTH 3 MESSAGES 5s DURATION STEP 2 MESSAGES 1s DURATION',
    ],
    [
      '18446744073709551615 MESSAGES STEP 1 MESSAGES',
      'WIDTH 18446744073709551615 MESSAGES STEP 1 MESSAGES',
    ],
  ])('%s', (text, canonical) => {
    expect(extent(text)).toBe(canonical);
  });
});

describe('NSPL 1.4, 6.4: the state of a window is a count of bytes', () => {
  test.each([
    ['1KiB', '1024B'],
    ['1.5kib', '1536B'],
    ['18446744073709551615B', '18446744073709551615B'],
  ])('%s', (size, canonical) => {
    expect(extent(`1 MESSAGES STEP 1 MESSAGES MAX STATE SIZE ${size}`)).toBe(
      `WIDTH 1 MESSAGES STEP 1 MESSAGES MAX STATE SIZE ${canonical}`,
    );
  });

  test.each([
    ['0KiB', 'MAX STATE SIZE must be greater than zero'],
    ['16EiB', 'invalid byte_size_literal: it is larger than a byte count can be'],
    ['18446744073709551616B', 'invalid byte_size_literal: it is larger than a byte count can be'],
    ['5foo', "invalid byte_size_literal: unknown unit 'foo'"],
  ])('%s', (size, message) => {
    expectRefusal(`${window} 1 MESSAGES STEP 1 MESSAGES MAX STATE SIZE ${size}`, message, size);
  });
});

describe('NSPL 1.4, 6.4: refusals of bounds with their own message', () => {
  test.each([
    ['1.5 MESSAGES', "invalid integer '1.5'", '1.5'],
    ['1e3 MESSAGES', "invalid integer '1e3'", '1e3'],
    ['1 MESSAGES STEP 0.5 MESSAGES', "invalid integer '0.5'", '0.5'],
    [
      '18446744073709551616 MESSAGES',
      "invalid integer '18446744073709551616'",
      '18446744073709551616',
    ],
    ['1s DURATION 1.5 MESSAGES', "invalid integer '1.5'", '1.5'],
    ['5foo DURATION', "invalid duration '5foo': unknown unit 'foo'", '5foo'],
    ['1s DURATION STEP 5foo DURATION', "invalid duration '5foo': unknown unit 'foo'", '5foo'],
    ['soon DURATION STEP 1s DURATION', 'invalid WIDTH duration: number expected', 'soon DURATION'],
    [
      '1 MESSAGES soon DURATION STEP 1s DURATION',
      'invalid WIDTH duration: number expected',
      '1 MESSAGES soon DURATION',
    ],
    ['1s DURATION STEP soon DURATION', 'invalid STEP duration: number expected', 'soon DURATION'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(`${window} ${text}`, message, pointed);
  });
});
