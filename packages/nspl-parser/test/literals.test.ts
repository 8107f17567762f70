import { describe, expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { expectRefusal, expressionRefusal, read } from './support/reading.ts';

const UNITS =
  'nanos nsec ns usec us millis msec ms seconds second secs sec s minutes minute mins min m ' +
  'hours hour hrs hr h days day d weeks week wks wk w months month M years year yrs yr y';
const SIZES = 'B kB KiB MB MiB GB GiB TB TiB PB PiB EB EiB';
const branch = 'CREATE BRANCH b SCHEMA s TTL';
const buffer =
  'CREATE INGESTOR i FROM ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE BUFFER MAX SIZE';
const rest =
  'DECODE USING c TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';

describe('NSPL 1.4: a duration keeps its spelling', () => {
  const compound = '1h30m 1m30s500ms 1.5s 0s 1h30min 18446744073709551615s';
  test.each([...UNITS.split(' ').map((unit) => `5${unit}`), ...compound.split(' ')])(
    '%s',
    (text) => {
      expect(printStatement(read(`${branch} ${text}`))).toBe(`${branch} ${text};`);
    },
  );

  test('a word that is no keyword is one that nothing has checked yet', () => {
    expect(printStatement(read(`${branch} Soon`))).toBe(`${branch} Soon;`);
  });

  test.each([
    ['5foo', "unknown unit 'foo'"],
    ['5S', "unknown unit 'S'"],
    ['5HOURS', "unknown unit 'HOURS'"],
    ['1h30', 'number expected'],
    ['1h30foo', "unknown unit 'foo'"],
    ['584542046091y', 'it is longer than a duration can be'],
    ['18446744073709551616s', 'it is longer than a duration can be'],
    ['18446744073709551615s1000ms', 'it is longer than a duration can be'],
  ])('%s is refused', (text, reason) => {
    expectRefusal(`${branch} ${text}`, `invalid duration '${text}': ${reason}`, text);
  });

  test.each([
    ['5', 'end of input', ''],
    ['max', 'max', 'max'],
    ["'5s'", '"5s"', "'5s'"],
  ])('%s', (text, found, pointed) => {
    expectRefusal(`${branch} ${text}`, `expected duration_literal, found ${found}`, pointed);
  });
});

describe('NSPL 1.4: a clock duration is a count of nanoseconds', () => {
  const clock = (period: string) => `CREATE PACED DOMAIN d WITH PERIOD ${period} SKEW 0s`;
  test.each([
    ['1500ms', '1500ms'],
    ['60s', '1m'],
    ['1.5m', '90s'],
    ['1h30m', '90m'],
    ['1us', '1us'],
    ['1000ns', '1us'],
    ['1w', '7d'],
  ])('%s', (text, printed) => {
    expect(printStatement(read(clock(text)))).toBe(`${clock(printed)};`);
  });

  test.each([
    ['0s', 'it must be greater than zero'],
    ['soon', 'number expected'],
    ['600y', 'it exceeds 64-bit nanoseconds'],
  ])('%s is refused', (text, reason) => {
    expectRefusal(clock(text), `invalid duration '${text}': ${reason}`, text);
  });
});

describe('NSPL 1.4: a byte size keeps its spelling', () => {
  const texts = SIZES.split(' ').flatMap((unit) => [`5${unit}`, `1.5${unit.toLowerCase()}`]);
  test.each(texts)('%s', (text) => {
    expect(printStatement(read(`${buffer} ${text} ${rest}`))).toContain(`MAX SIZE ${text}\n`);
  });

  test.each([
    ['5foo', "unknown unit 'foo'"],
    ['5K', "unknown unit 'K'"],
    ['5iB', "unknown unit 'iB'"],
    ['large', 'a number followed by a unit is expected'],
    ['1e3B', 'a number followed by a unit is expected'],
  ])('%s is refused', (text, reason) => {
    expectRefusal(`${buffer} ${text}`, `invalid byte_size_literal: ${reason}`, text);
  });

  test('a number alone is none', () => {
    expectRefusal(
      `${buffer} 5 DECODE`,
      "invalid byte_size_literal: unknown unit 'DECODE'",
      '5 DECODE',
    );
    expectRefusal(`${buffer} 5`, 'expected byte_size_literal, found end of input', '');
  });
});

describe('NSPL 1.4: integers', () => {
  const capacity = 'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY';
  const pool = 'CREATE CLIENT c TYPE REDIS POOL SIZE MIN';
  const u32 = '; expected 0 through 4294967295';
  test.each([
    [capacity, 'x', ''],
    [capacity, '1.5', ''],
    [capacity, '1e3', ''],
    [capacity, '18446744073709551616', ''],
    [pool, 'x', u32],
    [pool, '0.5', u32],
    [pool, '4294967296', u32],
  ])('%s %s', (head, text, range) => {
    expectRefusal(`${head} ${text}`, `invalid integer '${text}'${range}`, text);
  });

  test('the greatest are accepted, a sign or a leading zero is not', () => {
    expect(read(`${capacity} 18446744073709551615`)).toMatchObject({
      model: { capacity: '18446744073709551615' },
    });
    expect(() => read(`${pool} 0 MAX 4294967295 CONFIG {}`)).not.toThrow();
    expectRefusal(`${capacity} -1`, 'expected relay_capacity, found -', '-');
    expectRefusal(`${capacity} 07`, 'relay CAPACITY must be greater than zero', '0');
  });
});

describe('NSPL 3: numbers of expressions', () => {
  test.each([
    ['9223372036854775807', 'parsed'],
    [
      '9223372036854775808',
      "invalid integer literal '9223372036854775808': number too large to fit in target type",
    ],
    [
      '1.5e3',
      "number literal '1.5e3' has an exponent, which an expression does not read; write '1.5e3' AS F64",
    ],
    [`1${'0'.repeat(308)}.0`, 'parsed'],
    [
      `1${'0'.repeat(309)}.0`,
      `invalid float literal '1${'0'.repeat(63)}…': number too large to fit in target type`,
    ],
  ])('%.40s', (text, message) => {
    expect(expressionRefusal(text)).toBe(message);
  });
});
