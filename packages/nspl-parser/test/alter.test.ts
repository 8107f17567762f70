import { describe, expect, test } from 'vitest';
import { hasSeparatedOperations } from '../src/expression/operation-separator.ts';
import { completeAt, parseStatement, printStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { expectRefusal, read } from './support/reading.ts';
import { alternativesOf, terminalLabelsOf } from './support/recorded-rules.ts';

const errors = 'ON MESSAGE ERROR LOG';
const flushed = `FLUSH IMMEDIATE ${errors}`;
const retry = 'RETRY POLICY BACKOFF 1s MAX 2s';

const KINDS =
  'RELAY | JUNCTION | DEDUPLICATOR | REORDERER | REINGESTOR | GENERATOR | INGESTOR | EMITTER | ' +
  'PLACEMENT | SCHEMA | WIRE | DOMAIN | USER | NODE | CLUSTER | POOL | POLICY | PROJECT | ROLE | ' +
  'DELEGATION';

describe('NSPL 7, 9.3: ALTER of nodes and its canonical text', () => {
  const processor = [
    'ADD FROM a',
    'ADD FROM a WHERE x = 1 AND y',
    'DROP FROM add',
    'ALTER FROM set SET WHERE x',
    'ALTER FROM a DROP WHERE',
    'SET COLLECT FOR 50ms',
    'SET COLLECT FOR 50ms MAX BATCH SIZE 64KiB',
    'DROP COLLECT',
    'SET FILTER WHERE input.x IN (1, 2)',
    'DROP FILTER WHERE',
    'SET ATTACHED',
    'SET DETACHED',
    'ADD MATERIALIZED STATE s REQUIRED SKIP',
    'ADD MATERIALIZED STATE s DEFAULT { `drop` = 1, x = 2 }',
    'ALTER MATERIALIZED STATE s SET REQUIRED WAIT',
    'DROP MATERIALIZED STATE s',
    'DROP ROUTE TO r',
  ];
  const branching = ['SET BRANCHED BY set', 'SET UNBRANCHED'];
  const flushing = [
    `ADD ROUTE TO r ${flushed}`,
    `REPLACE ROUTE TO r INHERIT ALL EXCEPT a, b SET x = 1, y = 2 WHERE z INVOKE f(), g(1) ${flushed}`,
    'ADD ROUTE TO r FLUSH EACH 1s MAX BATCH SIZE 1MiB ON MESSAGE ERROR SEND TO e SET a = 1, b = 2',
  ];
  const entering = [
    `ADD ROUTE TO r INHERIT a LEAK SENSITIVE, b BRANCHED BY k SET k = 1, branch.l = 2 ${flushed}`,
    `REPLACE ROUTE TO r UNBRANCHED ${flushed}`,
  ];
  const kinds: readonly [kind: string, operations: readonly string[]][] = [
    ['JUNCTION', [...processor, ...branching, ...flushing]],
    [
      'DEDUPLICATOR',
      [
        ...processor,
        ...branching,
        ...flushing,
        'SET DEDUPLICATE ON a, max(b), add(c)',
        'SET MAX TIME 5m',
      ],
    ],
    [
      'REORDERER',
      [...processor, ...branching, ...flushing, 'SET BY a, input.add', 'SET MAX TIME soon'],
    ],
    ['REINGESTOR', [...processor, ...entering]],
    [
      'RELAY',
      [
        'SET CAPACITY 8',
        'SET SCHEMA s',
        ...branching,
        'SET MATERIALIZED STATE LAST BY TIMESTAMP',
        'DROP MATERIALIZED STATE',
      ],
    ],
    [
      'GENERATOR',
      [
        'SET MATERIALIZED STATE s',
        'SET EACH 90s',
        ...branching,
        `ADD ROUTE TO r SET x = 1, y = 2 ${flushed}`,
        `REPLACE ROUTE TO r SET x = 1 WHERE y ${flushed}`,
        'DROP ROUTE TO r',
      ],
    ],
    [
      'INGESTOR',
      [
        'SET FROM ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s',
        `SET FROM CLIENT SCHEMA s MODE ACK SEQUENTIAL ACK TIMEOUT 5s ${retry} ON QUIESCE SUSPEND`,
        'SET QUIESCE SUSPEND',
        'SET QUIESCE DROP',
        'SET QUIESCE BUFFER MAX SIZE 1MiB',
        'SET QUIESCE BUFFER MAX SIZE 1MiB ON OVERFLOW DROP OLDEST',
        'SET QUIESCE REJECT RETRY AFTER 1s',
        'SET DECODE USING c',
        'SET TIMESTAMP NOW',
        'SET TIMESTAMP AT time',
        'DROP TIMESTAMP',
        'SET FILTER WHERE x',
        'DROP FILTER WHERE',
        ...entering,
        'DROP ROUTE TO r',
        'SET GENERAL ERROR IGNORE',
        'SET DECODE ERROR RETRY',
        'SET DECODE ERROR SEND TO e SET a = error.code, b = error.payload',
        'DROP DECODE ERROR',
      ],
    ],
    [
      'EMITTER',
      [
        'ADD FROM a WHERE x',
        'DROP FROM a',
        'ALTER FROM a SET WHERE x',
        'ALTER FROM a DROP WHERE',
        `SET TO KAFKA c TOPIC t MODE NO_ACK ${retry}`,
        `SET TO SQS c QUEUE q FIFO GROUP a + b MODE SINGLE ${retry}`,
        `SET TO HTTP c METHOD 'GET' PATH p MODE ACK ${retry} ENCODE USING j`,
        `SET TO HTTP c METHOD 'GET' PATH p MODE ACK ${retry} WITHOUT BODY`,
        `SET TO CLIENT SCHEMA s MODE ACK PARALLEL MAX 4 ACK TIMEOUT 5s ${retry}`,
        `SET TO POSTGRES c INSERT TO TABLE t VALUES {'a' = x, 'b' = y} ON CONFLICT ('a') DO UPDATE MODE ACK ${retry}`,
        "SET TO ICEBERG ON S3 c TABLE t VALUES {'a' = x} LOCATION 's3://b' CATALOG i " +
          `COMMIT EACH 1m MAX SIZE 1GiB MODE ACK ${retry}`,
        'SET CLIENT c',
        'SET ENCODE USING j',
        'DROP ENCODE',
        'SET COLLECT FOR 1s',
        'DROP COLLECT',
        'SET ATTACHED',
        `SET MODE NO_ACK ${retry}`,
        `SET MODE ACK ${retry}`,
        `SET MODE ACK SEQUENTIAL ACK TIMEOUT 5s ${retry}`,
        `SET MODE QOS 0 ${retry}`,
        `SET MODE JETSTREAM ACK PARALLEL MAX 2 ACK TIMEOUT 5s ${retry}`,
        `SET MODE SINGLE ${retry}`,
        `SET MODE BATCH ${retry}`,
        'SET BATCH MAX MESSAGES 10 MAX SIZE 1MiB',
        'DROP BATCH',
        'SET FLUSH IMMEDIATE',
        'SET COMMIT EACH 1m MAX SIZE 1GiB',
      ],
    ],
    [
      'PLACEMENT',
      [
        'SET POLICY REQUIRE COLOCATION',
        'SET POLICY NEUTRAL',
        'SET RANK 3',
        'DROP RANK',
        'SET FROM set, a TO drop, b',
        'RENAME TO rename',
      ],
    ],
    [
      'SCHEMA',
      [
        'ADD FIELD add VEC<U8> OPTIONAL SENSITIVE',
        'DROP FIELD drop',
        'RENAME FIELD a TO b',
        'ALTER FIELD a SET TYPE ARRAY<F32, 3, 224>',
        'ALTER FIELD a SET OPTIONAL',
        'ALTER FIELD a DROP OPTIONAL',
        'ALTER FIELD a SET SENSITIVE',
        'ALTER FIELD a DROP SENSITIVE',
      ],
    ],
    ...['JSON', 'CBOR', 'AVRO'].map((format): [string, readonly string[]] => [
      `WIRE ${format} SCHEMA`,
      [
        'MODE STRICT',
        'MODE LOOSE',
        'ADD FIELD a STRING OPTIONAL',
        'ADD FIELD a BYTES',
        'DROP FIELD a',
        'RENAME FIELD a TO b',
        `ALTER FIELD a SET TYPE ${format === 'AVRO' ? 'RECORD' : 'OBJECT'}`,
        'ALTER FIELD a SET OPTIONAL',
        'ALTER FIELD a DROP OPTIONAL',
      ],
    ]),
  ];
  const name = (kind: string) => (kind === 'RELAY' ? 'schema' : 'relay');

  test.each(kinds.flatMap(([kind, list]) => list.map((operation) => [kind, operation] as const)))(
    '%s: %s',
    (kind, operation) => {
      const text = `ALTER ${kind} ${name(kind)} ${operation};`;
      expect(printStatement(read(text))).toBe(text);
    },
  );

  test.each(kinds)('%s: all at once, in any case of the keywords', (kind, list) => {
    const text = `ALTER ${kind} ${name(kind)} ${list.join(', ')};`;
    expect(printStatement(read(text))).toBe(text);
    const lowered = list.map((operation) => operation.replace(/^[A-Z ]+/u, (w) => w.toLowerCase()));
    expect(printStatement(read(`alter ${kind} ${name(kind)} ${lowered.join(',\n  ')}`))).toBe(text);
  });
});

describe('NSPL 3.2, 15.4: what a comma separates in ALTER', () => {
  const junction = 'ALTER JUNCTION j';
  test.each([
    // A head word that is called or qualifies is no head.
    [
      'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, drop(b), input.c',
      'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, drop(b), input.c;',
    ],
    [
      `${junction} ADD ROUTE TO b SET x = 1 INVOKE f(), drop(1), add(2) ${flushed}`,
      `${junction} ADD ROUTE TO b SET x = 1 INVOKE f(), drop(1), add(2) ${flushed};`,
    ],
    // Quoted names go on with the list.
    [
      `${junction} ADD ROUTE TO b INHERIT a, \`drop\`, \`set\` SET x = 1, \`rename\` = 2 ${flushed}`,
      `${junction} ADD ROUTE TO b INHERIT a, \`drop\`, \`set\` SET x = 1, \`rename\` = 2 ${flushed};`,
    ],
    // The first item of a list needs no quotes; it gets them all the same.
    ['ALTER REORDERER r SET BY drop, MAX', 'ALTER REORDERER r SET BY `drop`, max;'],
    // Inside brackets nothing separates.
    [
      `${junction} SET FILTER WHERE f(a, drop) AND b IN (1, add) AND c = [1, alter], DROP COLLECT`,
      `${junction} SET FILTER WHERE f(a, \`drop\`) AND b IN (1, \`add\`) AND c = [1, \`alter\`], DROP COLLECT;`,
    ],
    [
      `${junction} ADD MATERIALIZED STATE s DEFAULT {x = 1, drop = 2}, DROP FROM a`,
      `${junction} ADD MATERIALIZED STATE s DEFAULT { x = 1, \`drop\` = 2 }, DROP FROM a;`,
    ],
    [
      "ALTER EMITTER e SET TO CLICKHOUSE c INSERT TO TABLE t VALUES {'a' = add, 'b' = " +
        `drop} MODE ACK ${retry}, DROP BATCH`,
      `ALTER EMITTER e SET TO CLICKHOUSE c INSERT TO TABLE t VALUES {'a' = \`add\`, ` +
        `'b' = \`drop\`} MODE ACK ${retry}, DROP BATCH;`,
    ],
    // Operations follow every list that nothing closes.
    [
      'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, b, SET MAX TIME 1s',
      'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, b, SET MAX TIME 1s;',
    ],
    [
      `${junction} ADD ROUTE TO b FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO e SET a = ` +
        `1, b = 2, REPLACE ROUTE TO c ${flushed}`,
      `${junction} ADD ROUTE TO b FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO e SET a = ` +
        `1, b = 2, REPLACE ROUTE TO c ${flushed};`,
    ],
    [
      'ALTER PLACEMENT p SET FROM a, b TO c, d, SET RANK 1, SET FROM add TO drop, RENAME TO q',
      'ALTER PLACEMENT p SET FROM a, b TO c, d, SET RANK 1, SET FROM add TO drop, RENAME TO q;',
    ],
    // Inside another statement as well.
    [
      'PLAN ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, SET MAX TIME 1s',
      'PLAN ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, SET MAX TIME 1s;',
    ],
    [
      'EXPLAIN FORMAT JSON ALTER REORDERER r SET BY a, DROP COLLECT',
      'EXPLAIN FORMAT JSON ALTER REORDERER r SET BY a, DROP COLLECT;',
    ],
    // Schemas have plain commas, also behind the last operation.
    [
      'ALTER SCHEMA s ADD FIELD a U8, DROP FIELD b,',
      'ALTER SCHEMA s ADD FIELD a U8, DROP FIELD b;',
    ],
    ['ALTER WIRE JSON SCHEMA s MODE LOOSE,', 'ALTER WIRE JSON SCHEMA s MODE LOOSE;'],
    [
      'ALTER WIRE AVRO SCHEMA s MODE LOOSE, WAIT 5s',
      'ALTER WIRE AVRO SCHEMA s MODE LOOSE WAIT 5s;',
    ],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });

  test('outside ALTER a head word is an ordinary name', () => {
    const text = `CREATE DEDUPLICATOR d FROM a DEDUPLICATE ON b, drop, add MAX TIME 1s UNBRANCHED TO c ${flushed}`;
    const result = parseStatement(text);
    expect(result.kind).toBe('parsed');
  });
});

describe('NSPL 7, 10: what was expected in ALTER', () => {
  test.each([
    ['ALTER x', `expected ${KINDS}, found x`, 'x'],
    ['ALTER WINDOW PROCESSOR w', `expected ${KINDS}, found WINDOW`, 'WINDOW'],
    ['ALTER RELAY r ADD', 'expected SET | DROP, found ADD', 'ADD'],
    [
      'ALTER RELAY r SET x',
      'expected CAPACITY | SCHEMA | BRANCHED BY | UNBRANCHED | MATERIALIZED, found x',
      'x',
    ],
    [
      'ALTER RELAY r SET CAPACITY 5 x',
      'expected alter_operation_separator | WAIT | ;, found x',
      'x',
    ],
    ['ALTER RELAY r SET CAPACITY 5,', 'expected SET | DROP, found end of input', ''],
    ['ALTER JUNCTION j x', 'expected ADD | DROP | ALTER | SET | REPLACE, found x', 'x'],
    ['ALTER JUNCTION j ADD x', 'expected FROM | MATERIALIZED | ROUTE, found x', 'x'],
    [
      'ALTER JUNCTION j DROP x',
      'expected FROM | COLLECT | FILTER | MATERIALIZED | ROUTE, found x',
      'x',
    ],
    ['ALTER JUNCTION j ALTER x', 'expected FROM | MATERIALIZED, found x', 'x'],
    ['ALTER JUNCTION j ALTER FROM a x', 'expected SET | DROP, found x', 'x'],
    [
      'ALTER JUNCTION j SET x',
      'expected COLLECT FOR | FILTER | ATTACHED | DETACHED | BRANCHED BY | UNBRANCHED, found x',
      'x',
    ],
    ['ALTER JUNCTION j DROP ROUTE b', 'expected TO, found b', 'b'],
    [
      'ALTER JUNCTION j ADD FROM a FILTER',
      'expected WHERE | alter_operation_separator | WAIT | ;, found FILTER',
      'FILTER',
    ],
    [
      'ALTER JUNCTION j ADD ROUTE TO b SET x = 1, SET y = 2',
      'expected WHERE | INVOKE | FLUSH EACH | FLUSH IMMEDIATE, found ,',
      ',',
    ],
    [
      'ALTER JUNCTION j ADD ROUTE TO b SET x = 1, WHERE y',
      'expected identifier, found WHERE',
      'WHERE',
    ],
    [
      'ALTER DEDUPLICATOR d SET x',
      'expected COLLECT FOR | FILTER | ATTACHED | DETACHED | BRANCHED BY | UNBRANCHED | ' +
        'DEDUPLICATE ON | MAX TIME, found x',
      'x',
    ],
    [
      'ALTER DEDUPLICATOR d SET DEDUPLICATE ON a, drop',
      'expected FROM | COLLECT | FILTER | MATERIALIZED | ROUTE, found end of input',
      '',
    ],
    ['ALTER REORDERER r SET BY )', 'expected reorder_by, found )', ')'],
    [
      'ALTER REINGESTOR r SET x',
      'expected COLLECT FOR | FILTER | ATTACHED | DETACHED, found x',
      'x',
    ],
    [
      `ALTER REINGESTOR r ADD ROUTE TO b ${flushed}`,
      'expected INHERIT | SET | WHERE | INVOKE | BRANCHED BY | UNBRANCHED, found FLUSH',
      'FLUSH',
    ],
    ['ALTER GENERATOR g x', 'expected SET | ADD | DROP | REPLACE, found x', 'x'],
    [`ALTER GENERATOR g ADD ROUTE TO b ${flushed}`, 'expected SET, found FLUSH', 'FLUSH'],
    [
      'ALTER INGESTOR i SET x',
      'expected FROM | QUIESCE | DECODE USING | TIMESTAMP | FILTER | GENERAL | DECODE, found x',
      'x',
    ],
    ['ALTER INGESTOR i DROP x', 'expected TIMESTAMP | FILTER | ROUTE | DECODE, found x', 'x'],
    ['ALTER INGESTOR i SET DECODE x', 'expected USING | ERROR, found x', 'x'],
    ['ALTER INGESTOR i SET QUIESCE x', 'expected SUSPEND | BUFFER | DROP | REJECT, found x', 'x'],
    ['ALTER EMITTER e x', 'expected ADD | DROP | ALTER | SET | SET MODE, found x', 'x'],
    [
      'ALTER EMITTER e SET x',
      'expected TO | CLIENT | ENCODE USING | COLLECT FOR | ATTACHED | DETACHED | ' +
        'BATCH MAX MESSAGES | FLUSH EACH | FLUSH IMMEDIATE | COMMIT EACH | MODE, found x',
      'x',
    ],
    ['ALTER EMITTER e DROP x', 'expected FROM | ENCODE | COLLECT | BATCH, found x', 'x'],
    [
      `ALTER EMITTER e SET TO HTTP c METHOD m PATH p MODE ACK ${retry}`,
      'expected ENCODE USING | WITHOUT BODY, found end of input',
      '',
    ],
    [
      `ALTER EMITTER e SET TO KAFKA c TOPIC t MODE NO_ACK ${retry} ENCODE USING j`,
      'expected alter_operation_separator | WAIT | ;, found ENCODE',
      'ENCODE',
    ],
    ['ALTER PLACEMENT p x', 'expected SET | DROP | RENAME, found x', 'x'],
    ['ALTER PLACEMENT p SET x', 'expected POLICY | RANK | FROM, found x', 'x'],
    ['ALTER PLACEMENT p SET FROM a b', 'expected , | TO, found b', 'b'],
    [
      'ALTER PLACEMENT p SET FROM a TO b c',
      'expected , | alter_operation_separator | WAIT | ;, found c',
      'c',
    ],
    ['ALTER PLACEMENT p SET FROM a, drop TO b', 'expected ref:runtime_node, found drop', 'drop'],
    [
      'ALTER SCHEMA s x',
      'expected ADD FIELD | DROP FIELD | RENAME FIELD | ALTER FIELD, found x',
      'x',
    ],
    [
      'ALTER SCHEMA s ALTER FIELD f x',
      'expected SET TYPE | SET OPTIONAL | DROP OPTIONAL | SET SENSITIVE | DROP SENSITIVE, found x',
      'x',
    ],
    ['ALTER SCHEMA s RENAME FIELD f TO', 'expected field_name, found end of input', ''],
    ['ALTER SCHEMA s DROP FIELD f x', 'expected , | WAIT | ;, found x', 'x'],
    [
      'ALTER SCHEMA s DROP FIELD f, x',
      'expected ADD FIELD | DROP FIELD | RENAME FIELD | ALTER FIELD | WAIT | ;, found x',
      'x',
    ],
    ['ALTER WIRE SCHEMA s', 'expected JSON | CBOR | AVRO, found SCHEMA', 'SCHEMA'],
    [
      'ALTER WIRE JSON SCHEMA s SET',
      'expected MODE | ADD FIELD | DROP FIELD | RENAME FIELD | ALTER FIELD, found SET',
      'SET',
    ],
    [
      'ALTER WIRE JSON SCHEMA s ALTER FIELD f SET SENSITIVE',
      'expected TYPE | OPTIONAL, found SENSITIVE',
      'SENSITIVE',
    ],
    [
      'ALTER WIRE AVRO SCHEMA s ADD FIELD f OBJECT',
      'expected NULL | BOOLEAN | INT | LONG | FLOAT | DOUBLE | BYTES | STRING | RECORD | ENUM | ' +
        'ARRAY | MAP | FIXED, found OBJECT',
      'OBJECT',
    ],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 2, 3.2, 7: refusals of ALTER with their own message', () => {
  const noSet = 'output route must contain SET assignments and may contain WHERE';
  const setOnly = 'set-only output route may contain SET assignments and WHERE only';
  test.each([
    ['ALTER RELAY message SET UNBRANCHED', "invalid ref:relay: 'message' is reserved", 'message'],
    ['ALTER RELAY r SET CAPACITY 0', 'relay CAPACITY must be greater than zero', '0'],
    ['ALTER GENERATOR g ADD ROUTE TO b WHERE x FLUSH', noSet, 'WHERE x'],
    ['ALTER GENERATOR g REPLACE ROUTE TO b INHERIT ALL FLUSH', noSet, 'INHERIT ALL'],
    [
      'ALTER GENERATOR g ADD ROUTE TO b SET x = 1 INVOKE f() FLUSH',
      setOnly,
      'SET x = 1 INVOKE f()',
    ],
    ['ALTER GENERATOR g SET EACH 0s', "invalid duration '0s': it must be greater than zero", '0s'],
    [
      'ALTER PLACEMENT p SET RANK 0',
      'placement RANK 0 is invalid; RANK must be greater than zero',
      '0',
    ],
    [
      'ALTER REINGESTOR r ADD ROUTE TO b BRANCHED BY k SET message.a = 1 FLUSH',
      'branch construction accepts SET assignments with bare or branch targets only',
      'SET message.a = 1',
    ],
    [
      'ALTER JUNCTION j ADD MATERIALIZED STATE s DEFAULT {branch.x = 1}',
      'materialized-state DEFAULT requires bare constant assignments',
      'branch.x = 1',
    ],
    [
      'ALTER SCHEMA s ADD FIELD f U8 OPTIONAL OPTIONAL',
      'schema field modifier OPTIONAL may appear at most once',
      'OPTIONAL',
    ],
    [
      'ALTER EMITTER e SET BATCH MAX MESSAGES 0 MAX SIZE 1B',
      'BATCH MAX MESSAGES must be between 1 and 65536, found 0',
      '0',
    ],
    [`ALTER EMITTER e SET MODE QOS 3 ${retry}`, 'MQTT emitter QOS must be 0, 1, or 2', '3'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 11: offers inside ALTER', () => {
  const offered = (text: string) =>
    completeAt(text, Buffer.byteLength(text)).items.map(({ label }) => label);
  test.each([
    ['ALTER RE', ['REINGESTOR', 'RELAY', 'REORDERER']],
    ['ALTER DEDUPLICATOR d SET MA', ['MAX TIME']],
    ['ALTER EMITTER e ', ['ADD', 'ALTER', 'DROP', 'SET', 'SET MODE']],
    ['ALTER GENERATOR g ADD ROUTE TO b ', ['SET']],
    ['ALTER INGESTOR i SET DECODE ', ['ERROR', 'USING']],
    ['ALTER WIRE ', ['AVRO', 'CBOR', 'JSON']],
    [
      'ALTER SCHEMA s ALTER FIELD f ',
      ['DROP OPTIONAL', 'DROP SENSITIVE', 'SET OPTIONAL', 'SET SENSITIVE', 'SET TYPE'],
    ],
    ['ALTER REORDERER r SET BY a, SET MAX TIME 1s, DROP C', ['COLLECT']],
  ])('%s', (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });
});

test('NSPL 7: every operation has a place in the text', () => {
  const text = 'ALTER REORDERER r SET BY a, b, DROP COLLECT, SET MAX TIME 1s';
  const result = parseStatement(text);
  if (result.kind === 'refused' || result.parsed.statement.kind !== 'alter_model') {
    throw new Error('refused');
  }
  const { statement, spans } = result.parsed;
  const places = statement.operations.map((operation) => spans.spanOf(operation)!);
  expect(places.map(({ start, end }) => text.slice(start, end))).toEqual([
    'SET BY a, b',
    'DROP COLLECT',
    'SET MAX TIME 1s',
  ]);
});

test('NSPL 3.2: head words end lists in those statements that have a separator', () => {
  const kinds = alternativesOf('alter');
  const separated = kinds.filter((kind) =>
    terminalLabelsOf(kind).includes('alter_operation_separator'),
  );
  const treated = kinds.filter((kind) => {
    const [word] = terminalLabelsOf(kind);
    return hasSeparatedOperations(new Lexer(`ALTER ${word} n`).next()?.tokens ?? []);
  });
  expect(separated.length).toBeGreaterThan(5);
  expect(separated.length).toBeLessThan(kinds.length);
  expect(treated).toEqual(separated);
});
