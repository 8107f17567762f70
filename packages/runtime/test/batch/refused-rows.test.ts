import type { DataType, SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue, type Value } from '../../src/column/column.js';

const schemaOf = (type: DataType, optional = false): SchemaPlan => ({
  name: 'probe',
  fields: [
    { name: 'first', type: 'STRING', optional: false, sensitive: false },
    { name: 'second', type, optional, sensitive: false },
  ],
});

const VEC: DataType = { kind: 'vec', element: 'I16' };
const PAIRS: DataType = { kind: 'array', element: { kind: 'vec', element: 'STRING' }, length: 2 };

const REFUSED: readonly (readonly [DataType, unknown, string])[] = [
  ['I64', 2n ** 63n, 'is out of the range of I64'],
  ['I64', 7, 'is no bigint, as I64 is'],
  ['U64', -1n, 'is out of the range of U64'],
  ['U64', 2n ** 70n, 'is out of the range of U64'],
  ['DATETIME', -(2n ** 63n) - 1n, 'is out of the range of DATETIME'],
  ['DATETIME', new Date(0), 'is no bigint, as DATETIME is'],
  ['I8', 128, 'is out of the range of I8'],
  ['I8', 1n, 'is no whole number, as I8 is'],
  ['U8', -1, 'is out of the range of U8'],
  ['U16', 1.5, 'is no whole number, as U16 is'],
  ['I32', 2 ** 31, 'is out of the range of I32'],
  ['U32', Number.NaN, 'is no whole number, as U32 is'],
  ['F64', 'x', 'is no number'],
  ['F32', 1e39, 'is out of the range of F32'],
  ['F32', 1n, 'is no number'],
  ['BOOL', 1, 'is no boolean'],
  ['STRING', 42, 'is no text'],
  ['STRING', 'a\ud800b', 'is a text with a lone surrogate'],
  ['BYTES', 'secret', 'is no Uint8Array'],
  ['BYTES', undefined, 'is no Uint8Array'],
  ['BOOL', null, 'is null, but not optional'],
  [VEC, 'secret', 'is no list'],
  [VEC, [1, 40_000], 'has an element 1 that is out of the range of I16'],
  [VEC, [null], 'has an element 0 that is null, but not optional'],
  [PAIRS, [['a']], 'has 1 elements, not 2'],
  [PAIRS, [['a'], ['b', 3]], 'has an element 1 that has an element 1 that is no text'],
];

const KEPT: readonly (readonly [DataType, Value])[] = [
  ['I64', -(2n ** 63n)],
  ['U64', 2n ** 64n - 1n],
  ['I8', -128],
  ['U32', 2 ** 32 - 1],
  ['F64', Number.NaN],
  ['F32', Number.NEGATIVE_INFINITY],
  ['STRING', '\u{1F600}'],
  ['BYTES', Uint8Array.of(1)],
  [VEC, [-32_768, 32_767]],
  [PAIRS, [[], ['b']]],
];

describe('rows appended to a batch', () => {
  test.each(REFUSED)('%j refuses what is none of its values (case %#)', (type, value, problem) => {
    const builder = new BatchBuilder(schemaOf(type, value === undefined));
    const [, good] = KEPT.find(([kept]) => kept === type) ?? [];
    const rows = good === undefined ? 0 : 1;
    if (good !== undefined) builder.appendRow(['kept', good]);
    const details = { schema: 'probe', row: rows, field: 'second', problem };
    expect(() => builder.appendRow(['dropped', value as Value])).toThrow(
      expect.objectContaining({
        code: 'RUNTIME_INVALID_ROW',
        details,
        message: `row ${rows} does not fit schema 'probe': field 'second' ${problem}`,
      }),
    );
    if (good !== undefined) builder.appendRow(['after', good]);
    const batch = builder.finish();
    const texts = Array.from({ length: batch.rowCount }, (_, row) => batch.value('first', row));
    expect(texts).toEqual(good === undefined ? [] : ['kept', 'after']);
  });

  test.each(KEPT)('%j keeps the ends of its range (case %#)', (type, value) => {
    const builder = new BatchBuilder(schemaOf(type));
    builder.appendRow(['x', value]);
    expect(readValue(builder.finish().columns[1]!, 0)).toEqual(value);
  });

  test('have a value for each field', () => {
    const builder = new BatchBuilder(schemaOf('I64'));
    const refused = (row: unknown, problem: string) =>
      expect(() => builder.appendRow(row as Value[])).toThrow(
        expect.objectContaining({
          code: 'RUNTIME_INVALID_ROW',
          details: { schema: 'probe', row: 0, field: null, problem },
        }),
      );
    refused(['x'], 'it has 1 values for 2 fields');
    refused(['x', 1n, 2n], 'it has 3 values for 2 fields');
    refused('xy', 'it is no list of values');
    expect(builder.finish().rowCount).toBe(0);
  });
});
