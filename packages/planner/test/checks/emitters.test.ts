import type { EmitterModel, Expression, HttpSink, Model } from '@nervix/model';
import { methodDefect, normalizePath } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { call, field, int, text } from '../support/expressions.js';
import {
  assign,
  change,
  construct,
  emitter,
  from,
  messagesOf,
  planWith,
  toFailures,
} from '../support/models.js';

const LEAK =
  'would store sensitive data in a non-sensitive output field; ' +
  'use leak_sensitive(...) to explicitly remove sensitivity';
const invalid = (reason: string) => `model 'publish' in domain 'taxi' is invalid: ${reason}`;
const withSink = (parts: Partial<HttpSink>): EmitterModel =>
  change(emitter, { sink: { ...emitter.sink, ...parts } });
const retry = (backoff: string, max: string) =>
  withSink({ mode: { kind: 'ack', retry: { backoff, max } } });
const bodyless = (parts: Partial<EmitterModel> = {}): EmitterModel => ({
  ...withSink({ method: text('GET') }),
  encodeUsing: null,
  construction: construct(),
  ...parts,
});
const withHeader = (name: Expression, value: Expression): EmitterModel =>
  change(emitter, {
    construction: {
      ...emitter.construction,
      invoke: [{ function: 'WRITE_HEADER', arguments: [name, value] }],
    },
  });

test.each<[string, readonly Model[], string | null]>([
  [
    'CN-208 a container, which HTTP never takes',
    [change(emitter, { batch: { maxMessages: '2', maxSize: '1KiB' } })],
    invalid('HTTP emitters do not support BATCH'),
  ],
  [
    'CP-36 missing client',
    [withSink({ client: 'nope' })],
    "model 'publish' in domain 'taxi' requires missing client 'nope'",
  ],
  [
    'CP-36 missing codec',
    [change(emitter, { encodeUsing: 'nope' })],
    "model 'publish' in domain 'taxi' requires missing codec 'nope'",
  ],
  [
    'TX-40 no input',
    [change(emitter, { inputs: from() })],
    invalid('emitter input requires at least one input relay'),
  ],
  [
    'RT-33, TX-45 schemas of one form and other names',
    [change(emitter, { inputs: from('copies', 'other') })],
    invalid(
      "emitter input relay 'other' declares schema 'event_copy', but all emitter inputs must declare schema 'event'",
    ),
  ],
  [
    'RT-16, RT-39 inputs of several branches',
    [change(emitter, { inputs: from('copies', 'tenant_once'), messageError: { kind: 'log' } })],
    null,
  ],
  [
    'TX-43 inputs of several branches',
    [change(emitter, { inputs: from('copies', 'tenant_once') })],
    "model 'publish' in domain 'taxi' has incompatible schema relationship: " +
      "message-error relay 'failures' uses branch UNBRANCHED, expected by_tenant",
  ],
  [
    'FROM WHERE',
    [change(emitter, { inputs: from({ relay: 'copies', where: int(1) }) })],
    invalid('FROM WHERE compile failed: WHERE expression must evaluate to Boolean'),
  ],
  [
    'TX-45 BACKOFF',
    [retry('x', '1s')],
    invalid("invalid MODE RETRY POLICY BACKOFF 'x': number expected"),
  ],
  [
    'TX-45 BACKOFF zero',
    [retry('0s', '1s')],
    invalid('MODE RETRY POLICY BACKOFF must be greater than zero'),
  ],
  ['TX-45 MAX', [retry('1s', 'x')], invalid("invalid MODE RETRY POLICY MAX 'x': number expected")],
  [
    'TX-45 MAX below BACKOFF',
    [retry('2s', '1s')],
    invalid("MODE RETRY POLICY MAX '1s' must be at least BACKOFF '2s'"),
  ],
  [
    'flush',
    [change(emitter, { flush: { kind: 'each', interval: 'x', maxBatchSize: '1B' } })],
    invalid("invalid emitter FLUSH EACH duration 'x': number expected"),
  ],
  [
    'METHOD type',
    [withSink({ method: int(1) })],
    invalid('HTTP METHOD compile failed: a STRING is required, found Int64'),
  ],
  [
    'PATH may be null',
    [withSink({ path: field('note') })],
    invalid('HTTP PATH compile failed: the value may be null'),
  ],
  [
    'CN-200 PATH is sensitive',
    [withSink({ path: field('secret') })],
    invalid(
      'HTTP PATH compile failed: the value is sensitive; use leak_sensitive(...) to remove sensitivity',
    ),
  ],
  ['PATH computed', [withSink({ path: call('concat', text('/'), field('input.tenant')) })], null],
  [
    'TYPE 5 output in PATH',
    [withSink({ path: field('output.text') })],
    invalid(
      "HTTP PATH compile failed: reference 'output.text' is not available in an emitter source expression",
    ),
  ],
  [
    'CN-230 b) CONNECT',
    [withSink({ method: text('connect') })],
    invalid('HTTP METHOD CONNECT is not allowed'),
  ],
  [
    'CN-230 b) GET with a body',
    [withSink({ method: text('get') })],
    invalid('HTTP METHOD GET requires WITHOUT BODY'),
  ],
  ['CN-230 c) PATH', [withSink({ path: text('trips') })], invalid('HTTP PATH must start with /')],
  [
    'TX-40 route',
    [change(emitter, { construction: construct({ set: [assign('branch.id', int(1))] }) })],
    invalid("emitter route is invalid: SET target 'branch.id' is not available in an emitter SET"),
  ],
  [
    'RT-17 no branch',
    [
      change(emitter, {
        construction: construct({
          set: [assign('id', int(1)), assign('text', field('branch.tenant'))],
        }),
      }),
    ],
    invalid(
      "FILTER-MAP compile failed: reference 'branch.tenant' is not available in an emitter SET",
    ),
  ],
  [
    'CN-200 sensitive body',
    [
      change(emitter, {
        construction: construct({ set: [assign('id', int(1)), assign('text', field('secret'))] }),
      }),
    ],
    invalid(`FILTER-MAP compile failed: SET field 'text' ${LEAK}`),
  ],
  ['bodyless', [bodyless()], null],
  [
    'CN-230 e) bodyless SET',
    [bodyless({ construction: construct({ set: [assign('id', int(1))] }) })],
    invalid('emitter route is invalid: WITHOUT BODY does not accept INHERIT or SET'),
  ],
  [
    'CN-230 e) bodyless output',
    [bodyless({ construction: construct({ where: field('output.id') }) })],
    invalid(
      "FILTER-MAP compile failed: reference 'output.id' is not available in an emitter source expression",
    ),
  ],
  [
    'CN-230 e) bodyless partial_output',
    [
      bodyless({
        messageError: { ...toFailures, set: [assign('message', field('partial_output.text'))] },
      }),
    ],
    invalid(
      "message-error SET compile failed: reference 'partial_output.text' is not available in an error record SET",
    ),
  ],
  [
    'bodyless header',
    [
      bodyless({
        construction: construct({
          invoke: [{ function: 'write_header', arguments: [text('x'), field('tenant')] }],
        }),
      }),
    ],
    null,
  ],
  [
    'CN-206 other function',
    [
      change(emitter, {
        construction: { ...emitter.construction, invoke: [{ function: 'f', arguments: [] }] },
      }),
    ],
    invalid("emitter route is invalid: INVOKE does not know 'f'"),
  ],
  [
    'CN-206 arity',
    [
      change(emitter, {
        construction: {
          ...emitter.construction,
          invoke: [{ function: 'write_header', arguments: [text('a')] }],
        },
      }),
    ],
    invalid(
      "emitter route is invalid: function 'write_header' expects exactly 2 argument(s), found 1",
    ),
  ],
  [
    'CN-206 type',
    [withHeader(text('x'), field('id'))],
    invalid('FILTER-MAP compile failed: write_header: a STRING is required, found Int64'),
  ],
  [
    'CN-206 null',
    [withHeader(text('x'), field('input.note'))],
    invalid('FILTER-MAP compile failed: write_header: the value may be null'),
  ],
  [
    'TYPE 1.3 sensitive header',
    [withHeader(text('x'), field('input.secret'))],
    invalid(
      'FILTER-MAP compile failed: write_header: the value is sensitive; use leak_sensitive(...) to remove sensitivity',
    ),
  ],
  [
    'CN-230 d) reserved',
    [withHeader(text('Host'), text('x'))],
    invalid("emitter route is invalid: HTTP header 'Host' is reserved"),
  ],
  [
    'CN-230 d) token',
    [withHeader(text('a b'), text('x'))],
    invalid('emitter route is invalid: HTTP header name must be a token'),
  ],
  [
    'CN-230 d) blank',
    [withHeader(text('a'), text(' x'))],
    invalid('emitter route is invalid: HTTP header value must not start or end with a blank'),
  ],
  [
    'CN-230 d) control',
    [withHeader(text('a'), text('x\ny'))],
    invalid('emitter route is invalid: HTTP header value must not contain control characters'),
  ],
  [
    'CN-230 d) length',
    [withHeader(text('a'), text('x'.repeat(32_769)))],
    invalid('emitter route is invalid: HTTP header value must not exceed 32768 bytes'),
  ],
  [
    'dependencies',
    [change(emitter, { dependencies: [{ relay: 'other', policy: { kind: 'required_skip' } }] })],
    invalid("USING MATERIALIZED STATE source relay 'other' must declare materialized state"),
  ],
])('%s', (_, models, message) => {
  expect(messagesOf(planWith(...models))).toEqual(message === null ? [] : [message]);
});

describe('CN-230 b)', () => {
  test.each([
    ['POST', true, undefined],
    ['PURGE-x', true, undefined],
    ['HEAD', false, undefined],
    ['Trace', false, 'HTTP METHOD TRACE is not allowed'],
    ['', false, 'HTTP METHOD must be a token of 1 to 64 bytes'],
    ['P OST', true, 'HTTP METHOD must be a token of 1 to 64 bytes'],
    ['X'.repeat(65), true, 'HTTP METHOD must be a token of 1 to 64 bytes'],
  ])('method %s', (method, hasBody, defect) => {
    expect(methodDefect(method, hasBody)).toBe(defect);
  });
});

describe('CN-230 c)', () => {
  test.each([
    ['/', '/'],
    ['/a/./b/../c', '/a/c'],
    ['/a/..', '/'],
    ['/a/.', '/a/'],
    ['/a/%2E%2e/b', '/b'],
    ['/a?x=/../y+z&b', '/a?x=/../y+z&b'],
    ['/a?', '/a?'],
    ['/%7Ea', '/%7Ea'],
    ['/é?q=ü', '/%C3%A9?q=%C3%BC'],
    ['/😀', '/%F0%9F%98%80'],
  ])('path %s', (path, normalized) => {
    expect(normalizePath(path)).toEqual({ kind: 'ok', path: normalized });
  });

  test.each([
    'a',
    '',
    'http://h/a',
    '//h/a',
    '/a#f',
    '/a\\b',
    '/a b',
    '/a\u{7f}',
    '/%',
    '/%2',
    '/%gg',
    '/\u{d800}',
    '/.//a',
    `/${'a'.repeat(8192)}`,
    `/${'é'.repeat(1500)}`,
  ])('refused path %#', (path) => {
    expect(normalizePath(path).kind).toBe('refused');
  });
});
