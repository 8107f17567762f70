import { expect, test } from 'vitest';
import { parseStatement } from '../src/index.ts';
import { plain, read } from './support/reading.ts';

const route = 'TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const tail = `BATCH MAX MESSAGES 5 MAX SIZE 1MiB FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG`;
const retry = 'RETRY POLICY BACKOFF 1s MAX 2s';
const where = 'CREATE SUBSCRIPTION s TO r WHERE';
const inferencer = 'CREATE INFERENCER i FROM a USING RESOURCE r VERSION 1 FILE';

/** Lists that a closing token ends: `¦` stands where one comma more may stand. */
const CLOSED: readonly [name: string, text: string][] = [
  ['config', "CREATE CLIENT c TYPE HTTP CONFIG {'a' = 'b'¦}"],
  ['fields of a schema', 'CREATE SCHEMA s (a U8, b U8¦)'],
  ['fields of a wire schema', 'CREATE WIRE AVRO SCHEMA w MODE STRICT (a INT¦)'],
  ['arguments of a call', `${where} f(a, b¦)`],
  ['arguments of a UDF', `${where} udf::f(a¦)`],
  ['a set', `${where} a IN (1, 2¦)`],
  ['a list', `${where} f([1, 2¦])`],
  [
    'arguments of an invocation',
    `CREATE EMITTER e FROM a TO HTTP c METHOD 'GET' PATH p MODE ACK ${retry} WITHOUT BODY ` +
      "INVOKE write_header('a', b¦) FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG",
  ],
  [
    'values',
    `CREATE EMITTER e FROM a TO CLICKHOUSE c INSERT TO TABLE t VALUES {'a' = 1¦} MODE ACK ${retry} ${tail}`,
  ],
  [
    'literal values',
    `CREATE EMITTER e FROM a TO OTEL c LOGS VALUES {'a' = 1¦} ATTRIBUTES {'b' = c¦} RESOURCE {'a' = 1¦} ` +
      `MODE ACK ${retry} ${tail}`,
  ],
  [
    'a conflict target',
    `CREATE EMITTER e FROM a TO POSTGRES c INSERT TO TABLE t VALUES {'a' = 1, 'b' = 2} ` +
      `ON CONFLICT ('a'¦) DO UPDATE MODE ACK ${retry} ${tail}`,
  ],
  [
    'a conflict target of documents',
    `CREATE EMITTER e FROM a TO MONGODB c INSERT TO COLLECTION t VALUES {'a' = 1, 'b' = 2} ` +
      `ON CONFLICT ('a'¦) DO UPDATE MODE ACK ${retry} ${tail}`,
  ],
  [
    'tensors and dimensions',
    `${inferencer} 'f' INPUTS {'t' DENSE TENSOR<F32>[BATCH, 3¦] = a¦} ` +
      `OUTPUT SCHEMA {'u' DENSE TENSOR<F32>[DYNAMIC¦]¦} UNBRANCHED ${route}`,
  ],
  ['settings', "CREATE POLICY p FOR CLUSTER RULES {'rpo' = '5s'¦}"],
];

/** Lists that nothing closes, and yet may end with a comma. */
const OPEN: readonly [name: string, text: string][] = [
  ['encoding rules', 'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s ENCODE a AS RFC3339¦'],
  ['operations on a schema', 'ALTER SCHEMA s DROP FIELD a, DROP FIELD b¦'],
  ['operations on a wire schema', 'ALTER WIRE JSON SCHEMA s DROP FIELD a¦'],
];

test.each([...CLOSED, ...OPEN])('NSPL 2: one comma may end %s', (_name, text) => {
  const without = read(text.replaceAll('¦', ''));
  expect(plain(read(text.replaceAll('¦', ',')))).toEqual(plain(without));
  expect(parseStatement(text.replaceAll('¦', ',,')).kind).toBe('refused');
});

/** Lists that end with an item: `¦` stands where no comma may stand. */
const STRICT: readonly [name: string, text: string][] = [
  [
    'assignments',
    'CREATE JUNCTION j FROM a UNBRANCHED TO b SET x = 1¦ FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
  ],
  [
    'inherited fields',
    'CREATE JUNCTION j FROM a UNBRANCHED TO b INHERIT x¦ FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
  ],
  ['inputs', `CREATE JUNCTION j FROM a¦ UNBRANCHED ${route}`],
  ['keys', `CREATE REORDERER j FROM a BY x¦ MAX TIME 1s UNBRANCHED ${route}`],
  ['hosts', 'CREATE VHOST v a.example¦'],
  ['bindings', 'DESCRIBE RELAY r WHERE (a = 1¦)'],
  [
    'arguments of a UDF declaration',
    'CREATE UDF f WITH ROTO_0_13 ARGS (a I64¦) RETURNS I64 CODE $$$$',
  ],
  ['beginnings of a placement', 'CREATE PLACEMENT p FROM a¦ TO b NEUTRAL'],
  ['ends of a placement', 'CREATE PLACEMENT p FROM a TO b¦ NEUTRAL'],
  ['members of a rebinding', 'REBIND RESOURCE r TO VERSION 2 FOR CODEC c¦'],
  ['values of a branch', 'RESET WASM PROCESSOR w STATE IN DOMAIN d FOR BRANCH VALUES {a = 1¦}'],
  ['operations on a relay', 'ALTER RELAY r SET CAPACITY 5¦'],
  ['operations on a node', 'ALTER NODE n DROP POOL¦'],
  ['operations on a pool', 'ALTER POOL p DROP TRUST¦'],
  ['capabilities', 'CREATE ROLE r CAPABILITIES READ¦'],
  ['domains of a project', 'CREATE PROJECT p DOMAIN d¦'],
];

test.each(STRICT)('NSPL 2: no comma may end %s', (_name, text) => {
  expect(parseStatement(text.replace('¦', '')).kind).toBe('parsed');
  expect(parseStatement(text.replace('¦', ',')).kind).toBe('refused');
  expect(parseStatement(`${text.replace('¦', ',')};`).kind).toBe('refused');
});
