import { printDatetime, readDatetime } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { call, constant, evaluateCase, given } from '../program/expression-fixture.js';

function instant(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  return readDatetime(bytes, 0, bytes.length) ?? 0n;
}

function format(directives: string, value: string, ...zone: string[]): Value {
  const parts = [
    constant(directives),
    given('DATETIME', instant(value)),
    ...zone.map((each) => constant(each)),
  ];
  return evaluateCase(call('format_datetime', 'STRING', ...parts));
}

function parse(directives: string, text: string, ...rest: string[]): Value {
  const parts = [
    constant(directives),
    given('STRING', text),
    ...rest.map((each) => constant(each)),
  ];
  const value = evaluateCase(call('parse_datetime', 'DATETIME', ...parts));
  return typeof value === 'bigint' ? printDatetime(value).replace('+00:00', 'Z') : value;
}

describe('format_datetime (TYPE 6.6, TYPE 6.8)', () => {
  const VALUE = '2029-07-01T09:05:03.120Z';

  test.each<[string, string]>([
    ['%Y %m %b %B %d %e %j', '2029 07 Jul July 01  1 182'],
    ['%a %A %u %w %G %V', 'Sun Sunday 7 0 2029 26'],
    ['%H %I %p %M %S', '09 09 AM 05 03'],
    ['%-m %-d %-j %-H %-I %-M %-S', '7 1 182 9 9 5 3'],
    ['%f %1f %3f %9f %.f', '12 1 120 120000000 .12'],
    ['%z %:z %::z %Z %Q', '+0000 +00:00 +00:00:00 UTC UTC'],
    ['%F %T %R %% %n %t', '2029-07-01 09:05:03 09:05 % \n \t'],
    ['%s%.f', '1877591103.12'],
    ['plain é', 'plain é'],
    ['', ''],
  ])('%j', (directives, expected) => {
    expect(format(directives, VALUE)).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    ['%F %T %z %Z %Q', VALUE, 'Europe/Paris', '2029-07-01 11:05:03 +0200 CEST Europe/Paris'],
    ['%z %Z %Q', VALUE, '-03:30', '-0330 -03:30 -03:30'],
    ['%z %:z', '1800-01-01T00:00:00Z', 'America/New_York', '-045602 -04:56:02'],
    ['%s%.f', '1969-12-31T23:59:59.25Z', 'UTC', '-1.25'],
    ['%.f|%f', '2029-01-01T00:00:00Z', 'UTC', '|0'],
    ['%I %p', '2029-01-01T00:30:00Z', 'UTC', '12 AM'],
    ['%I %p', '2029-01-01T12:30:00Z', 'UTC', '12 PM'],
    ['%G-W%V', '2027-01-01T00:00:00Z', 'UTC', '2026-W53'],
  ])('%j of %s in %s', (directives, value, zone, expected) => {
    expect(format(directives, value, zone)).toBe(expected);
  });
});

describe('parse_datetime (TYPE 6.6, TYPE 6.8)', () => {
  test.each<[string, string, readonly string[], string]>([
    ['%Y-%m-%d %H:%M', '2030-03-31 03:15', ['Europe/Paris'], '2030-03-31T01:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-03-31 02:15', ['Europe/Paris', 'later'], '2030-03-31T01:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-03-31 02:15', ['Europe/Paris', 'earlier'], '2030-03-31T00:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-03-31 02:15', ['Europe/Paris', 'compatible'], '2030-03-31T01:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-10-27 02:15', ['Europe/Paris', 'later'], '2030-10-27T01:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-10-27 02:15', ['Europe/Paris', 'earlier'], '2030-10-27T00:15:00Z'],
    ['%Y-%m-%d %H:%M', '2030-10-27 02:15', ['Europe/Paris', 'compatible'], '2030-10-27T00:15:00Z'],
    ['%FT%T%.f%:z', '2030-01-02T03:04:05.5+02:00', [], '2030-01-02T01:04:05.500Z'],
    ['%FT%T%.f%:z', '2030-01-02T03:04:05Z', [], '2030-01-02T03:04:05Z'],
    ['%FT%T%z', '1800-01-02T03:04:05-045602', [], '1800-01-02T08:00:07Z'],
    ['%s', '-1', [], '1969-12-31T23:59:59Z'],
    ['%s%.f', '-1.25', [], '1969-12-31T23:59:59.250Z'],
    ['%Y %j', '2028 366', ['UTC'], '2028-12-31T00:00:00Z'],
    ['%G-W%V-%u', '2026-W53-5', ['UTC'], '2027-01-01T00:00:00Z'],
    ['%G-W%V-%w', '2026-W53-0', ['UTC'], '2027-01-03T00:00:00Z'],
    ['%A, %e %B %Y %I:%M%p', 'sUNDAY,  1 JULY 2029 12:05am', ['UTC'], '2029-07-01T00:05:00Z'],
    ['%b %-d %Y', 'Jul 1 2029', ['UTC'], '2029-07-01T00:00:00Z'],
    ['%b %-d %Y', 'Jul 11 2029', ['UTC'], '2029-07-11T00:00:00Z'],
    ['%Y%m%d%H%M%S%3f', '20290701090503120', ['UTC'], '2029-07-01T09:05:03.120Z'],
    ['%F %H %p', '2029-07-01 13 pm', ['UTC'], '2029-07-01T13:00:00Z'],
    ['%F %j %G %V %a', '2027-01-01 001 2026 53 Fri', ['UTC'], '2027-01-01T00:00:00Z'],
    ['%s %z', '1700000000 +0200', [], '2023-11-14T22:13:20Z'],
    ['%Y-%m-%d%%', '2029-07-01%', ['+05:30'], '2029-06-30T18:30:00Z'],
  ])('%j reads %j %j', (directives, text, rest, expected) => {
    expect(parse(directives, text, ...rest)).toBe(expected);
  });

  const C = (detail: string): string => `cast_failed: parse_datetime ${detail}`;
  const I = (detail: string): string => `invalid_argument: parse_datetime ${detail}`;

  test.each<[string, string, readonly string[], string]>([
    ['%F %T', '2030-02-30 25:00:00', ['UTC'], C('hour is out of range')],
    ['%F %T', '2030-02-30 23:60:00', ['UTC'], C('minute is out of range')],
    ['%F %T', '2030-02-30 23:59:60', ['UTC'], C('second is out of range')],
    ['%F', '2030-02-30', ['UTC'], C('date does not exist')],
    ['%F', '2030-13-01', ['UTC'], C('month is out of range')],
    ['%F', '2030-01-00', ['UTC'], C('day is out of range')],
    ['%Y %j', '2029 366', ['UTC'], C('date does not exist')],
    ['%G %V %u', '2029 53 1', ['UTC'], C('date does not exist')],
    ['%F %I%p', '2030-01-01 13AM', ['UTC'], C('hour is out of range')],
    ['%a %F', 'Mon 2029-07-01', ['UTC'], C('day of the week does not match the date')],
    ['%F %H %p', '2030-01-01 13 AM', ['UTC'], C('half of the day is out of range')],
    ['%F %H %p', '2030-01-01 11 PM', ['UTC'], C('half of the day is out of range')],
    ['%F %j', '2030-01-02 001', ['UTC'], C('date does not exist')],
    ['%Y %m %j', '2030 02 001', ['UTC'], C('date does not exist')],
    ['%F %G', '2030-01-01 1999', ['UTC'], C('date does not exist')],
    ['%F %V', '2030-01-01 50', ['UTC'], C('date does not exist')],
    ['%G %V %u %Y', '2030 01 1 1999', ['UTC'], C('date does not exist')],
    ['%G %V %u %d', '2030 01 1 01', ['UTC'], C('date does not exist')],
    ['%F', '2030-1-01', ['UTC'], C("input does not match its format at byte 5: expected '%m'")],
    ['é %F', 'é x', ['UTC'], C("input does not match its format at byte 3: expected '%Y'")],
    [
      '%F at %R',
      '2030-01-01 in',
      ['UTC'],
      C("input does not match its format at byte 10: expected ' at '"),
    ],
    ['%-d.%m.%Y', 'x', ['UTC'], C("input does not match its format at byte 0: expected '%-d'")],
    ['%F', '2030-01-01é', ['UTC'], C('input continues past its format at byte 10')],
    ['%s', '+1', [], C("input does not match its format at byte 0: expected '%s'")],
    ['%F%z', '2030-01-01+2460', [], C('offset is out of range')],
    ['%F %R', '2030-03-31 02:15', ['Europe/Paris'], I('local time does not exist in Europe/Paris')],
    ['%F %R', '2030-10-27 02:15', ['Europe/Paris'], I('local time is ambiguous in Europe/Paris')],
    ['%s', '9223372037', [], 'overflow: parse_datetime result is outside the DATETIME range'],
    ['%F', '1500-01-01', ['UTC'], 'overflow: parse_datetime result is outside the DATETIME range'],
  ])('%j refuses %j %j', (directives, text, rest, expected) => {
    expect(parse(directives, text, ...rest)).toBe(expected);
  });
});
