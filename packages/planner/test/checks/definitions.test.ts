import { type Model, SCHEMA_FIELDS_MAX } from '@nervix/model';
import { expect, test } from 'vitest';
import {
  BY_TENANT,
  branch,
  change,
  client,
  codec,
  column,
  endpoint,
  entry,
  messagesOf,
  outCodec,
  planWith,
  relay,
  vhost,
  wireSchema,
} from '../support/models.js';

const invalid = (name: string, reason: string) =>
  `model '${name}' in domain 'taxi' is invalid: ${reason}`;
const relation = (name: string, reason: string) =>
  `model '${name}' in domain 'taxi' has incompatible schema relationship: ${reason}`;
const missing = (name: string, reference: string) =>
  `model '${name}' in domain 'taxi' requires missing ${reference}`;

const wire = wireSchema as Extract<Model, { kind: 'wire_json_schema' }>;
const withWire = (field: string, parts: object) =>
  change(wire, {
    fields: wire.fields.map((entry) => (entry.name === field ? { ...entry, ...parts } : entry)),
  });
const withConfig = (...entries: [string, string][]) =>
  change(client, { config: entries.map(([key, value]) => entry(key, value)) });
const mounted = (file: [string, string]) =>
  change(withConfig(['endpoint', 'https://h'], ['timeout_ms', '5'], file), {
    mount: { resource: 'certs', version: '1' },
  });
const HTTP = 'http://h:1';

const columns = (count: number) =>
  Array.from({ length: count }, (_, index) => column(`f${index}`, 'I64'));

test.each<[string, readonly Model[], string | null]>([
  ['CP-36 missing schema', [relay('lost', 'nope')], missing('lost', "schema 'nope'")],
  [
    'CP-36 missing wire schema',
    [change(codec, { source: { ...codec.source, wireSchema: 'nope' } })],
    missing('event_json', "wire json schema 'nope'"),
  ],
  [
    'CP-36 missing vhost',
    [change(endpoint, { vhost: 'nope' })],
    missing('trips_in', "vhost 'nope'"),
  ],
  [
    'CP-36 missing branch',
    [relay('lost', 'event', { branching: { kind: 'branched_by', branch: 'nope' } })],
    missing('lost', "branch 'nope'"),
  ],
  [
    'TX-46 empty schema',
    [{ kind: 'schema', name: 'none', fields: [] }],
    invalid('none', 'schema must declare at least one field'),
  ],
  [
    'more fields than a schema has',
    [{ kind: 'schema', name: 'wide', fields: columns(SCHEMA_FIELDS_MAX + 1) }],
    invalid('wide', 'schema holds 16385 fields, above 16384'),
  ],
  [
    'as many fields as a schema has at most',
    [{ kind: 'schema', name: 'wide', fields: columns(SCHEMA_FIELDS_MAX) }],
    null,
  ],
  [
    'more fields than a wire schema has',
    [
      {
        kind: 'wire_cbor_schema',
        name: 'wide',
        mode: 'STRICT',
        fields: columns(SCHEMA_FIELDS_MAX + 1).map(({ name }) => {
          return { name, type: 'NUMBER' as const, optional: false };
        }),
      },
    ],
    invalid('wide', 'schema holds 16385 fields, above 16384'),
  ],
  [
    'duplicate schema field',
    [{ kind: 'schema', name: 'twice', fields: [column('a', 'I64'), column('a', 'U8')] }],
    invalid('twice', 'field `a` already exists'),
  ],
  [
    'array length',
    [
      {
        kind: 'schema',
        name: 'long',
        fields: [
          column('a', {
            kind: 'vec',
            element: { kind: 'array', element: 'U8', length: 2_147_483_648 },
          }),
        ],
      },
    ],
    invalid('long', "field 'a' has an ARRAY length outside 1 to 2147483647"),
  ],
  [
    'TX-46 empty wire schema',
    [{ kind: 'wire_json_schema', name: 'none', mode: 'LOOSE', fields: [] }],
    invalid('none', 'JSON wire schema must declare at least one field'),
  ],
  [
    'duplicate wire field',
    [change(wire, { fields: [...wire.fields, ...wire.fields] })],
    invalid('event_wire', 'field `id` already exists'),
  ],
  [
    'CN-300 missing wire field',
    [change(wire, { fields: wire.fields.slice(1) })],
    relation('event_json', "json wire schema is missing field 'id'"),
  ],
  [
    'CN-300 extra wire field',
    [change(wire, { fields: [...wire.fields, { name: 'x', type: 'NULL', optional: true }] })],
    relation('event_json', "json wire schema field set must exactly match internal schema 'event'"),
  ],
  [
    'CN-300 optionality',
    [withWire('note', { optional: false })],
    relation('event_json', "json field 'note' optionality mismatch: wire false, internal true"),
  ],
  ...(
    [
      ['id', 'NUMBER', 'I64'],
      ['amount', 'INTEGER', 'F64'],
      ['tenant', 'BOOLEAN', 'STRING'],
      ['at', 'INTEGER', 'DATETIME'],
      ['raw', 'STRING', 'BYTES'],
      ['tenant', 'OBJECT', 'STRING'],
      ['tenant', 'NULL', 'STRING'],
    ] as const
  ).map(([field, type, internal]): [string, readonly Model[], string] => [
    `CN-301 ${internal} as ${type}`,
    [withWire(field, { type })],
    relation(
      'event_json',
      `json field '${field}' type mismatch: wire ${type}, internal ${internal}`,
    ),
  ]),
  [
    'CN-301 DATETIME needs ENCODE',
    [change(codec, { encode: [] })],
    relation('event_json', "json field 'at' type mismatch: wire STRING, internal DATETIME"),
  ],
  [
    'CN-302 unknown field',
    [change(outCodec, { encode: [{ field: 'nope', as: 'RFC3339' }] })],
    invalid('out_json', "codec encoding rule references unknown schema field 'nope'"),
  ],
  [
    'CN-302 other type',
    [change(outCodec, { encode: [{ field: 'id', as: 'RFC3339' }] })],
    invalid('out_json', "codec encoding rule field 'id' must be DATETIME, found I64"),
  ],
  [
    'CN-302 duplicate',
    [change(codec, { encode: [...codec.encode, ...codec.encode] })],
    invalid('event_json', "duplicate codec encoding rule for field 'at'"),
  ],
  [
    'TX-41 BYTES key',
    [change(branch, { schema: 'event' })],
    "branch 'by_tenant' in domain 'taxi' uses BYTES in field 'raw'",
  ],
  [
    'TX-41 ttl',
    [change(branch, { ttl: '5 parsecs' })],
    invalid('by_tenant', "invalid branch ttl '5 parsecs': number expected"),
  ],
  [
    'TX-41 zero ttl',
    [change(branch, { ttl: '0s' })],
    invalid('by_tenant', "invalid branch ttl '0s': it must be greater than zero"),
  ],
  [
    'TX-41 MAX INSTANCES',
    [change(branch, { maxInstances: '0' })],
    invalid('by_tenant', 'branch MAX INSTANCES must be greater than zero'),
  ],
  ['no MAX INSTANCES', [change(branch, { maxInstances: null })], null],
  [
    'RT-33, TX-41 reserved relay name',
    [relay('branch', 'event')],
    relation('branch', "'branch' is a reserved namespace and cannot be used as a relay name"),
  ],
  [
    'relay capacity',
    [relay('other', 'event', { capacity: '0' })],
    invalid('other', "invalid relay CAPACITY '0': it must be greater than zero"),
  ],
  [
    'relay capacity beyond exact numbers',
    [relay('other', 'event', { capacity: '9007199254740993' })],
    invalid('other', "invalid relay CAPACITY '9007199254740993': it is too large"),
  ],
  [
    'MAX INSTANCES text',
    [change(branch, { maxInstances: 'x' })],
    invalid('by_tenant', 'branch MAX INSTANCES is invalid: an integer is expected'),
  ],
  [
    'materialized relay',
    [relay('other', 'event', { materialized: true })],
    invalid('other', 'WITH MATERIALIZED STATE is not supported by this release'),
  ],
  [
    'CN-130 duplicate hostname',
    [change(vhost, { hostnames: ['a.b', 'A.b'] })],
    invalid('web', "hostname 'a.b' is listed more than once"),
  ],
  [
    'CN-130 hostname of another vhost',
    [{ ...vhost, name: 'web2', hostnames: ['c', 'taxi.EXAMPLE'] }],
    invalid('web2', "hostname 'taxi.example' is already assigned to vhost 'web'"),
  ],
  [
    'CN-130 no hostname',
    [change(vhost, { hostnames: [] })],
    invalid('web', 'VHOST requires at least one hostname'),
  ],
  [
    'CN-130 form',
    [change(vhost, { hostnames: ['a..b'] })],
    invalid('web', "invalid hostname 'a..b'"),
  ],
  ['CN-132 TLS', [change(vhost, { tls: { resource: 'r', version: '1' } })], null],
  [
    'CN-131 path start',
    [change(endpoint, { path: 'trips' })],
    invalid('trips_in', "invalid endpoint path 'trips': must start with '/'"),
  ],
  [
    'CN-131 path taken',
    [{ ...endpoint, name: 'zzz' }],
    invalid('zzz', "path '/trips' is already assigned to endpoint 'trips_in' on vhost 'web'"),
  ],
  ['CN-131 exact paths', [{ ...endpoint, name: 'zzz', path: '/trips/' }], null],
  [
    'WEBSOCKETS',
    [change(endpoint, { type: 'WEBSOCKETS' })],
    invalid('trips_in', 'endpoint TYPE WEBSOCKETS is not supported by this release'),
  ],
  [
    'signaling',
    [change(endpoint, { signaling: 'p' })],
    missing('trips_in', "signaling protocol 'p'"),
  ],
  [
    'CN-22 endpoint key',
    [withConfig(['timeout_ms', '5'])],
    invalid('sink', "missing HTTP client config key 'endpoint'"),
  ],
  [
    'CN-22 timeout_ms of a used client',
    [withConfig(['endpoint', HTTP])],
    invalid('sink', "missing HTTP client config key 'timeout_ms'"),
  ],
  [
    'an unused client needs no timeout_ms',
    [{ ...withConfig(['endpoint', HTTP]), name: 'spare' }],
    null,
  ],
  ...['0', '-1', '1.5', 'abc', '2147483648'].map((value): [string, readonly Model[], string] => [
    `CN-26 timeout_ms ${value}`,
    [withConfig(['endpoint', HTTP], ['timeout_ms', value])],
    invalid('sink', `invalid HTTP timeout_ms '${value}'`),
  ]),
  ...[
    'http://u:p@h',
    'http://h/path',
    'http://h?q',
    'http://h#f',
    'ftp://h',
    'h:80',
    'http://h:0',
    'http://h:70000',
  ].map((value): [string, readonly Model[], string] => [
    `CN-230 a) endpoint ${value}`,
    [withConfig(['endpoint', value], ['timeout_ms', '5'])],
    invalid('sink', 'invalid HTTP client endpoint: an origin such as http://host:port is expected'),
  ]),
  ['CN-230 a) IPv6', [withConfig(['ENDPOINT', 'HTTPS://[::1]:8443'], ['timeout_ms', '5'])], null],
  ['CN-24 a mounted version', [mounted(['tls_ca_file', '{{ certs }}/ca.pem'])], null],
  ['CN-24 a mount that nothing names', [mounted(['tls_ca_file', '/etc/ca.pem'])], null],
  [
    'CN-24 a template variable that is not the mount',
    [mounted(['tls_ca_file', '{{ other }}/ca.pem'])],
    invalid('sink', "unknown template variable 'other' in client config key 'tls_ca_file'"),
  ],
  ...['/etc/{{certs}}/ca.pem', '{{certs}}', '{{certs}}/{{certs}}/ca.pem'].map(
    (value): [string, readonly Model[], string] => [
      `CN-24 a template variable out of its place, ${value}`,
      [mounted(['tls_ca_file', value])],
      invalid(
        'sink',
        "client config key 'tls_ca_file' may name a resource at its beginning only, before a '/'",
      ),
    ],
  ),
  [
    'CN-24 a template variable without a mount',
    [withConfig(['endpoint', 'http://h'], ['timeout_ms', '5'], ['TLS_CA_FILE', '{{certs}}/ca'])],
    invalid('sink', "unknown template variable 'certs' in client config key 'TLS_CA_FILE'"),
  ],
  [
    'CN-25 half of what a client proves itself with',
    [mounted(['tls_key_file', '{{certs}}/key.pem'])],
    invalid('sink', "TLS client authentication requires both 'tls_cert_file' and 'tls_key_file'"),
  ],
])('%s', (_, models, message) => {
  expect(messagesOf(planWith(...models))).toEqual(message === null ? [] : [message]);
});

test('a refusal names the model, the absent name and the node at fault', () => {
  const lost = relay('lost', 'event', { branching: BY_TENANT });
  const broken = { ...lost, branching: { kind: 'branched_by', branch: 'nope' } } as const;
  const outcome = planWith(broken);
  if (outcome.kind === 'accepted') throw new Error('a reference is missing');
  expect(outcome.refusals).toHaveLength(1);
  expect(outcome.refusals[0]).toMatchObject({
    code: 'PLAN_MISSING_REFERENCE',
    model: { kind: 'relay', name: 'lost' },
    missingName: 'nope',
  });
  expect(outcome.refusals[0]?.subject).toBe(broken.branching);
});

test('unknown client config keys are warned about', () => {
  const outcome = planWith(withConfig(['endpoint', HTTP], ['timeout_ms', '5'], ['retries', '3']));
  expect(outcome).toMatchObject({
    kind: 'accepted',
    warnings: [
      {
        message: "client config key 'retries' has no meaning for HTTP clients",
        model: { kind: 'client', name: 'sink' },
      },
    ],
  });
});
