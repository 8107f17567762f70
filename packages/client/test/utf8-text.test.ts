import { expect, test } from 'vitest';
import { decodeUtf8 } from '../src/cli/utf8-text.js';

test.each([
  [[], ''],
  [[0x61], 'a'],
  [[0xef, 0xbb, 0xbf, 0x61], 'a'],
  [[0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], '\ufeff'],
  [[0xef, 0xbf, 0xbd], '\ufffd'],
  [[0xf0, 0x9f, 0x99, 0x82], '🙂'],
])('%j is the text %j', (bytes, text) => {
  expect(decodeUtf8(Buffer.from(bytes))).toEqual({ kind: 'text', text });
});

test('a byte order mark can be kept', () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61]);
  expect(decodeUtf8(bytes, 'keep')).toEqual({ kind: 'text', text: '\ufeffa' });
});

test.each([
  ['a byte that begins nothing', [0x61, 0xff, 0x62], 1],
  ['a sequence cut short', [0xef, 0xbf, 0xbd, 0xe2, 0x82], 3],
  ['a sequence that breaks off', [0xc3, 0xa4, 0xef, 0xbf, 0x41], 2],
  ['a surrogate', [0x61, 0x62, 0xed, 0xa0, 0x80], 2],
  ['an overlong form', [0xc0, 0xaf], 0],
  ['behind a byte order mark', [0xef, 0xbb, 0xbf, 0x80], 3],
])('%s is found at its offset', (_name, bytes, offset) => {
  expect(decodeUtf8(Buffer.from(bytes))).toEqual({ kind: 'invalid', offset });
});
