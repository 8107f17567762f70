import { Session } from 'node:inspector/promises';
import { setImmediate } from 'node:timers/promises';
import type { ScalarType, SchemaPlan, TypedExpression } from '@nervix/model';
import { expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { compileJsonDecoder } from '../../src/codec/json/json-decoder.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { SNAPSHOT } from './expression-fixture.js';

const ROWS = 20_000;
/** A boxed number takes 12 bytes and more; columns and their parts are a few objects a run. */
const BYTES_PER_ROW_MAX = 0.5;
/** Of lines, every quarter of a megabyte has some views of the columns. */
const BYTES_PER_LINE_MAX = 2;
const plain = { optional: false, sensitive: false } as const;
const field = (name: string, type: ScalarType) => ({ name, type, ...plain });
const SCHEMA: SchemaPlan = {
  name: 'rows',
  fields: [field('n', 'I32'), field('id', 'I64'), field('x', 'F64'), field('y', 'F32')],
};

function column(name: string, type: ScalarType): TypedExpression {
  return { kind: 'column', row: 'input', field: name, type, ...plain };
}

function literal(value: string | number, type: ScalarType): TypedExpression {
  return { kind: 'literal', value, type, ...plain };
}

function binary(operator: 'add' | 'mul' | 'gt', left: TypedExpression, right: TypedExpression) {
  const type = operator === 'gt' ? 'BOOL' : left.type;
  return { kind: 'binary', operator, left, right, type, ...plain } as const;
}

const program = (expression: TypedExpression) => ({
  version: 1 as const,
  expression,
  aggregates: [],
  reads: [],
});

function batch(): RecordBatch {
  const builder = new BatchBuilder(SCHEMA);
  for (let row = 0; row < ROWS; row += 1) {
    builder.appendRow([row % 1000, BigInt(row) * 1_000_003n, row / 7, row / 3]);
  }
  return builder.finish();
}

/** Bytes that the heap gave out while work ran, collected ones included, of about every 2 KiB one. */
async function allocated(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 2048,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    work();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    const pending = [profile.head];
    let bytes = 0;
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      bytes += node.selfSize;
      pending.push(...node.children);
    }
    return bytes;
  } finally {
    session.disconnect();
  }
}

test('numeric paths allocate nothing a row (RT-9)', async () => {
  const [n, id, x, y] = SCHEMA.fields.map(({ name, type }) => column(name, type as ScalarType));
  const projection = compileProjection({
    input: SCHEMA,
    where: program(binary('gt', n!, literal('500', 'I32'))),
    fields: {
      narrow: program(binary('mul', n!, literal('3', 'I32'))),
      wide: program(binary('add', binary('mul', id!, literal('2', 'I64')), id!)),
      double: program(binary('add', binary('mul', x!, literal(2.5, 'F64')), x!)),
      single: program(binary('mul', y!, literal(2.5, 'F32'))),
    },
  });
  const rows = batch();
  const run = (): void => {
    expect(projection.run(rows, SNAPSHOT).batch.rowCount).toBe(9_980);
  };
  await expectAllocation(run, BYTES_PER_ROW_MAX);
});

test('decoding lines of numbers allocates nothing a row (RT-9)', async () => {
  const codec = { name: 'c', format: 'JSON', schema: 'rows', strict: true } as const;
  const decoder = compileJsonDecoder(codec, SCHEMA);
  const builder = new BatchBuilder(SCHEMA);
  const lines = Array.from({ length: ROWS }, (_, row) => {
    return `{"n":${row % 1000},"id":${BigInt(row) * 1_000_003n},"x":${row / 8},"y":${row % 99}}\n`;
  });
  const body = Buffer.from(lines.join(''));
  const decode = (): void => {
    expect(decoder.decodeLines(body, builder)).toBeUndefined();
    expect(builder.finish().rowCount).toBe(ROWS);
  };
  await expectAllocation(decode, BYTES_PER_LINE_MAX);
});

/** Expects that work over all rows comes to allocate less than so many bytes for each of them. */
async function expectAllocation(work: () => void, bytesPerRowMax: number): Promise<void> {
  // The host compiles what it sees often, on a thread of its own; until then it boxes numbers.
  let perRow = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 500 && perRow >= bytesPerRowMax; round += 1) {
    for (let warm = 0; warm < 10; warm += 1) work();
    await setImmediate();
    perRow = (await allocated(work)) / ROWS;
  }
  expect(perRow).toBeLessThan(bytesPerRowMax);
}
