import { describe, expect, test } from 'vitest';
import {
  checkHeader,
  checkMethod,
  checkPath,
  joinHeaders,
} from '../../src/connector/http/request-rules.js';
import { retryAfterMs } from '../../src/connector/http/retry-after.js';

describe('outgoing requests', () => {
  test.each([
    ['/a/b?x=1&y=2+3', '/a/b?x=1&y=2+3'],
    ['/a/./b/../c', '/a/c'],
    ['/caf\u00e9', '/caf%C3%A9'],
    ['/a%2Fb?', '/a%2Fb?'],
  ])('path %s is sent as %s (CN-230 c)', (path, sent) => {
    expect(checkPath(path)).toEqual({ kind: 'ok', value: sent });
  });

  test.each([
    'a',
    '//host/a',
    'http://host/a',
    '/a#b',
    '/a b',
    '/a\\b',
    '/a%2',
    '/a%zz',
    '/a\u0000',
    '/.//x',
    `/${'x'.repeat(9000)}`,
    '',
  ])('path %j is refused (CN-230 c)', (path) => {
    expect(checkPath(path)).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['PROPFIND', true, true],
    ['patch', true, true],
    ['GET', false, true],
    ['get', true, false],
    ['HEAD', true, false],
    ['CONNECT', false, false],
    ['trace', false, false],
    ['BAD METHOD', false, false],
    ['X'.repeat(65), false, false],
  ])('method %s with body %s is accepted: %s (CN-230 b)', (method, hasBody, isAccepted) => {
    expect(checkMethod(method, hasBody).kind).toBe(isAccepted ? 'ok' : 'refused');
  });

  test.each([
    ['X-A', 'plain', true],
    ['X-A', 'gr\u00fc\u00df', true],
    ['X A', 'v', false],
    ['Host', 'v', false],
    ['content-LENGTH', '1', false],
    ['X-A', ' lead', false],
    ['X-A', 'a\r\nX-B: 1', false],
  ])('header %s: %j is accepted: %s (CN-230 d)', (name, value, isAccepted) => {
    expect(checkHeader(name, value) === null).toBe(isAccepted);
  });

  test('the last write of a header wins, without regard to case (CN-206)', () => {
    expect(
      joinHeaders([
        ['X-A', '1'],
        ['accept', 'text/plain'],
        ['x-a', '2'],
      ]),
    ).toEqual({
      kind: 'ok',
      value: [
        ['x-a', '2'],
        ['accept', 'text/plain'],
      ],
    });
    const many = Array.from({ length: 129 }, (_, index) => [`x-${index}`, ''] as const);
    expect(joinHeaders(many)).toMatchObject({ kind: 'refused' });
    expect(joinHeaders([['x-a', 'y'.repeat(33_000)]])).toMatchObject({ kind: 'refused' });
  });

  test.each([
    [['7'], 7000],
    [['Sun, 06 Nov 1994 08:50:37 GMT'], 60_000],
    [['Sunday, 06-Nov-94 08:50:37 GMT'], 60_000],
    [['Sun Nov  6 08:50:37 1994'], 60_000],
    [['Sun, 06 Nov 1994 08:00:00 GMT'], 0],
    [['1.5'], null],
    [['soon'], null],
    [['1', '2'], null],
    [[], null],
  ])('Retry-After %j asks for %s ms (CN-230 i)', (values, expected) => {
    expect(retryAfterMs(values, Date.UTC(1994, 10, 6, 8, 49, 37))).toBe(expected);
  });
});
