import { describe, expect, test } from 'vitest';
import { completeAt, printStatement } from '../src/index.ts';
import { expectRefusal, read } from './support/reading.ts';

const errors = 'ON MESSAGE ERROR LOG';
const flushed = `FLUSH IMMEDIATE ${errors}`;
const setOnly = `TO b SET x = 1 ${flushed}`;
const reorderer = 'CREATE REORDERER r FROM a';
const sides = 'CREATE CORRELATOR c LEFT FROM a RIGHT FROM b';
const pairing = 'CORRELATE WHERE left.id = right.id MATCH LATEST MAX TIME 5s';
const correlator = `${sides} ${pairing} ON CORRELATION TIMEOUT`;
const model = "USING RESOURCE m VERSION 1 FILE 'f.onnx'";
const tensors =
  "INPUTS {'in' DENSE TENSOR<F32>[BATCH, 3] = input.v} OUTPUT SCHEMA {'out' DENSE TENSOR<F32>[]}";
const inferencer = `CREATE INFERENCER i FROM a ${model}`;
const wasm = `CREATE WASM PROCESSOR w FROM a USING RESOURCE g VERSION LATEST FILE 'g.wasm'`;
const guest = `${wasm} MAX FUEL 1000 MAX MEMORY 64MiB`;
const generator = 'CREATE GENERATOR g USING MATERIALIZED STATE s EACH';

describe('NSPL 6.4, 9.3: processors and their canonical text', () => {
  test.each([
    [
      'CREATE ATTACHED REORDERER r FROM a, to COLLECT FOR 1s FILTER WHERE x BY by, ' +
        `input.max MAX TIME 5m UNBRANCHED TO b ${flushed}`,
      `CREATE ATTACHED REORDERER r
  FROM a, to COLLECT FOR 1s
  FILTER WHERE x
  BY by, input.max
  MAX TIME 5m
  UNBRANCHED
  TO b
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG;`,
    ],
    [
      'CREATE DETACHED CORRELATOR c LEFT FROM left WHERE x, l RIGHT FROM right COLLECT ' +
        'FOR 1s MAX BATCH SIZE 1kB CORRELATE WHERE left.id = right.id MATCH EARLIEST MAX ' +
        'TIME 5m ON CORRELATION TIMEOUT DROP, SEND TO late BRANCHED BY k USING ' +
        'MATERIALIZED STATE s REQUIRED WAIT TO b SET x = left.x, y = right.y WHERE ' +
        `output.x ${flushed}`,
      `CREATE DETACHED CORRELATOR c
  LEFT FROM left WHERE x, l
  RIGHT FROM right COLLECT FOR 1s MAX BATCH SIZE 1kB
  CORRELATE WHERE left.id = right.id
  MATCH EARLIEST
  MAX TIME 5m
  ON CORRELATION TIMEOUT DROP, SEND TO late
  BRANCHED BY k
  USING MATERIALIZED STATE s REQUIRED WAIT
  TO b
    SET x = left.x,
        y = right.y
    WHERE output.x
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG;`,
    ],
    [
      "CREATE INFERENCER i FROM a USING RESOURCE file VERSION 3 FILE 'm.onnx' INPUTS " +
        `{'a' dense tensor<f32>[batch, 3, Dynamic,] = input.a, "b'" DENSE TENSOR<F32>[] ` +
        "= [1, 2],} OUTPUT SCHEMA {'y' DENSE TENSOR<F32>[BATCH, 1000],} UNBRANCHED TO b " +
        `SET y = output_of(y) ${flushed}`,
      `CREATE ATTACHED INFERENCER i
  FROM a
  USING RESOURCE file VERSION 3
  FILE 'm.onnx'
  INPUTS {
    'a' DENSE TENSOR<F32>[BATCH, 3, DYNAMIC] = input.a,
    "b'" DENSE TENSOR<F32>[] = [1, 2]
  }
  OUTPUT SCHEMA {
    'y' DENSE TENSOR<F32>[BATCH, 1000]
  }
  UNBRANCHED
  TO b
    SET y = output_of(y)
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG;`,
    ],
    [
      'CREATE WASM PROCESSOR w FROM a FILTER WHERE x USING RESOURCE g VERSION latest ' +
        `FILE 'g.wasm' MAX FUEL 1000 MAX MEMORY 65536kib UNBRANCHED TO b ${errors} TO c ` +
        `WHERE x ${errors} TO d SET x = 1, output.y = 2 WHERE y ${errors} ON GLOBAL ` +
        'ERROR IGNORE',
      `CREATE ATTACHED WASM PROCESSOR w
  FROM a
  FILTER WHERE x
  USING RESOURCE g VERSION LATEST
  FILE 'g.wasm'
  MAX FUEL 1000
  MAX MEMORY 64MiB
  UNBRANCHED
  TO b
    ON MESSAGE ERROR LOG
  TO c
    WHERE x
    ON MESSAGE ERROR LOG
  TO d
    SET x = 1,
        output.y = 2
    WHERE y
    ON MESSAGE ERROR LOG
  ON REJECTED STATE PRESERVE
  ON GLOBAL ERROR IGNORE;`,
    ],
    [
      `${wasm} MAX FUEL 1 MAX MEMORY 1.5kB UNBRANCHED TO b ${errors} ON REJECTED STATE RESET ON GLOBAL ERROR LOG`,
      `CREATE ATTACHED WASM PROCESSOR w
  FROM a
  USING RESOURCE g VERSION LATEST
  FILE 'g.wasm'
  MAX FUEL 1
  MAX MEMORY 1500B
  UNBRANCHED
  TO b
    ON MESSAGE ERROR LOG
  ON REJECTED STATE RESET
  ON GLOBAL ERROR LOG;`,
    ],
    [
      'CREATE IF NOT EXISTS GENERATOR each USING MATERIALIZED STATE state EACH 90s ' +
        `BRANCHED BY k ${setOnly} TO c SET branch.k = 1 WHERE x ${flushed}`,
      `CREATE IF NOT EXISTS GENERATOR each
  USING MATERIALIZED STATE state
  EACH 90s
  BRANCHED BY k
  TO b
    SET x = 1
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG
  TO c
    SET branch.k = 1
    WHERE x
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG;`,
    ],
    [
      'CREATE REINGESTOR r FROM a WHERE x FILTER WHERE y USING MATERIALIZED STATE s ' +
        `DEFAULT {v = 1, drop = 2} TO b INHERIT ALL BRANCHED BY k SET k = 1 ${flushed} ` +
        `TO c UNBRANCHED ${flushed}`,
      `CREATE ATTACHED REINGESTOR r
  FROM a WHERE x
  FILTER WHERE y
  USING MATERIALIZED STATE s DEFAULT { v = 1, \`drop\` = 2 }
  TO b
    INHERIT ALL
    BRANCHED BY k SET k = 1
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG
  TO c
    UNBRANCHED
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG;`,
    ],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });
});

describe('NSPL 6.4, 10: what was expected in processors', () => {
  test.each([
    [
      `${reorderer} MAX TIME 1s`,
      'expected WHERE | , | COLLECT FOR | FILTER | BY, found MAX',
      'MAX',
    ],
    [`${reorderer} BY )`, 'expected reorder_by, found )', ')'],
    [
      `${reorderer} BY x MAX TIME UNBRANCHED`,
      'expected duration_literal, found UNBRANCHED',
      'UNBRANCHED',
    ],
    ['CREATE CORRELATOR c FROM a', 'expected LEFT, found FROM', 'FROM'],
    [
      `${sides} FILTER WHERE x`,
      'expected WHERE | , | COLLECT FOR | CORRELATE WHERE, found FILTER',
      'FILTER',
    ],
    [`${sides} CORRELATE WHERE )`, 'expected correlate_expression, found )', ')'],
    [`${sides} CORRELATE WHERE x MATCH FIRST`, 'expected EARLIEST | LATEST, found FIRST', 'FIRST'],
    [
      `${sides} ${pairing} UNBRANCHED`,
      'expected ON CORRELATION TIMEOUT, found UNBRANCHED',
      'UNBRANCHED',
    ],
    [`${correlator} LOG`, 'expected DROP | SEND TO, found LOG', 'LOG'],
    [`${correlator} DROP UNBRANCHED`, 'expected ,, found UNBRANCHED', 'UNBRANCHED'],
    [`${correlator} DROP, DROP UNBRANCHED TO b FLUSH`, 'expected SET, found FLUSH', 'FLUSH'],
    ['CREATE INFERENCER i FROM a USING m', 'expected RESOURCE, found m', 'm'],
    [`${inferencer} INPUTS {}`, 'expected string_literal, found }', '}'],
    [`${inferencer} INPUTS {'a' DENSE TENSOR<F64>[]}`, 'expected F32, found F64', 'F64'],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[] = )`,
      'expected value_expression, found )',
      ')',
    ],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[;`,
      'expected BATCH | DYNAMIC | number_literal | ], found end of input',
      '',
    ],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[] = x} UNBRANCHED`,
      'expected OUTPUT SCHEMA, found UNBRANCHED',
      'UNBRANCHED',
    ],
    [`${wasm} MAX MEMORY 1kB`, 'expected FUEL, found MEMORY', 'MEMORY'],
    [`${guest} UNBRANCHED TO b FLUSH`, 'expected SET | WHERE | ON, found FLUSH', 'FLUSH'],
    [
      `${guest} UNBRANCHED TO b ${errors} ON GENERAL ERROR LOG`,
      'expected REJECTED | GLOBAL, found GENERAL',
      'GENERAL',
    ],
    [`${guest} UNBRANCHED TO b ${errors}`, 'expected TO | ON, found end of input', ''],
    ['CREATE GENERATOR g FROM a', 'expected USING MATERIALIZED STATE, found FROM', 'FROM'],
    [
      'CREATE ATTACHED GENERATOR g',
      'expected JUNCTION | DEDUPLICATOR | REORDERER | CORRELATOR | WINDOW | INFERENCER ' +
        '| WASM | REINGESTOR | EMITTER, found GENERATOR',
      'GENERATOR',
    ],
    [`${generator} 1s UNBRANCHED USING`, 'expected TO, found USING', 'USING'],
    [
      'CREATE REINGESTOR r FROM a UNBRANCHED',
      'expected WHERE | , | COLLECT FOR | FILTER | USING | TO, found UNBRANCHED',
      'UNBRANCHED',
    ],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

describe('NSPL 2, 6.4: refusals of processors with their own message', () => {
  const limited = 'set-only output route may contain SET assignments and WHERE only';
  test.each([
    [`${generator} 0s`, "invalid duration '0s': it must be greater than zero", '0s'],
    [`${generator} 600y`, "invalid duration '600y': it exceeds 64-bit nanoseconds", '600y'],
    [`${generator} 1s UNBRANCHED TO b SET x = 1 INVOKE f() FLUSH`, limited, 'SET x = 1 INVOKE f()'],
    [`${generator} 1s UNBRANCHED TO b WHERE x FLUSH`, limited, 'WHERE x'],
    [
      `${correlator} DROP, DROP UNBRANCHED TO b INHERIT ALL SET x = 1 FLUSH`,
      limited,
      'INHERIT ALL SET x = 1',
    ],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[1.5]`,
      'tensor dimension must be a positive integer, DYNAMIC, or BATCH',
      '1.5',
    ],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[any]`,
      'tensor dimension must be a positive integer, DYNAMIC, or BATCH',
      'any',
    ],
    [
      `${inferencer} INPUTS {'a' DENSE TENSOR<F32>[BATCH, 0]`,
      'tensor dimension must be greater than zero',
      '0',
    ],
    [`${wasm} MAX FUEL 0`, 'MAX FUEL must be greater than zero', '0'],
    [`${wasm} MAX FUEL all`, "invalid integer 'all'", 'all'],
    [`${wasm} MAX FUEL 1 MAX MEMORY 0MiB`, 'MAX MEMORY must be greater than zero', '0MiB'],
    [
      `${wasm} MAX FUEL 1 MAX MEMORY 0.5B`,
      'invalid byte_size_literal: it is not a whole number of bytes',
      '0.5B',
    ],
    [
      `${wasm} MAX FUEL 1 MAX MEMORY 16EiB`,
      'invalid byte_size_literal: it is larger than a byte count can be',
      '16EiB',
    ],
    [
      `${guest} UNBRANCHED TO b INHERIT ALL SET x = 1 ON`,
      'WASM processor TO clauses do not support INHERIT',
      'INHERIT ALL SET x = 1',
    ],
    [
      `${guest} UNBRANCHED TO b WHERE x INVOKE f() ON`,
      'WASM processor TO clauses do not support INVOKE',
      'WHERE x INVOKE f()',
    ],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});

/** What is offered behind a text. */
function offered(text: string): readonly string[] {
  return completeAt(text, Buffer.byteLength(text)).items.map(({ label }) => label);
}

describe('NSPL 6.4, 11: a step is counted as the width is', () => {
  const window = 'CREATE WINDOW PROCESSOR w FROM a WIDTH';
  test.each([
    ['10 MESSAGES STEP 5 ', ['MESSAGES']],
    ['10s DURATION STEP 5s ', ['DURATION']],
    ['10s DURATION STEP 5 ', []],
    ['10 MESSAGES STEP 5s ', []],
    ['10 MESSAGES 10s DURATION STEP 5 ', ['MESSAGES']],
    ['10 MESSAGES 10s DURATION STEP 5s ', ['DURATION']],
    ['10s DURATION 10 MESSAGES STEP 5 ', ['MESSAGES']],
    ['10 MESSAGES STEP 5 MESSAGES ', ['BRANCHED BY', 'MAX', 'UNBRANCHED']],
    ['10 MESSAGES ', ['STEP']],
  ])('%s', (text, expected) => {
    expect(offered(`${window} ${text}`)).toEqual(expected);
  });

  test.each([
    [
      '10 MESSAGES STEP 5 MESSAGES UNBRANCHD',
      'expected MAX | BRANCHED BY | UNBRANCHED, found UNBRANCHD',
      'UNBRANCHD',
    ],
    ['10 MESSAGES STEP 5s', 'STEP DURATION requires WIDTH DURATION', '5s'],
    [
      '10 MESSAGES STEP 5 MESSAGES 1s DURATION',
      'STEP DURATION requires WIDTH DURATION',
      '1s DURATION',
    ],
    [
      '10s DURATION STEP 1s DURATION 5 MESSAGES',
      'STEP MESSAGES requires WIDTH MESSAGES',
      '5 MESSAGES',
    ],
  ])('%s', (text, message, pointed) => {
    expectRefusal(`${window} ${text}`, message, pointed);
  });
});

describe('NSPL 11: offers inside processors', () => {
  test.each([
    ['CREATE ATTACHED REO', ['REORDERER']],
    ['CREATE GEN', ['GENERATOR']],
    [`${sides} CORRELATE WHERE x `, ['MATCH']],
    [`${correlator} `, ['DROP', 'SEND TO']],
    [`${inferencer} `, ['INPUTS']],
    [`${inferencer} INPUTS {'a' DENSE TENSOR<F32>[`, ['BATCH', 'DYNAMIC', ']']],
    [`${inferencer} ${tensors} `, ['BRANCHED BY', 'UNBRANCHED']],
    [`${guest} UNBRANCHED TO b ${errors} ON `, ['GLOBAL', 'REJECTED']],
    [`${generator} 1s UNBRANCHED TO b `, ['SET']],
    ['CREATE GENERATOR g ', ['USING MATERIALIZED STATE']],
  ])('%s', (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });
});
