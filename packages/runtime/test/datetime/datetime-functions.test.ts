import { printDatetime, readDatetime, type ScalarType, type TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { type Build, call, constant, evaluateCase, given } from '../program/expression-fixture.js';

function instant(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const value = readDatetime(bytes, 0, bytes.length);
  if (value === null) throw new Error(`${text} is no instant`);
  return value;
}

/** Texts that end in `Z` are instants, numbers counts, all others constants. */
function of(name: string, type: ScalarType, ...values: readonly (string | bigint)[]): Value {
  const parts = values.map((value) => {
    if (typeof value === 'bigint') return given('I64', value);
    return value.endsWith('Z') && value.includes('T')
      ? given('DATETIME', instant(value))
      : constant(value);
  });
  return shown(call(name, type, ...parts));
}

/** The value of a call, instants as text. */
function shown(build: Build): Value {
  let type: unknown;
  const value = evaluateCase((context) => {
    const expression = build(context);
    type = expression.type;
    return expression;
  });
  const isInstant = type === 'DATETIME' && typeof value === 'bigint';
  return isInstant ? printDatetime(value).replace('+00:00', 'Z') : value;
}

const OUTSIDE = (name: string): string => `overflow: ${name} result is outside the DATETIME range`;

describe('date_part (TYPE 6.6, TYPE 6.8)', () => {
  test.each<[string, bigint]>([
    ['year', 2029n],
    ['quarter', 3n],
    ['month', 7n],
    ['day', 1n],
    ['hour', 10n],
    ['minute', 20n],
    ['second', 30n],
    ['millisecond', 123n],
    ['microsecond', 123456n],
    ['nanosecond', 123456789n],
    ['day_of_week', 0n],
    ['day_of_year', 182n],
    ['iso_year', 2029n],
    ['iso_week', 26n],
    ['iso_day_of_week', 7n],
  ])('%s', (part, expected) => {
    expect(of('date_part', 'I64', part, '2029-07-01T10:20:30.123456789Z')).toBe(expected);
  });

  test.each<[string, string, string, bigint]>([
    ['hour', '2029-07-01T22:30:00Z', 'Europe/Paris', 0n],
    ['day', '2029-07-01T22:30:00Z', 'Europe/Paris', 2n],
    ['hour', '2029-07-01T22:30:00Z', '-03:30', 19n],
    ['iso_year', '2027-01-01T00:00:00Z', 'UTC', 2026n],
    ['iso_week', '2027-01-01T00:00:00Z', 'UTC', 53n],
    ['nanosecond', '1969-12-31T23:59:59.25Z', 'UTC', 250000000n],
    ['year', '1700-01-01T00:00:00Z', 'America/New_York', 1699n],
    ['hour', '2200-07-01T12:00:00Z', 'America/New_York', 8n],
  ])('%s of %s in %s', (part, value, zone, expected) => {
    expect(of('date_part', 'I64', part, value, zone)).toBe(expected);
  });
});

describe('date_trunc (TYPE 6.6, TYPE 6.8)', () => {
  test.each<[string, string, string, string]>([
    ['week', '2029-07-01T10:00:00Z', 'UTC', '2029-06-25T00:00:00Z'],
    ['quarter', '2029-08-15T10:00:00Z', 'UTC', '2029-07-01T00:00:00Z'],
    ['year', '2029-08-15T10:00:00Z', 'UTC', '2029-01-01T00:00:00Z'],
    ['month', '2029-08-15T10:00:00Z', '+05:30', '2029-07-31T18:30:00Z'],
    ['day', '2029-07-01T22:30:00Z', 'Europe/Paris', '2029-07-01T22:00:00Z'],
    ['hour', '2029-07-01T22:30:00Z', 'Asia/Kathmandu', '2029-07-01T22:15:00Z'],
    ['second', '1969-12-31T23:59:59.25Z', 'UTC', '1969-12-31T23:59:59Z'],
    ['millisecond', '2029-01-01T00:00:00.123456Z', 'Europe/Paris', '2029-01-01T00:00:00.123Z'],
    // Paris shows 02:00 to 03:00 twice.
    ['hour', '2030-10-27T01:15:00Z', 'Europe/Paris', '2030-10-27T00:00:00Z'],
    ['hour', '2030-10-27T00:15:00Z', 'Europe/Paris', '2030-10-27T00:00:00Z'],
    ['minute', '2030-10-27T01:00:30Z', 'Europe/Paris', '2030-10-27T01:00:00Z'],
    // São Paulo skipped the midnight of 2018-11-04.
    ['day', '2018-11-04T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    // The day of the change has 25 hours and one start.
    ['day', '2030-10-27T20:00:00Z', 'Europe/Paris', '2030-10-26T22:00:00Z'],
  ])('%s of %s in %s', (unit, value, zone, expected) => {
    expect(of('date_trunc', 'DATETIME', unit, value, zone)).toBe(expected);
  });

  test('below the range fails', () => {
    expect(of('date_trunc', 'DATETIME', 'year', '1677-12-01T00:00:00Z')).toBe(
      OUTSIDE('date_trunc'),
    );
  });
});

describe('date_bin, to_unix, from_unix (TYPE 6.6)', () => {
  const width = (value: string): TypedExpression => constant(value, 'I64');
  const bin = (unit: string, count: string, value: string, origin: string): Value =>
    shown(
      call(
        'date_bin',
        'DATETIME',
        constant(unit),
        width(count),
        given('DATETIME', instant(value)),
        given('DATETIME', instant(origin)),
      ),
    );

  test('bins are counted from the origin, both ways', () => {
    expect(bin('minute', '15', '2029-01-01T10:44:59Z', '2029-01-01T00:05:00Z')).toBe(
      '2029-01-01T10:35:00Z',
    );
    expect(bin('week', '2', '2029-01-01T00:00:00Z', '2029-01-01T00:00:01Z')).toBe(
      '2028-12-18T00:00:01Z',
    );
    expect(bin('week', '9000', '1677-09-22T00:00:00Z', '2029-01-01T00:00:00Z')).toBe(
      OUTSIDE('date_bin'),
    );
  });

  test.each<[string, string, bigint]>([
    ['second', '1969-12-31T23:59:59.25Z', -1n],
    ['week', '1970-01-07T23:59:59Z', 0n],
    ['week', '1969-12-31T00:00:00Z', -1n],
    ['nanosecond', '1970-01-01T00:00:00.000000007Z', 7n],
  ])('to_unix(%s, %s)', (unit, value, expected) => {
    expect(of('to_unix', 'I64', unit, value)).toBe(expected);
  });

  test('from_unix', () => {
    expect(of('from_unix', 'DATETIME', 'second', 1_900_000_000n)).toBe('2030-03-17T17:46:40Z');
    expect(of('from_unix', 'DATETIME', 'week', 9223372036854775807n)).toBe(OUTSIDE('from_unix'));
    expect(
      shown(
        call('from_unix', 'DATETIME', constant('nanosecond'), given('U64', 18446744073709551615n)),
      ),
    ).toBe(OUTSIDE('from_unix'));
  });
});

describe('date_add and date_diff (TYPE 6.6, TYPE 6.8)', () => {
  test.each<[string, bigint, string, string, string]>([
    ['month', 1n, '2030-12-31T00:00:00Z', 'UTC', '2031-01-31T00:00:00Z'],
    ['month', 1n, '2030-01-31T00:00:00Z', 'UTC', '2030-02-28T00:00:00Z'],
    ['year', -1n, '2028-02-29T01:00:00Z', 'UTC', '2027-02-28T01:00:00Z'],
    ['quarter', 2n, '2030-01-31T00:00:00.5Z', 'UTC', '2030-07-31T00:00:00.500Z'],
    ['day', 1n, '2030-03-30T12:00:00Z', 'Europe/Paris', '2030-03-31T11:00:00Z'],
    ['day', 1n, '2030-03-30T12:00:00Z', 'UTC', '2030-03-31T12:00:00Z'],
    ['hour', 24n, '2030-03-30T12:00:00Z', 'Europe/Paris', '2030-03-31T12:00:00Z'],
    // 02:30 is skipped on the 31st and shown twice on the 27th of October.
    ['day', 1n, '2030-03-30T01:30:00Z', 'Europe/Paris', '2030-03-31T01:30:00Z'],
    ['day', 1n, '2030-10-26T00:30:00Z', 'Europe/Paris', '2030-10-27T00:30:00Z'],
    ['day', 0n, '2030-10-27T01:30:00Z', 'Europe/Paris', '2030-10-27T01:30:00Z'],
    ['week', -1n, '2030-04-03T12:00:00Z', 'Europe/Paris', '2030-03-27T13:00:00Z'],
  ])('%s %s after %s in %s', (unit, count, value, zone, expected) => {
    expect(of('date_add', 'DATETIME', unit, count, value, zone)).toBe(expected);
  });

  test.each<[string, bigint]>([
    ['year', 300n],
    ['month', 9223372036854775807n],
    ['nanosecond', 9223372036854775807n],
    ['day', -9223372036854775808n],
  ])('%s %s is out of range', (unit, count) => {
    expect(of('date_add', 'DATETIME', unit, count, '2030-01-01T00:00:00Z')).toBe(
      OUTSIDE('date_add'),
    );
  });

  test('only the final instant is checked', () => {
    const parts = [constant('year'), given('I64', -600n), given('DATETIME', 2n ** 63n - 1n)];
    expect(shown(call('date_add', 'DATETIME', ...parts))).toBe(OUTSIDE('date_add'));
    const back = [constant('year'), given('I64', -584n), given('DATETIME', 2n ** 63n - 1n)];
    expect(shown(call('date_add', 'DATETIME', ...back))).toBe('1678-04-11T23:47:16.854775807Z');
  });

  test.each<[string, string, string, string, bigint]>([
    ['month', '2030-11-30T00:00:00Z', '2031-02-28T00:00:00Z', 'UTC', 2n],
    ['month', '2030-03-31T00:00:00Z', '2030-04-30T00:00:00Z', 'UTC', 0n],
    ['month', '2030-03-31T12:00:00Z', '2030-05-31T11:00:00Z', 'UTC', 1n],
    ['month', '2030-05-31T11:00:00Z', '2030-03-31T12:00:00Z', 'UTC', -1n],
    ['quarter', '2030-01-15T00:00:00Z', '2031-01-14T00:00:00Z', 'UTC', 3n],
    ['year', '2028-02-29T00:00:00Z', '2029-02-28T00:00:00Z', 'UTC', 0n],
    ['day', '2030-03-30T12:00:00Z', '2030-03-31T11:00:00Z', 'Europe/Paris', 1n],
    ['day', '2030-03-30T12:00:00Z', '2030-03-31T11:00:00Z', 'UTC', 0n],
    ['week', '2030-03-24T12:00:00Z', '2030-03-31T11:00:00Z', 'Europe/Paris', 1n],
    ['hour', '2030-03-30T12:00:00Z', '2030-03-31T11:59:59Z', 'Europe/Paris', 23n],
    ['day', '2030-01-03T01:00:00Z', '2030-01-01T02:00:00Z', 'Europe/Paris', -1n],
  ])('%s from %s to %s in %s', (unit, start, end, zone, expected) => {
    expect(of('date_diff', 'I64', unit, start, end, zone)).toBe(expected);
  });

  test('more nanoseconds than I64 holds fail', () => {
    const [min, max] = [given('DATETIME', -(2n ** 63n)), given('DATETIME', 2n ** 63n - 1n)];
    expect(shown(call('date_diff', 'I64', constant('nanosecond'), min, max))).toBe(
      'overflow: date_diff result does not fit I64',
    );
    expect(shown(call('date_diff', 'I64', constant('microsecond'), max, min))).toBe(
      -18446744073709551n,
    );
  });
});
