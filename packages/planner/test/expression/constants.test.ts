import {
  formatReadingOf,
  networkDefect,
  readDatetimeFormat,
  readIpAddress,
  readTimeZone,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { nearestName } from '../../src/expression/nearest-name.js';

describe('TYPE 6.6 directives of a format', () => {
  test('literal text, white space and every directive are read', () => {
    const every =
      '%Y %m %b %B %d %e %j %a %A %u %w %G %V %H %I %p %M %S %f %1f %9f %.f %z %:z %::z %s %Z %Q ' +
      '%F %T %R %% %n %t %-m %-d %-j %-V %-H %-I %-M %-S';
    const outcome = readDatetimeFormat(every);
    const directives =
      outcome.kind === 'ok' ? outcome.parts.filter((p) => p.kind === 'directive') : [];
    const written = directives.map((p) => `%${p.isUnpadded ? '-' : ''}${p.directive}`);
    expect(written.join(' ')).toBe(every);
    expect(readDatetimeFormat('á b')).toEqual({
      kind: 'ok',
      parts: [{ kind: 'literal', text: 'á b' }],
    });
  });

  test.each([
    ['%q', "unknown directive '%q' at byte 0"],
    ['ab %D', "unknown directive '%D' at byte 3"],
    ['é%-Y', "unknown directive '%-Y' at byte 2"],
    ['%0f', "unknown directive '%0' at byte 0"],
    ['%', 'incomplete directive at byte 0'],
    ['%Y %-', 'incomplete directive at byte 3'],
    ['%.', 'incomplete directive at byte 0'],
    ['%9', 'incomplete directive at byte 0'],
    ['%::', 'incomplete directive at byte 0'],
  ])('%s', (format, defect) => {
    expect(readDatetimeFormat(format)).toEqual({ kind: 'defect', defect });
  });

  test('a format has at most 256 bytes', () => {
    expect(readDatetimeFormat('x'.repeat(256)).kind).toBe('ok');
    expect(readDatetimeFormat('é'.repeat(129))).toEqual({
      kind: 'defect',
      defect: 'it exceeds 256 bytes',
    });
  });
});

describe('TYPE 6.8 a format that is read names one instant', () => {
  const reading = (format: string) => {
    const outcome = readDatetimeFormat(format);
    return outcome.kind === 'ok' ? formatReadingOf(outcome.parts) : outcome.defect;
  };

  test.each([
    ['%F', false],
    ['%Y %j', false],
    ['%G-W%V-%u', false],
    ['%d %b %Y %I:%M %p', false],
    ['%F %T.%f', false],
    ['%F %T%z', true],
    ['%F %T%::z', true],
    ['%s', true],
    ['%s%.f', true],
    ['%A %F', false],
  ])('%s', (format, isZoned) => expect(reading(format)).toEqual({ isZoned }));

  test.each([
    ['%T', 'it reads no date'],
    ['%Y-%m', 'it reads no date'],
    ['%G %V', 'it reads no date'],
    ['%F %d', 'it reads the day twice'],
    ['%F %H %I %p', 'it reads the hour twice'],
    ['%F %.f', 'it reads a fraction without a second'],
    ['%F %M', 'it reads a minute without an hour'],
    ['%F %H %S', 'it reads a second without a minute'],
    ['%F %I', "it reads '%I' without '%p'"],
    ['%F %p', "it reads '%p' without an hour"],
    ['%s %F', 'it reads the year beside the time since 1970'],
    ['%s %a', 'it reads the day of the week beside the time since 1970'],
    ['%F %T %Z', "directive '%Z' is only written"],
    ['%F %T %Q', "directive '%Q' is only written"],
  ])('%s', (format, defect) => expect(reading(format)).toBe(defect));
});

describe('TYPE 6.8 zones', () => {
  test.each([
    ['utc', 'UTC'],
    ['EUROPE/paris', 'Europe/Paris'],
    ['est', 'EST'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['+23:59', '+23:59'],
    ['-23:59', '-23:59'],
    ['-00:00', '+00:00'],
  ])('%s', (written, name) => expect(readTimeZone(written)).toBe(name));

  test.each(['', 'Mars', 'Factory', '+24:00', '+5:30', '+0530', '5:30', '+05:60', 'Europe/'])(
    "'%s' names none",
    (written) => expect(readTimeZone(written)).toBe(undefined),
  );
});

describe('TYPE 6.3, 6.8 networks', () => {
  test.each([
    '0.0.0.0/0',
    '10.0.0.0/8',
    '192.168.1.128/25',
    '::/0',
    'fe80::/10',
    '::ffff:1.2.3.4/128',
  ])('%s', (network) => expect(networkDefect(network)).toBe(undefined));

  test.each([
    ['10.0.0.0', 'is not written as address/prefix'],
    ['ten/8', 'address is not an IPv4 or IPv6 address'],
    ['010.0.0.0/8', 'address is not an IPv4 or IPv6 address'],
    ['10.0.0.0/08', 'prefix length is not a decimal number without leading zeros'],
    ['10.0.0.0/', 'prefix length is not a decimal number without leading zeros'],
    ['10.0.0.0/33', 'prefix length must be 0 to 32 for an IPv4 network'],
    ['::/129', 'prefix length must be 0 to 128 for an IPv6 network'],
    ['10.0.0.1/31', 'has host bits set past its prefix length'],
    ['fe80::1/10', 'has host bits set past its prefix length'],
  ])('%s', (network, defect) => expect(networkDefect(network)).toBe(defect));

  test.each([
    ['1::', '1 0 0 0 0 0 0 0'],
    ['::', '0 0 0 0 0 0 0 0'],
    ['1:2:3:4:5:6:7:8', '1 2 3 4 5 6 7 8'],
    ['1:2:3:4:5:6:7::', '1 2 3 4 5 6 7 0'],
    ['::FFFF:255.0.0.1', '0 0 0 0 0 ffff ff00 1'],
    ['1:2:3:4:5:6:1.2.3.4', '1 2 3 4 5 6 102 304'],
  ])('IPv6 %s', (text, groups) => {
    const bytes = readIpAddress(text) ?? [];
    const found = Array.from({ length: bytes.length / 2 }, (_, index) =>
      ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
    );
    expect(found.join(' ')).toBe(groups);
  });

  test.each([
    ':',
    ':::',
    '1:2',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    '1.2.3.4::',
    '1::2::3',
    '::g',
    '1.2.3',
    '1.2.3.256',
    '',
  ])("'%s' is no address", (text) => expect(readIpAddress(text)).toBe(undefined));
});

test.each([
  ['lenght', ['length', 'left'], 'length'],
  ['LENGHT', ['length'], 'length'],
  ['ab', ['ba', 'zz'], 'ba'],
  ['abc', ['abd'], 'abd'],
  ['abc', ['abd', 'abe'], undefined],
  ['abc', ['abc', 'abd'], 'abc'],
  ['temperature', ['temprature', 'pressure'], 'temprature'],
  ['x', ['y'], undefined],
  ['name', [], undefined],
  // A word in two spellings is no tie with itself.
  ['suum', ['sum', 'SUM'], 'SUM'],
  ['suum', ['SUM', 'sum'], 'sum'],
  ['coumt', ['COUNT', 'count', 'mount'], 'count'],
  ['u3', ['u8', 'U8', 'u6'], undefined],
  ['u3', ['u8', 'u6', 'U6'], undefined],
])('%s among %s is meant to be %s', (name, candidates, meant) => {
  expect(nearestName(name, candidates)).toBe(meant);
});
