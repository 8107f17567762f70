import { timeZoneNames } from '@nervix/model';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { TimeZone, timeZoneRuleNames } from '../../src/datetime/time-zone.js';
import { call, constant, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(200);

/** Zones of every kind of rule, whose past and present the host and the product agree on. */
const ZONES = [
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Dublin',
  'Europe/London',
  'Europe/Paris',
  'Pacific/Apia',
  'Pacific/Auckland',
];
const zone = fc.constantFrom(...ZONES);
const START = BigInt(Date.UTC(1971, 0, 1)) * 1_000_000n;
const END = BigInt(Date.UTC(2150, 0, 1)) * 1_000_000n;
/** Instants anywhere, and close to the changes of some year in some zone. */
const instant = fc.oneof(
  fc.bigInt({ min: START, max: END }),
  fc
    .tuple(zone, fc.bigInt({ min: START, max: END }), fc.bigInt({ min: -7200n, max: 7200n }))
    .map(([name, value, seconds]) => {
      const at = new Temporal.ZonedDateTime(value, name);
      const change = at.getTimeZoneTransition('next');
      return (change?.epochNanoseconds ?? value) + seconds * 1_000_000_000n;
    }),
);

function of(name: string, ...parts: Parameters<typeof call>[2][]): Value {
  const type = name === 'date_part' ? 'I64' : name === 'format_datetime' ? 'STRING' : 'DATETIME';
  return evaluateCase(call(name, type, ...parts));
}

/**
 * Where the local times within so long of `first`'s day begin that lead to `at` without interruption: a
 * clock that goes back over midnight shows a day in two pieces, of which only the later counts.
 */
function unbrokenStart(
  at: Temporal.ZonedDateTime,
  first: Temporal.ZonedDateTime,
  length: Temporal.DurationLike,
): bigint {
  const start = first.startOfDay();
  const date = first.toPlainDate();
  const end = date.add(length);
  const midnight = date.toPlainDateTime().toZonedDateTime(at.timeZoneId, {
    disambiguation: 'later',
  });
  const found = [start, midnight];
  let change = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  for (; change !== null && change.epochNanoseconds > start.epochNanoseconds; ) {
    found.push(change);
    change = change.getTimeZoneTransition('previous');
  }
  const begins = found.filter((each) => {
    const before = each.subtract({ nanoseconds: 1 }).toPlainDate();
    const isOutside =
      Temporal.PlainDate.compare(before, date) < 0 || Temporal.PlainDate.compare(before, end) >= 0;
    return isOutside && each.epochNanoseconds <= at.epochNanoseconds;
  });
  const instants = begins.map(({ epochNanoseconds }) => epochNanoseconds);
  return instants.sort((left, right) => (left < right ? -1 : 1)).at(-1) ?? start.epochNanoseconds;
}

/**
 * The dates between two instants, of which the later is moved toward the earlier until the time of
 * day of `from` on it is not past `to`: as instants, where the host compares local times.
 */
function daysBetween(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): number {
  const isForward = to.epochNanoseconds >= from.epochNanoseconds;
  const [first, plainTime] = [from.toPlainDate(), from.toPlainTime()];
  let date = to.toPlainDate();
  while (!date.equals(first)) {
    const at = date.toZonedDateTime({ timeZone: from.timeZoneId, plainTime }).epochNanoseconds;
    if (isForward ? at <= to.epochNanoseconds : at >= to.epochNanoseconds) break;
    date = isForward ? date.subtract({ days: 1 }) : date.add({ days: 1 });
  }
  return first.until(date).days;
}

describe('datetime functions in IANA zones, against Temporal (TYPE 6.6, TYPE 6.8)', () => {
  test('parts and offsets', () => {
    fc.assert(
      fc.property(instant, zone, (value, name) => {
        const expected = new Temporal.ZonedDateTime(value, name);
        const part = (word: string): Value =>
          of('date_part', constant(word), given('DATETIME', value), constant(name));
        expect(part('year')).toBe(BigInt(expected.year));
        expect(part('day_of_year')).toBe(BigInt(expected.dayOfYear));
        expect(part('hour')).toBe(BigInt(expected.hour));
        expect(part('minute')).toBe(BigInt(expected.minute));
        expect(part('iso_week')).toBe(BigInt(expected.weekOfYear ?? 0));
        expect(part('iso_year')).toBe(BigInt(expected.yearOfWeek ?? 0));
        expect(part('iso_day_of_week')).toBe(BigInt(expected.dayOfWeek));
        const parts = [constant('%:z'), given('DATETIME', value), constant(name)];
        expect(of('format_datetime', ...parts)).toBe(expected.offset);
      }),
      { numRuns: RUNS },
    );
  });

  test('sums', () => {
    const unit = fc.constantFrom('hour', 'day', 'week', 'month', 'year');
    fc.assert(
      fc.property(
        instant,
        zone,
        unit,
        fc.integer({ min: -40, max: 40 }),
        (value, name, word, n) => {
          const expected = new Temporal.ZonedDateTime(value, name).add({ [`${word}s`]: n });
          const parts = [constant(word), given('I32', n), given('DATETIME', value), constant(name)];
          expect(of('date_add', ...parts)).toBe(n === 0 ? value : expected.epochNanoseconds);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('starts of days and months', () => {
    fc.assert(
      fc.property(instant, zone, (value, name) => {
        const at = new Temporal.ZonedDateTime(value, name);
        const start = (word: string): Value =>
          of('date_trunc', constant(word), given('DATETIME', value), constant(name));
        const monday = at.subtract({ days: at.dayOfWeek - 1 });
        expect(start('day')).toBe(unbrokenStart(at, at, { days: 1 }));
        expect(start('month')).toBe(unbrokenStart(at, at.with({ day: 1 }), { months: 1 }));
        expect(start('week')).toBe(unbrokenStart(at, monday, { weeks: 1 }));
      }),
      { numRuns: RUNS },
    );
  });

  test('local times that are skipped or repeated', () => {
    fc.assert(
      fc.property(
        instant,
        zone,
        fc.constantFrom<'earlier' | 'later' | 'compatible'>('earlier', 'later', 'compatible'),
        fc.integer({ min: -5400, max: 5400 }),
        (value, name, disambiguation, shift) => {
          const local = new Temporal.ZonedDateTime(value, name)
            .toPlainDateTime()
            .add({ seconds: shift });
          const expected = local.toZonedDateTime(name, { disambiguation });
          const parts = [
            constant('%FT%T%.f'),
            given('STRING', local.toString({ smallestUnit: 'nanosecond' })),
            constant(name),
            constant(disambiguation),
          ];
          expect(of('parse_datetime', ...parts)).toBe(expected.epochNanoseconds);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('days between instants', () => {
    fc.assert(
      fc.property(instant, instant, zone, (start, end, name) => {
        const from = new Temporal.ZonedDateTime(start, name);
        const to = new Temporal.ZonedDateTime(end, name);
        const parts = [constant('day'), given('DATETIME', start), given('DATETIME', end)];
        const days = evaluateCase(call('date_diff', 'I64', ...parts, constant(name)));
        expect(Number(days)).toBe(daysBetween(from, to));
      }),
      { numRuns: RUNS },
    );
  });
});

test('every zone that a statement may name has rules, and no other (TYPE 6.8)', () => {
  const names = [...timeZoneNames()].sort();
  expect([...timeZoneRuleNames()].sort()).toEqual(names);
  for (const name of names) expect(TimeZone.of(name).typeAt(0).abbreviation).not.toBe('');
});

test("a format and the reader of it are each other's reverse", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      for (const format of ['%FT%T%.f%::z', '%s%.f', '%G-W%V-%u %I:%M:%S.%9f %p%z']) {
        const text = of('format_datetime', constant(format), given('DATETIME', value));
        expect(of('parse_datetime', constant(format), given('STRING', text))).toBe(value);
      }
    }),
    { numRuns: RUNS },
  );
});
