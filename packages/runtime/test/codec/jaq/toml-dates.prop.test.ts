import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { quoteDates } from '../../../src/codec/jaq/toml-dates.js';
import { propertyRuns } from '../../support/property-runs.js';

const two = (low: number, high: number) =>
  fc.integer({ min: low, max: high }).map((value) => String(value).padStart(2, '0'));
const date = fc
  .tuple(fc.integer({ min: 1000, max: 9999 }), two(1, 12), two(1, 28))
  .map((parts) => parts.join('-'));
const time = fc
  .tuple(two(0, 23), two(0, 59), two(0, 59), fc.constantFrom('', '.123', '.999'))
  .map(([hour, minute, second, fraction]) => `${hour}:${minute}:${second}${fraction}`);
const offset = fc.constantFrom('', 'Z', '+02:00', '-11:30');
const instant = fc
  .tuple(date, fc.constantFrom('T', ' '), time, offset)
  .map((parts) => parts.join(''));
/** Texts in which dates are no values. */
const decoy = fc.constantFrom(
  '"2024-02-30"',
  "'2024-02-30 = \\'",
  '"\\" = 2024-02-30"',
  '"""\n2024-02-30\n"" = 2024-02-30"""',
  "'''\n[2024-02-30]\n'''",
  '1_000',
  '0x20240101',
  '-17.5e3',
  'true',
);
const scalar = fc.oneof(instant, date, time, decoy);
const array = fc
  .tuple(fc.array(scalar, { maxLength: 4 }), fc.constantFrom(', ', ',\n', ', # 2024-02-30\n'))
  .map(([parts, comma]) => `[\n${parts.map((part) => `${part}${comma}`).join('')}]`);
const table = fc
  .array(scalar, { maxLength: 3 })
  .map((parts) => `{${parts.map((part, at) => `2024-02-3${at} = ${part}`).join(', ')}}`);
const key = fc.constantFrom('a', '2024-02-30', '"2024-02-30"', 'b.2024-02-30', '07-32');
const line = fc
  .tuple(key, fc.oneof(scalar, array, table), fc.constantFrom('', ' # = 2024-02-30'))
  .map(([name, value, comment]) => `${name} = ${value}${comment}`);
const documents = fc
  .array(line, { maxLength: 6 })
  .map((lines) =>
    lines.map((each, at) => `[t${at}.2024-02-30]\n${each}\n[[l.2024-02-30]]\nx = 1\n`).join(''),
  );

/** Values with dates as the texts that the parser gives for them. */
function withTexts(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTexts(part)]));
}

/** Texts of dates without what two notations of one time may differ in. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'string' && /^[0-9-]{0,10}T?[0-9:]{8}/.test(part)
        ? part.replace(/\.000/, '')
        : part,
    ),
  );
}

describe('dates of TOML documents (CN-321)', () => {
  test('are texts, and nothing else of the document changes', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(plain(parse(quoteDates(document)))).toEqual(plain(withTexts(parse(document))));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test.each([
    ['d = 2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456789Z'],
    ['d = 2024-02-29 07:32:00z', '2024-02-29T07:32:00Z'],
    ['d = 07:32:00.123456', '07:32:00.123456'],
    ['d = 2024-02-29', '2024-02-29'],
  ])('keep their digits: %s', (document, text) => {
    expect(parse(quoteDates(document))['d']).toBe(text);
  });

  test.each([
    ['d = 2024-02-30T00:00:00Z', 'date does not exist'],
    ['d = 2023-02-29', 'date does not exist'],
    ['d = [2023-04-31T12:00:00]', 'date does not exist'],
    ['d = 2023-13-01', 'date does not exist'],
    ['d = {e = 2023-00-01}', 'date does not exist'],
    ['d = 24:00:00', 'time does not exist'],
    ['d = 2024-01-01T00:60:00Z', 'time does not exist'],
    ['d = 2024-01-01T00:00:60Z', 'time does not exist'],
    ['d = 2024-01-01T00:00:00+24:00', 'offset does not exist'],
  ])('that do not exist are refused: %s', (document, reason) => {
    expect(() => quoteDates(document)).toThrow(reason);
  });
});
