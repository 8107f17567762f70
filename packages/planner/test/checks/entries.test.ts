import type {
  DecodeErrorPolicy,
  EndpointSource,
  EntryRoute,
  IngestorModel,
  Model,
} from '@nervix/model';
import { expect, test } from 'vitest';
import { binary, call, field, int, text } from '../support/expressions.js';
import {
  assign,
  BY_TENANT,
  change,
  column,
  construct,
  INHERIT_ALL,
  ingestor,
  messagesOf,
  planWith,
  relay,
  toFailures,
  UNBRANCHED,
} from '../support/models.js';

const LEAK =
  'would store sensitive data in a non-sensitive output field; ' +
  'use leak_sensitive(...) to explicitly remove sensitivity';
const invalid = (reason: string) => `model 'intake' in domain 'taxi' is invalid: ${reason}`;
const relation = (reason: string) =>
  `model 'intake' in domain 'taxi' has incompatible schema relationship: ${reason}`;

const [plain, keyed] = ingestor.routes;
const withRoute = (parts: Partial<EntryRoute>): IngestorModel =>
  change(ingestor, { routes: [{ ...plain!, ...parts }, keyed!] });
const withKey = (...set: [string, Parameters<typeof assign>[1]][]): IngestorModel =>
  change(ingestor, {
    routes: [
      {
        ...keyed!,
        branch: { ...BY_TENANT, set: set.map(([target, value]) => assign(target, value)) },
      },
    ],
  });
const withSource = (parts: Partial<EndpointSource>): IngestorModel =>
  change(ingestor, { source: { ...ingestor.source, ...parts } });
const withDecodeError = (decodeError: DecodeErrorPolicy): IngestorModel =>
  change(ingestor, { decodeError });
const ack = (max: string, ackTimeout: string) =>
  withSource({ mode: { kind: 'ack_parallel', max, ackTimeout } });

test.each<[string, readonly Model[], string | null]>([
  [
    'CP-36 missing endpoint',
    [withSource({ endpoint: 'nope' })],
    "model 'intake' in domain 'taxi' requires missing endpoint 'nope'",
  ],
  [
    'CP-36 missing codec',
    [change(ingestor, { decodeUsing: 'nope' })],
    "model 'intake' in domain 'taxi' requires missing codec 'nope'",
  ],
  [
    'CP-36 missing relay',
    [withRoute({ relay: 'nope' })],
    "model 'intake' in domain 'taxi' requires missing relay 'nope'",
  ],
  [
    'CP-36 missing error relay',
    [withRoute({ messageError: { ...toFailures, relay: 'nope' } })],
    "model 'intake' in domain 'taxi' requires missing relay 'nope'",
  ],
  ['NO_ACK', [withSource({ mode: { kind: 'no_ack_sequential' } })], null],
  ['TX-45 MAX zero', [ack('0', '1s')], invalid('MODE ACK PARALLEL MAX must be greater than zero')],
  [
    'TX-45 MAX text',
    [ack('x', '1s')],
    invalid("invalid MODE ACK PARALLEL MAX 'x': an integer is expected"),
  ],
  ['TX-45 ACK TIMEOUT', [ack('1', 'x')], invalid("invalid MODE ACK TIMEOUT 'x': number expected")],
  [
    'TX-45 ACK TIMEOUT zero',
    [ack('1', '0s')],
    invalid('MODE ACK TIMEOUT must be greater than zero'),
  ],
  [
    'CN-50 RETRY AFTER',
    [withSource({ quiesce: { kind: 'reject', retryAfter: 'x' } })],
    invalid("invalid ON QUIESCE REJECT RETRY AFTER 'x': number expected"),
  ],
  [
    'CN-50 BUFFER zero',
    [withSource({ quiesce: { kind: 'buffer', maxSize: '0B', overflow: null } })],
    invalid("invalid ON QUIESCE BUFFER MAX SIZE '0B': it must be greater than zero"),
  ],
  [
    'CN-50 BUFFER',
    [withSource({ quiesce: { kind: 'buffer', maxSize: '1MiB', overflow: null } })],
    null,
  ],
  [
    'TX-44 TIMESTAMP missing',
    [change(ingestor, { timestamp: { kind: 'at', field: 'nope' } })],
    invalid("TIMESTAMP field 'nope' is missing from schema 'event'"),
  ],
  [
    'TX-44 TIMESTAMP type',
    [change(ingestor, { timestamp: { kind: 'at', field: 'id' } })],
    invalid("TIMESTAMP field 'id' must use DATETIME in schema 'event'"),
  ],
  ['no TIMESTAMP', [change(ingestor, { timestamp: null })], null],
  [
    'no TO',
    [change(ingestor, { routes: [] })],
    invalid('processor must declare at least one TO destination'),
  ],
  [
    'TX-40 FILTER WHERE',
    [change(ingestor, { filter: field('nope') })],
    invalid("FILTER WHERE compile failed: unknown input field 'nope'"),
  ],
  [
    'CN-48 headers in FILTER',
    [change(ingestor, { filter: binary(call('read_header', text('x')), 'eq', text('y')) })],
    null,
  ],
  [
    'CN-48 headers in SET',
    [
      withRoute({
        construction: { ...INHERIT_ALL, set: [assign('note', call('read_header', text('x')))] },
      }),
    ],
    null,
  ],
  [
    'CN-48 headers in the error record',
    [
      withRoute({
        messageError: {
          ...toFailures,
          set: [assign('message', call('coalesce', call('read_header', text('x')), text('')))],
        },
      }),
    ],
    null,
  ],
  [
    'CN-49 metadata',
    [change(ingestor, { filter: binary(field('metadata.topic'), 'eq', text('t')) })],
    invalid(
      "FILTER WHERE compile failed: reference 'metadata.topic' is not available in an ingestor FILTER WHERE",
    ),
  ],
  [
    'TX-40 route form',
    [withRoute({ construction: construct({ invoke: [{ function: 'f', arguments: [] }] }) })],
    invalid('ingestor output route is invalid: INVOKE is only available to emitters'),
  ],
  [
    'TX-40 route compile',
    [withRoute({ construction: construct() })],
    invalid("FILTER-MAP compile failed: required output field 'id' remains uninitialized"),
  ],
  [
    'TYPE 5 no branch in SET',
    [
      withRoute({
        construction: { ...INHERIT_ALL, set: [assign('note', field('branch.tenant'))] },
      }),
    ],
    invalid(
      "FILTER-MAP compile failed: reference 'branch.tenant' is not available in an ingestor route SET",
    ),
  ],
  [
    'TX-41 UNBRANCHED',
    [change(ingestor, { routes: [{ ...keyed!, branch: UNBRANCHED }] })],
    relation(
      "TO output 'tenant_events' is BRANCHED BY 'by_tenant', but the route declares UNBRANCHED",
    ),
  ],
  [
    'TX-41 branched into unbranched',
    [change(ingestor, { routes: [{ ...plain!, branch: { ...BY_TENANT, set: [] } }] })],
    relation("ingestor 'intake' requires relay 'events' to have branch fields (tenant)"),
  ],
  [
    'TX-41 other branch',
    [
      { kind: 'branch', name: 'second', schema: 'tenant_key', ttl: '1h', maxInstances: null },
      change(ingestor, {
        routes: [{ ...keyed!, branch: { kind: 'branched_by', branch: 'second', set: [] } }],
      }),
    ],
    relation("TO output 'tenant_events' must use its exact declared branch 'by_tenant'"),
  ],
  [
    'TX-41 key type',
    [withKey(['tenant', field('message.id')])],
    invalid(
      "branch SET compile failed: SET field 'tenant' has expression type Int64, expected declared output type Utf8",
    ),
  ],
  [
    'TX-41 key missing',
    [withKey()],
    invalid("branch SET compile failed: required branch field 'tenant' remains uninitialized"),
  ],
  [
    'TX-48 unknown key',
    [withKey(['nope', int(1)])],
    invalid("branch SET compile failed: SET targets unknown branch field 'nope'"),
  ],
  [
    'key nullability',
    [withKey(['tenant', field('message.note')])],
    invalid(
      "branch SET compile failed: SET field 'tenant' may be null but the output field is required",
    ),
  ],
  [
    'key target scope',
    [withKey(['output.tenant', text('a')])],
    invalid(
      "branch construction is invalid: SET target 'output.tenant' is not available in a branch SET",
    ),
  ],
  [
    'key fields read bare and qualified',
    [
      withKey(
        ['branch.tenant', field('output.tenant')],
        ['tenant', call('lower', field('tenant'))],
        ['tenant', field('branch.tenant')],
      ),
    ],
    null,
  ],
  [
    'bare reads in the key are key fields',
    [withKey(['tenant', field('id')])],
    invalid("branch SET compile failed: unknown branch field 'id'"),
  ],
  [
    'TX-43 ingestor errors are unbranched',
    [withRoute({ messageError: { ...toFailures, relay: 'summaries', set: [] } })],
    relation("message-error relay 'summaries' uses branch by_tenant, expected UNBRANCHED"),
  ],
  [
    'CP-140 what cannot be decoded goes to an unbranched relay',
    [withDecodeError({ kind: 'send_to', relay: 'summaries', set: [] })],
    relation("decode-error relay 'summaries' uses branch by_tenant, expected UNBRANCHED"),
  ],
  ['CN-373 RETRY', [withDecodeError({ kind: 'retry' })], null],
  [
    'CN-373 RETRY without ACK',
    [
      change(withSource({ mode: { kind: 'no_ack_sequential' } }), {
        decodeError: { kind: 'retry' },
      }),
    ],
    invalid('ON DECODE ERROR RETRY requires an ACK mode'),
  ],
  [
    'CN-374 branch',
    [withDecodeError({ kind: 'send_to', relay: 'summaries', set: [] })],
    relation("decode-error relay 'summaries' uses branch by_tenant, expected UNBRANCHED"),
  ],
  [
    'CN-374 required field',
    [withDecodeError({ kind: 'send_to', relay: 'failures', set: [] })],
    invalid(
      "decode-error SET compile failed: required output field 'message' remains uninitialized",
    ),
  ],
  [
    'CN-374 no input',
    [
      withDecodeError({
        kind: 'send_to',
        relay: 'failures',
        set: [assign('message', field('input.tenant'))],
      }),
    ],
    invalid(
      "decode-error SET compile failed: reference 'input.tenant' is not available in a decode error SET",
    ),
  ],
  [
    'CN-374 the payload is sensitive when the schema has a sensitive field',
    [
      { kind: 'schema', name: 'dead', fields: [column('payload', 'BYTES')] },
      relay('dead_letters', 'dead'),
      withDecodeError({
        kind: 'send_to',
        relay: 'dead_letters',
        set: [assign('payload', field('error.payload'))],
      }),
    ],
    invalid(`decode-error SET compile failed: SET field 'payload' ${LEAK}`),
  ],
  [
    'CN-374 the payload without sensitivity',
    [
      { kind: 'schema', name: 'dead', fields: [column('payload', 'BYTES')] },
      relay('dead_letters', 'dead'),
      withDecodeError({
        kind: 'send_to',
        relay: 'dead_letters',
        set: [assign('payload', call('leak_sensitive', field('error.payload')))],
      }),
    ],
    null,
  ],
])('%s', (_, models, message) => {
  expect(messagesOf(planWith(...models))).toEqual(message === null ? [] : [message]);
});

test.each([
  [null, null],
  [{ kind: 'log' } as const, { kind: 'log' }],
  [{ kind: 'retry' } as const, { kind: 'retry' }],
])('decode error policy %o', (decodeError, expected) => {
  expect(planWith(change(ingestor, { decodeError }))).toMatchObject({
    kind: 'accepted',
    plan: { ingestors: [{ decodeError: expected }] },
  });
});
