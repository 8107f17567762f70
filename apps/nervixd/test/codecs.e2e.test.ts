import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, openHttpSink } from '@nervix/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

/** Takes payloads of a codec in over HTTP and sends every record on in the same codec. */
function relayed(name: string, schema: string, definitions: string, origin: string): string[] {
  return [
    `CREATE SCHEMA ${name} (${schema});`,
    definitions,
    `CREATE RELAY ${name}s SCHEMA ${name} UNBRANCHED CAPACITY 64;`,
    `CREATE ENDPOINT ${name}_endpoint ON host PATH '/${name}' TYPE HTTP;`,
    `CREATE INGESTOR ${name}_in
      FROM ENDPOINT ${name}_endpoint MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
      DECODE USING ${name}_codec
      TIMESTAMP NOW
      TO ${name}s INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
      ON DECODE ERROR LOG
      ON GENERAL ERROR LOG;`,
    `CREATE EMITTER ${name}_out
      FROM ${name}s
      TO HTTP sink METHOD 'POST' PATH '/${name}' MODE ACK RETRY POLICY BACKOFF 50ms MAX 1s
      ENCODE USING ${name}_codec
      INHERIT ALL
      FLUSH IMMEDIATE
      ON MESSAGE ERROR LOG
      ON GENERAL ERROR LOG;`,
  ].map((statement) => statement.replaceAll('ORIGIN', origin));
}

const FIELDS = 'id I64, tenant STRING, amount I32 OPTIONAL, at DATETIME';

const PIPELINES: readonly (readonly [name: string, schema: string, definitions: string])[] = [
  [
    'cbor',
    FIELDS,
    `CREATE WIRE CBOR SCHEMA cbor_wire MODE STRICT (
      id INTEGER, tenant STRING, amount INTEGER OPTIONAL, at STRING
    );
    CREATE CODEC cbor_codec FROM WIRE CBOR SCHEMA cbor_wire TO SCHEMA cbor ENCODE at AS RFC3339;`,
  ],
  [
    'avro',
    FIELDS,
    `CREATE WIRE AVRO SCHEMA avro_wire MODE STRICT (
      tenant STRING, id LONG, amount INT OPTIONAL, at STRING
    );
    CREATE CODEC avro_codec FROM WIRE AVRO SCHEMA avro_wire TO SCHEMA avro ENCODE at AS RFC3339;`,
  ],
  [
    'csv',
    FIELDS,
    `CREATE CODEC csv_codec FROM CSV HEADER NAMES DELIMITER ';' NULL '-'
      TO SCHEMA csv ENCODE at AS RFC3339;`,
  ],
  [
    'syslog',
    `facility U8, severity U8, timestamp DATETIME OPTIONAL, hostname STRING OPTIONAL,
      app_name STRING OPTIONAL, message STRING`,
    'CREATE CODEC syslog_codec FROM SYSLOG TO SCHEMA syslog;',
  ],
  [
    'jaq',
    'id I64',
    `CREATE CODEC jaq_codec FROM YAML TO SCHEMA jaq WITH JAQ TRANSFORMATIONS
      ON INGESTION '.items[] | {id}' ON EMITTING '{seen: .id}';`,
  ],
];

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
/** `1970-01-01T00:00:01+00:00`, as codecs write it. */
const AT = Buffer.from('1970-01-01T00:00:01+00:00').toString('hex');

const POSTS: readonly (readonly [
  name: string,
  payload: string | Uint8Array,
  sent: readonly (string | Uint8Array)[],
])[] = [
  [
    'cbor',
    // An open map in another order, an integer in more bytes than it needs, a null.
    hex(
      `bf 6674656e616e74 62c3bc 626964 1b7fffffffffffffff 66616d6f756e74 f6 626174 7819 ${AT} ff`,
    ),
    [hex(`a3 626964 1b7fffffffffffffff 6674656e616e74 62c3bc 626174 7819 ${AT}`)],
  ],
  [
    'avro',
    hex(`04c3bc feffffffffffffffff01 02 0f 32 ${AT}`),
    [hex(`04c3bc feffffffffffffffff01 02 0f 32 ${AT}`)],
  ],
  [
    'csv',
    'tenant;amount;at;id\n"a;b";-;1970-01-01T00:00:01Z;9223372036854775807\r\n' +
      '"-";-8;1970-01-01T00:00:01Z;2\n',
    ['9223372036854775807;"a;b";-;1970-01-01T00:00:01+00:00', '2;"-";-8;1970-01-01T00:00:01+00:00'],
  ],
  [
    'syslog',
    '<34>1 2003-10-11T22:14:15.003Z host su - ID47 - \ufefffailed\n',
    ['<34>1 2003-10-11T22:14:15.003Z host su - - - failed'],
  ],
  [
    'jaq',
    'items:\n- {id: 9223372036854775807}\n- {id: -1, note: dropped}\n',
    ['{seen: 9223372036854775807}', '{seen: -1}'],
  ],
];

test('payloads of every codec come in, and leave in it (CN-306, CN-307, CN-312, CN-321, CN-323, CN-385)', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const { client } = await scratchNode();
  await client.deploy('shop', [
    'CREATE VHOST host localhost, 127.0.0.1;',
    `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${sink.origin}', 'timeout_ms' = 5000 };`,
    ...PIPELINES.flatMap((pipeline) => relayed(...pipeline, sink.origin)),
  ]);
  for (const [name, payload, sent] of POSTS) {
    const before = sink.payloads.length;
    const { status, text } = await client.post(`/${name}`, payload, {
      'content-type': 'application/octet-stream',
    });
    expect([name, status, text]).toEqual([name, 202, '']);
    const arrived = await eventually(
      `${name} leaves`,
      () => sink.payloads.slice(before),
      (bodies) => bodies.length >= sent.length,
    );
    expect(arrived).toEqual(sent.map((body) => Buffer.from(body)));
  }
  // Nothing of a payload with one bad record gets in.
  const mixed = 'id;tenant;amount;at\n1;a;-;1970-01-01T00:00:01Z\n2;b;x;1970-01-01T00:00:01Z';
  expect((await client.post('/csv', mixed)).status).toBe(422);
  expect((await client.post('/avro', hex('04c3'))).status).toBe(422);
  expect((await client.post('/csv', '')).status).toBe(202);
  expect((await client.metrics()).sum('nervix_ingestor_decode_errors_total')).toBe(2);
});

test('a program that does not compile cannot be activated (CN-320)', async () => {
  const { client } = await scratchNode();
  await client.run('CREATE DOMAIN shop;');
  const codec = `CREATE CODEC bad_codec FROM JSON TO SCHEMA bad
    WITH JAQ TRANSFORMATIONS ON INGESTION '{a:' ON EMITTING '.';`;
  const statements = relayed('bad', 'id I64', codec, '');
  const { status, body } = await client.command(
    `BEGIN; CREATE VHOST host localhost;
      CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = 'http://127.0.0.1:9', 'timeout_ms' = 50 };
      ${statements.join('\n')} START; COMMIT;`,
    { domain: 'shop' },
  );
  expect(status).not.toBe(200);
  expect(JSON.stringify(body)).toContain("codec 'bad_codec' has invalid jaq transformation");
});

const ORDER_PROTO =
  'syntax = "proto3"; package shop; message Order { int64 id = 1; repeated string tags = 2; }';

test('messages of an uploaded .proto file come in, and leave in it (CN-321, CN-325)', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const { node, client } = await scratchNode();
  await client.run('CREATE DOMAIN shop;');
  await client.run('CREATE RESOURCE protos;', { domain: 'shop' });
  const folder = scratchFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'order.proto'), ORDER_PROTO);
  const archive = execFileSync('tar', ['-cf', '-', '-C', folder, 'order.proto']);
  const uploaded = await client.send(
    `${node.addresses.session}/api/v1/domains/shop/resources/protos/uploads/first`,
    {
      method: 'PUT',
      headers: {
        authorization: client.authorization,
        'content-type': 'application/octet-stream',
      },
      body: archive,
    },
  );
  expect([uploaded.status, uploaded.text]).toEqual([200, expect.stringContaining('"version":1')]);
  const codec = (message: string): string =>
    `CREATE CODEC order_codec FROM PROTOBUF USING RESOURCE protos VERSION LATEST CONFIG {}
      MESSAGE '${message}' TO SCHEMA order WITH JAQ TRANSFORMATIONS
      ON INGESTION '{id, tag: .tags[]}' ON EMITTING '{id, tags: [.tag]}';`;
  const pipeline = (message: string): string[] => [
    'BEGIN;',
    'CREATE VHOST host localhost, 127.0.0.1;',
    `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${sink.origin}', 'timeout_ms' = 5000 };`,
    ...relayed('order', 'id I64, tag STRING', codec(message), sink.origin),
    'START; COMMIT;',
  ];
  const refused = await client.command(pipeline('shop.Nope').join('\n'), { domain: 'shop' });
  expect(JSON.stringify(refused.body)).toContain("protobuf message 'shop.Nope' was not found");
  await client.run(pipeline('shop.Order').join('\n'), { domain: 'shop' });
  const payload = hex('08 ffffffffffffffff7f 12 01 61 12 02 c3bc');
  expect((await client.post('/order', payload)).status).toBe(202);
  const arrived = await eventually(
    'both records leave',
    () => sink.payloads.slice(),
    (bodies) => bodies.length >= 2,
  );
  expect(arrived).toEqual([
    Buffer.from(hex('08 ffffffffffffffff7f 12 01 61')),
    Buffer.from(hex('08 ffffffffffffffff7f 12 02 c3bc')),
  ]);
  expect((await client.post('/order', hex('08 ff'))).status).toBe(422);
});
