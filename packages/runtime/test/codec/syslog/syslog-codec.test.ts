import type { SchemaPlan, SyslogCodecPlan } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../../src/batch/batch-builder.js';
import { compileDecoder, compileEncoder } from '../../../src/codec/compile-codec.js';
import type { Value } from '../../../src/column/column.js';
import { batchOf } from '../codec-arbitraries.js';
import { field, schemaOf } from '../codec-fixture.js';
import { encodeRow, expectResilience, expectRoundTrip, PROP_RUNS, rowsIn } from '../codec-suite.js';

const optional = { optional: true };
const SCHEMA = schemaOf(
  field('facility', 'U8'),
  field('severity', 'U8'),
  field('timestamp', 'DATETIME', optional),
  field('hostname', 'STRING', optional),
  field('app_name', 'STRING', optional),
  field('proc_id', 'STRING', optional),
  field('msg_id', 'STRING', optional),
  field('structured_data', 'STRING', optional),
  field('message', 'STRING'),
);
const codec: SyslogCodecPlan = { name: 'c', format: 'SYSLOG', schema: 's' };
const nanos = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const IN_2026 = { utcNanos: () => nanos('2026-11-30T00:00:00Z') };

function decode(
  payload: string | Uint8Array,
  schema: SchemaPlan = SCHEMA,
): readonly Value[] | string {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const builder = new BatchBuilder(schema);
  const failure = compileDecoder(codec, schema, IN_2026).decode(bytes, 0, bytes.length, builder);
  return failure?.message ?? rowsIn(builder.finish())[0] ?? [];
}

const syntax = (defect: string, at: number) =>
  `failed to parse syslog payload for codec 'c': ${defect} at byte ${at}`;

/** A message of which only the text is known. */
const bare = (message: string, priority = 13) => [
  priority >>> 3,
  priority & 7,
  ...Array.from({ length: 6 }, () => null),
  message,
];

describe('RFC 5424 messages (CN-311, CN-386)', () => {
  const STAMP = '2003-10-11T22:14:15.003Z';
  const DATA = '[exampleSDID@32473 iut="3" eventSource="Appl\\]ication\\""][x]';
  test.each<[string, string, readonly Value[] | string]>([
    [
      'example 1 of the RFC',
      `<34>1 ${STAMP} mymachine.example.com su - ID47 - \ufeff'su root' failed on /dev/pts/8`,
      [
        4,
        2,
        nanos(STAMP),
        'mymachine.example.com',
        'su',
        null,
        'ID47',
        null,
        "'su root' failed on /dev/pts/8",
      ],
    ],
    [
      'example 2 of the RFC',
      "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time.",
      [
        20,
        5,
        nanos('2003-08-24T12:14:15Z') + 3000n,
        '192.0.2.1',
        'myproc',
        '8710',
        null,
        null,
        "%% It's time.",
      ],
    ],
    [
      'structured data',
      `<165>1 ${STAMP} h a - - ${DATA}`,
      [20, 5, nanos(STAMP), 'h', 'a', null, null, DATA, ''],
    ],
    [
      'structured data and text',
      `<0>1 - - - - - ${DATA}  é`,
      [0, 0, null, null, null, null, null, DATA, ' é'],
    ],
    ['nothing but nulls', '<191>1 - - - - - -', [23, 7, null, null, null, null, null, null, '']],
    ['a trailer', '<13>1 - - - - - - a\r\n\0\n', bare('a')],
    ['a leading byte order mark', '\ufeff<13>1 - - - - - - a', bare('a')],
    ['a second mark is data', '<13>1 - - - - - - \ufeff\ufeffa', bare('\ufeffa')],
    ['zeros inside', '<13>1 - - - - - - a\0b', bare('a\0b')],
    ['a bad timestamp', '<13>1 2003-13-11T22:14:15Z - - - - -', syntax('invalid timestamp', 6)],
    ['no application', `<13>1 ${STAMP} h`, syntax('app_name is missing', 32)],
    ['no structured data', '<13>1 - - - - -', syntax('malformed structured data', 15)],
    ['open structured data', '<13>1 - - - - - [a b="c"', syntax('malformed structured data', 16)],
    [
      'text behind structured data',
      '<13>1 - - - - - [a]x',
      syntax('malformed structured data', 16),
    ],
  ])('%s', (_, text, outcome) => {
    expect(decode(text)).toEqual(outcome);
  });
});

describe('RFC 3164 messages (CN-311)', () => {
  const AT = nanos('2026-10-11T22:14:15Z');
  test.each<[string, string, readonly Value[]]>([
    [
      'example 1 of the RFC',
      "<34>Oct 11 22:14:15 mymachine su: 'su root' failed",
      [4, 2, AT, 'mymachine', 'su', null, null, null, "'su root' failed"],
    ],
    [
      'a process',
      '<34>Oct 11 22:14:15 host sshd[42]: in',
      [4, 2, AT, 'host', 'sshd', '42', null, null, 'in'],
    ],
    [
      'no tag',
      '<34>Oct 11 22:14:15 host some text',
      [4, 2, AT, 'host', null, null, null, null, 'some text'],
    ],
    [
      'a mark before the tag (CN-386)',
      '<34>Oct 11 22:14:15 host \ufeffsu: text',
      [4, 2, AT, 'host', 'su', null, null, null, 'text'],
    ],
    [
      'a mark behind the timestamp (CN-386)',
      '<34>Oct 11 22:14:15 \ufeffsome text',
      [4, 2, AT, null, null, null, null, null, 'some text'],
    ],
    [
      'a mark alone (CN-386)',
      '<34>\ufeff\ufefftext',
      [4, 2, null, null, null, null, null, null, '\ufefftext'],
    ],
    ['no host', '<34>Oct 11 22:14:15 su: text', [4, 2, AT, null, 'su', null, null, null, 'text']],
    ['no text', '<34>Oct 11 22:14:15 host su:', [4, 2, AT, 'host', 'su', null, null, null, '']],
    [
      'a day of one digit',
      '<34>Jan  1 00:00:00 h t: x',
      [4, 2, nanos('2026-01-01T00:00:00Z'), 'h', 't', null, null, null, 'x'],
    ],
    ['no priority', 'Oct 11 22:14:15 h t: x', [1, 5, AT, 'h', 't', null, null, null, 'x']],
    ['no such day', '<34>Feb 30 00:00:00 h t: x', bare('Feb 30 00:00:00 h t: x', 34)],
    ['only text', '<34>app: text', bare('app: text', 34)],
    ['a version without a time', '<13>1 apple fell', bare('1 apple fell')],
    ['only a priority', '<34>', bare('', 34)],
    ['priority 192', '<192>x', bare('<192>x')],
    ['a priority of four digits', '<0034>x', bare('<0034>x')],
    ['a priority with a zero before it', '<034>x', bare('<034>x')],
    ['an empty priority', '<>x', bare('<>x')],
    ['an open priority', '<13', bare('<13')],
    ['no priority before a version', '1 - - - - - -', bare('1 - - - - - -')],
  ])('%s', (_, text, outcome) => {
    expect(decode(text)).toEqual(outcome);
  });

  test('are text that is not empty', () => {
    expect(decode('')).toBe("codec 'c' expected a non-empty payload");
    expect(decode('\r\n\0')).toBe("codec 'c' expected a non-empty payload");
    expect(decode(Uint8Array.of(0x61, 0xff))).toBe(syntax('invalid UTF-8', 1));
    expect(decode(Uint8Array.of(0xfe, 0xff, 0, 0x61))).toBe(
      "codec 'c' input is UTF-16BE, expected UTF-8",
    );
  });

  test('fill a schema that asks for less (CN-310)', () => {
    const less = schemaOf(field('message', 'STRING'), field('severity', 'U8'));
    expect(decode('<34>Oct 11 22:14:15 h su: x', less)).toEqual(['x', 2]);
  });
});

describe('syslog encoding (CN-312)', () => {
  const row = (parts: Partial<Record<string, Value>>) => {
    const all: Partial<Record<string, Value>> = {
      facility: 1,
      severity: 5,
      message: 'm',
      ...parts,
    };
    return SCHEMA.fields.map(({ name }) => all[name] ?? null);
  };
  const fail = (name: string, cause: string) =>
    `codec 'c' failed to encode field '${name}': ${cause}`;
  const long = (length: number) => 'x'.repeat(length);

  test.each<[Partial<Record<string, Value>>, string]>([
    [{}, '<13>1 - - - - - - m'],
    [{ message: '' }, '<13>1 - - - - - -'],
    [{ facility: 23, severity: 7, message: 'é\n' }, '<191>1 - - - - - - é\n'],
    [{ timestamp: nanos('2003-10-11T22:14:15.500Z') }, '<13>1 2003-10-11T22:14:15.5Z - - - - - m'],
    [{ timestamp: 999n }, '<13>1 1970-01-01T00:00:00Z - - - - - m'],
    [{ timestamp: 1_001_999n }, '<13>1 1970-01-01T00:00:00.001001Z - - - - - m'],
    [
      { hostname: long(255), app_name: long(48), proc_id: long(128), msg_id: long(32) },
      `<13>1 - ${long(255)} ${long(48)} ${long(128)} ${long(32)} - m`,
    ],
    [{ structured_data: '[a b="\\]"][c]' }, '<13>1 - - - - - [a b="\\]"][c] m'],
    [{ facility: 24 }, fail('facility', 'value is greater than 23')],
    [{ severity: 8 }, fail('severity', 'value is greater than 7')],
    [{ hostname: long(256) }, fail('hostname', 'text is longer than 255 bytes')],
    [{ app_name: long(49) }, fail('app_name', 'text is longer than 48 bytes')],
    [{ proc_id: long(129) }, fail('proc_id', 'text is longer than 128 bytes')],
    [{ msg_id: long(33) }, fail('msg_id', 'text is longer than 32 bytes')],
    [{ hostname: 'a b' }, fail('hostname', 'text holds characters other than visible ASCII')],
    [{ app_name: 'é' }, fail('app_name', 'text holds characters other than visible ASCII')],
    [{ msg_id: '' }, fail('msg_id', 'text is empty')],
    [{ structured_data: '[a b=c]' }, fail('structured_data', 'malformed structured data')],
    [{ structured_data: '[a] ' }, fail('structured_data', 'malformed structured data')],
    [{ structured_data: '[a=b]' }, fail('structured_data', 'malformed structured data')],
    [{ structured_data: '-' }, fail('structured_data', 'malformed structured data')],
  ])('row %#', (parts, outcome) => {
    const encoded = encodeRow(codec, batchOf(SCHEMA, [row(parts)]), 0);
    expect(typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString()).toBe(outcome);
  });

  test('comes back as it was', () => {
    const name = fc.string({ unit: fc.constantFrom(...'a-Z.9[]"='), minLength: 2, maxLength: 9 });
    const rows = fc.record({
      facility: fc.nat(23),
      severity: fc.nat(7),
      timestamp: fc.option(fc.bigInt({ min: 0n, max: 2n ** 52n }).map((micros) => micros * 1000n)),
      hostname: fc.option(name),
      app_name: fc.option(name),
      proc_id: fc.option(name),
      msg_id: fc.option(name),
      structured_data: fc.option(fc.constantFrom('[a]', '[a b="c d"][e@1 f="\\"\\]é"]')),
      message: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `${text}.`),
    });
    fc.assert(
      fc.property(rows, (parts) => {
        if (parts.message.startsWith('\ufeff')) return;
        expectRoundTrip(codec, batchOf(SCHEMA, [row(parts)]));
      }),
      { numRuns: PROP_RUNS },
    );
  });

  test('is judged when cut or broken', () => {
    const batch = batchOf(SCHEMA, [row({ structured_data: '[a b="c"]', timestamp: 1n })]);
    const payload = encodeRow(codec, batch, 0) as Uint8Array;
    expectResilience(codec, SCHEMA, payload, { failsWhenCut: false });
  });

  test('a container carries its members whole under what they share (CN-330)', () => {
    const batch = batchOf(SCHEMA, [
      row({ hostname: 'h', app_name: 'a', timestamp: 0n, message: '"1"' }),
      row({ severity: 9 }),
      row({ hostname: 'h', app_name: 'b', severity: 3, message: '2' }),
    ]);
    const { bytes, refused } = compileEncoder(codec, SCHEMA).encodeContainer(batch);
    const members = ['<13>1 1970-01-01T00:00:00Z h a - - - "1"', '<11>1 - h b - - - 2'];
    expect(refused.map((each) => each.row)).toEqual([1]);
    expect(Buffer.from(bytes ?? []).toString()).toBe(
      `<13>1 1970-01-01T00:00:00Z h - - - - ${JSON.stringify(members)}`,
    );
  });
});
