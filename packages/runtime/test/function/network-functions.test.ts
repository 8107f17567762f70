import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { call, constant, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(300);
type Result = 'STRING' | 'BYTES' | 'BOOL' | 'I64';

const ofText = (name: string, type: Result, ...texts: readonly (string | null)[]): Value =>
  evaluateCase(call(name, type, ...texts.map((text) => given('STRING', text))));
const ofBytes = (name: string, type: Result, bytes: readonly number[], ...more: Value[]): Value => {
  const rest = more.map((value) => given(typeof value === 'string' ? 'STRING' : 'I64', value));
  return evaluateCase(call(name, type, given('BYTES', Uint8Array.from(bytes)), ...rest));
};

const V4 = [192, 168, 3, 77];
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 1, 2, 3];
const V6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const BAD = (name: string): string =>
  `invalid_argument: ${name} input is not a 4 or 16 byte IP address`;

describe('IP addresses (TYPE 6.3, TYPE 6.8)', () => {
  test.each<[string, readonly number[]]>([
    ['192.168.3.77', V4],
    ['2001:db8::1', V6],
    ['2001:0DB8:0:0:0:0:0:1', V6],
    ['::ffff:10.1.2.3', MAPPED],
    ['::', Array(16).fill(0)],
  ])('%s is read', (text, bytes) => {
    expect(ofText('ip_from_string', 'BYTES', text)).toEqual(Uint8Array.from(bytes));
    expect(ofText('is_ip_address', 'BOOL', text)).toBe(true);
  });

  test.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1::2::3',
    ':1',
    'g::',
    '1.2.3.4:',
    'fe80::1%0',
  ])('%j is none', (text) => {
    expect(ofText('ip_from_string', 'BYTES', text)).toBe(
      'cast_failed: ip_from_string input is not an IPv4 or IPv6 address',
    );
    expect(ofText('is_ip_address', 'BOOL', text)).toBe(false);
  });

  test('texts are canonical, as the host prints them in URLs', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre(groups[5] !== 0xffff);
        const bytes = groups.flatMap((each) => [each >> 8, each & 0xff]);
        const written = groups.map((each) => each.toString(16)).join(':');
        const { hostname } = new URL(`http://[${written}]/`);
        expect(`[${String(ofBytes('ip_to_string', 'STRING', bytes))}]`).toBe(hostname);
      }),
      { numRuns: RUNS },
    );
  });

  test.each<[readonly number[], string]>([
    [V4, '192.168.3.77'],
    [MAPPED, '::ffff:10.1.2.3'],
    [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], '100::'],
    [[0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7], '1:0:2:3:4:5:6:7'],
    [[0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 6, 0, 7], '1::3:0:0:6:7'],
  ])('ip_to_string of %j', (bytes, text) => {
    expect(ofBytes('ip_to_string', 'STRING', bytes)).toBe(text);
  });

  test.each<[string, Result]>([
    ['ip_to_string', 'STRING'],
    ['ip_family', 'I64'],
    ['ip_unmap', 'BYTES'],
  ])('%s takes 4 or 16 bytes', (name, type) => {
    expect(ofBytes(name, type, [1, 2, 3])).toBe(BAD(name));
    expect(ofBytes(name, type, [])).toBe(BAD(name));
  });

  test('family and the address inside a mapped one', () => {
    expect(ofBytes('ip_family', 'I64', V4)).toBe(4n);
    expect(ofBytes('ip_family', 'I64', MAPPED)).toBe(6n);
    expect(ofBytes('ip_unmap', 'BYTES', MAPPED)).toEqual(Uint8Array.of(10, 1, 2, 3));
    expect(ofBytes('ip_unmap', 'BYTES', V6)).toEqual(Uint8Array.from(V6));
    expect(ofBytes('ip_unmap', 'BYTES', V4)).toEqual(Uint8Array.from(V4));
  });

  test.each<[readonly number[], bigint, Value]>([
    [V4, 32n, Uint8Array.from(V4)],
    [V4, 20n, Uint8Array.of(192, 168, 0, 0)],
    [V4, 23n, Uint8Array.of(192, 168, 2, 0)],
    [V4, 0n, Uint8Array.of(0, 0, 0, 0)],
    [V4, 33n, 'invalid_argument: ip_trunc prefix length must be 0 to 32 for an IPv4 address'],
    [V6, -1n, 'invalid_argument: ip_trunc prefix length must be 0 to 128 for an IPv6 address'],
    [V6, 128n, Uint8Array.from(V6)],
    [[1], 3n, BAD('ip_trunc')],
  ])('ip_trunc of %j to %s', (bytes, prefix, expected) => {
    expect(ofBytes('ip_trunc', 'BYTES', bytes, prefix)).toEqual(expected);
  });

  test.each<[readonly number[], string, Value]>([
    [V4, '192.168.0.0/22', true],
    [V4, '192.168.4.0/22', false],
    [V4, '0.0.0.0/0', true],
    [V4, '::/0', false],
    [V6, '2001:db8::/32', true],
    [V4, '10.0.0.0', 'invalid_argument: ip_in_network network is not written as address/prefix'],
    [
      V4,
      '10.0.0.1/8',
      'invalid_argument: ip_in_network network has host bits set past its prefix length',
    ],
    [[1], '10.0.0.0/8', BAD('ip_in_network')],
  ])('ip_in_network of %j in %s', (bytes, network, expected) => {
    expect(ofBytes('ip_in_network', 'BOOL', bytes, network)).toBe(expected);
    if (typeof expected !== 'boolean') return;
    const address = given('BYTES', Uint8Array.from(bytes));
    expect(evaluateCase(call('ip_in_network', 'BOOL', address, constant(network)))).toBe(expected);
  });
});

describe('URLs (TYPE 6.3, TYPE 6.8)', () => {
  const url = 'HTTPS://user@Example.COM/a%20b/?q=1&q=%C3%A9+x&&flag&%zz=2#frag';

  test.each<[string, Result, Value]>([
    ['url_scheme', 'STRING', 'https'],
    ['url_host', 'STRING', 'example.com'],
    ['url_port', 'I64', 443n],
    ['url_path', 'STRING', '/a%20b/'],
    ['url_query', 'STRING', 'q=1&q=%C3%A9+x&&flag&%zz=2'],
    ['url_fragment', 'STRING', 'frag'],
    ['is_url', 'BOOL', true],
  ])('%s', (name, type, expected) => {
    expect(ofText(name, type, url)).toBe(expected);
  });

  test.each<[string, string, Result, Value]>([
    ['url_path', 'mailto:a@b', 'STRING', 'a@b'],
    ['url_host', 'mailto:a@b', 'STRING', null],
    ['url_port', 'mailto:a@b', 'I64', null],
    ['url_host', 'http://[2001:DB8::1]:8/', 'STRING', '2001:db8::1'],
    ['url_port', 'http://[::1]:8/', 'I64', 8n],
    ['url_port', 'http://h:80/', 'I64', 80n],
    ['url_port', 'foo://h/', 'I64', null],
    ['url_host', 'foo://HoSt/', 'STRING', 'HoSt'],
    ['url_query', 'http://h/?', 'STRING', ''],
    ['url_query', 'http://h/#?', 'STRING', null],
    ['url_fragment', 'http://h/#', 'STRING', ''],
    ['url_fragment', 'http://h/', 'STRING', null],
    [
      'url_host',
      '/relative',
      'STRING',
      'cast_failed: url_host input is not an absolute URL: relative URL without a base',
    ],
    [
      'url_port',
      'http://[zz]/',
      'I64',
      'cast_failed: url_port input is not an absolute URL: invalid URL',
    ],
  ])('%s of %s', (name, text, type, expected) => {
    expect(ofText(name, type, text)).toBe(expected);
  });

  const values = (text: string, name: string): Value =>
    evaluateCase(
      call(
        'url_query_values',
        { kind: 'vec', element: 'STRING' },
        given('STRING', text),
        given('STRING', name),
      ),
    );

  test('values of a query', () => {
    expect(ofText('url_query_value', 'STRING', url, 'q')).toBe('1');
    expect(values(url, 'q')).toEqual(['1', 'é x']);
    expect(values(url, 'flag')).toEqual(['']);
    expect(values(url, 'none')).toEqual([]);
    expect(ofText('url_query_value', 'STRING', url, 'none')).toBe(null);
    expect(ofText('url_query_value', 'STRING', url, null)).toBe(null);
    expect(ofText('url_query_value', 'STRING', 'http://h/?a=%', 'a')).toBe(
      'cast_failed: url_query_value input is not valid percent-encoded UTF-8',
    );
    expect(ofText('url_query_value', 'STRING', 'http://h/?a=1&a=%', 'a')).toBe('1');
    expect(values('http://h/?a=1&a=%ff', 'a')).toBe(
      'cast_failed: url_query_values input is not valid percent-encoded UTF-8',
    );
  });

  test.each<[string, Value]>([
    ['a%20b+c', 'a b+c'],
    ['%C3%A9', 'é'],
    ['', ''],
    ['%', 'cast_failed: url_decode input is not valid percent-encoded UTF-8'],
    ['%e', 'cast_failed: url_decode input is not valid percent-encoded UTF-8'],
    ['%ff', 'cast_failed: url_decode input is not valid percent-encoded UTF-8'],
    [`%41${'x'.repeat(300_000)}%c3%a9`, `A${'x'.repeat(300_000)}\u00e9`],
  ])('url_decode of %.40j', (text, expected) => {
    expect(ofText('url_decode', 'STRING', text)).toBe(expected);
  });

  test('decoding undoes the encoding of the host', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(ofText('url_decode', 'STRING', encodeURIComponent(text))).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});
