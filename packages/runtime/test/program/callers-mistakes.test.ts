import type { SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { compileWindows } from '../../src/aggregate/compile-windows.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import { compileEncoder } from '../../src/codec/compile-codec.js';
import { compileDeduplication } from '../../src/key/compile-deduplication.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { programIn } from '../support/programs.js';

const schemaOf = (...fields: (readonly [string, 'I64' | 'F64' | 'DATETIME', boolean])[]) =>
  ({
    name: 'probe',
    fields: fields.map(([name, type, optional]) => ({ name, type, optional, sensitive: false })),
  }) satisfies SchemaPlan;
const SCHEMA = schemaOf(['a', 'I64', false], ['at', 'DATETIME', false]);
const program = (text: string) => programIn('processor_condition', text, SCHEMA);
const windowsOf = (rows: unknown) =>
  compileWindows({
    input: SCHEMA,
    keys: { key: program('a') },
    rows: rows as number,
    fields: { sum: programIn('window_set', 'SUM(input.a)', SCHEMA) },
  });
const deduplicationOf = (withinNanos: unknown) =>
  compileDeduplication({
    input: SCHEMA,
    keys: [program('a')],
    time: program('at'),
    withinNanos: withinNanos as bigint,
  });
const invalid = (field: string) =>
  expect.objectContaining({
    code: 'RUNTIME_INVALID_PROGRAM',
    details: expect.objectContaining({ field }),
  });

describe("callers' mistakes", () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '2', undefined])(
    'windows of %s records are refused',
    (rows) => {
      expect(() => windowsOf(rows)).toThrow(invalid('rows'));
    },
  );

  test('windows have from one record to the most that a batch has', () => {
    for (const rows of [1, 2 ** 31 - 1, null]) {
      expect(windowsOf(rows).run(RecordBatch.empty(SCHEMA)).batch.rowCount).toBe(0);
    }
  });

  test.each([-1n, 5])('a duration of %s is refused', (withinNanos) => {
    expect(() => deduplicationOf(withinNanos)).toThrow(invalid('withinNanos'));
  });

  test.each([
    ['fewer fields', schemaOf(['a', 'I64', false])],
    ['another type', schemaOf(['a', 'F64', false], ['at', 'DATETIME', false])],
    ['another name', schemaOf(['b', 'I64', false], ['at', 'DATETIME', false])],
    ['another order', schemaOf(['at', 'DATETIME', false], ['a', 'I64', false])],
    ['nulls', schemaOf(['a', 'I64', true], ['at', 'DATETIME', false])],
  ])('a batch of a schema with %s is refused', (_, schema) => {
    const foreign = RecordBatch.empty(schema);
    const runs = [
      compileProjection({ input: SCHEMA, fields: { next: program('a + 1') } }),
      windowsOf(2),
      deduplicationOf(1n),
    ];
    for (const each of runs) {
      expect(() => each.run(foreign)).toThrow(
        expect.objectContaining({
          code: 'RUNTIME_INVALID_ARGUMENT',
          details: expect.objectContaining({ argument: 'batch' }),
        }),
      );
      expect(each.run(RecordBatch.empty({ ...SCHEMA, fields: [...SCHEMA.fields] }))).toBeDefined();
    }
  });

  test('a codec of syslog names the field that its schema lacks', () => {
    const make = () => compileEncoder({ name: 'out', format: 'SYSLOG', schema: 'probe' }, SCHEMA);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'RUNTIME_INVALID_CODEC',
        message: "codec 'out' writes no schema without field 'facility': 'probe'",
      }),
    );
  });
});
