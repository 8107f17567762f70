import type { DataType, SchemaPlan } from '@nervix/model';
import {
  type Cell,
  REDACTED_CELL,
  type RowField,
  type RowScalar,
  type RowType,
  readRows,
  type SubscriptionRows,
} from '@nervix/protocol/session';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { RecordBatch } from '../../src/batch/record-batch.js';
import { RowCells, rowCells } from '../../src/batch/row-cells.js';
import type { Value } from '../../src/column/column.js';
import { Dice, randomValue, SCALARS } from '../program/random-program.js';
import { propertyRuns } from '../support/property-runs.js';

const LISTS: readonly DataType[] = [
  { kind: 'vec', element: 'STRING' },
  { kind: 'vec', element: { kind: 'vec', element: 'I64' } },
  { kind: 'array', element: 'F32', length: 2 },
  { kind: 'array', element: { kind: 'vec', element: 'BOOL' }, length: 20 },
];
const SCHEMA: SchemaPlan = {
  name: 'all',
  fields: [...SCALARS, ...LISTS].map((type, index) => ({
    name: `f${index}`,
    type,
    optional: index % 2 === 0,
    sensitive: index % 5 === 4,
  })),
};

const SPELLED: Readonly<Record<string, RowScalar>> = {
  BOOL: 'Bool',
  STRING: 'String',
  BYTES: 'Bytes',
  DATETIME: 'Datetime',
};

function typeOf(type: DataType): RowType {
  if (typeof type === 'string') return { t: SPELLED[type] ?? (type as RowScalar) };
  const element = typeOf(type.element);
  return type.kind === 'vec'
    ? { t: 'List', element }
    : { t: 'FixedList', element, length: type.length };
}

const fieldsOf = ({ fields }: SchemaPlan): readonly RowField[] =>
  fields.map(({ name, type, optional: nullable, sensitive }) => ({
    name,
    type: typeOf(type),
    nullable,
    sensitive,
  }));

function cellOf(dice: Dice, type: DataType): Value {
  if (typeof type === 'string') return randomValue(dice, type);
  const length = type.kind === 'vec' ? dice.below(dice.chance(0.1) ? 70 : 4) : type.length;
  return Array.from({ length }, () => cellOf(dice, type.element));
}

function encoded(batch: RecordBatch): SubscriptionRows {
  const cells = new RowCells();
  const list = cells.beginList();
  for (let row = 0; row < batch.rowCount; row += 1) cells.row(batch, row);
  cells.endList(list, batch.rowCount);
  return {
    t: 'SubscriptionRows',
    subscription: { name: 'w', generation: 1n },
    rows: cells.take(),
    row_count: batch.rowCount,
  };
}

describe('CL-59: cells', () => {
  test('are read as they lay in their columns', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const builder = new BatchBuilder(SCHEMA);
        const rows: Cell[][] = [];
        for (let count = 1 + dice.below(20); count > 0; count -= 1) {
          const values = SCHEMA.fields.map(({ type, optional }) =>
            optional && dice.chance(0.3) ? null : cellOf(dice, type),
          );
          builder.appendRow(values);
          rows.push(
            values.map((value, index) =>
              SCHEMA.fields[index]?.sensitive === true ? REDACTED_CELL : value,
            ),
          );
        }
        const reading = readRows(encoded(builder.finish()), { fields: fieldsOf(SCHEMA) });
        expect(reading).toEqual({ kind: 'rows', rows });
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('no bytes whatever make the reader of rows fail', () => {
    const sample = encoded(batchOfOne());
    fc.assert(
      fc.property(fc.nat(), fc.uint8Array({ maxLength: 3 }), fc.nat({ max: 3 }), (at, put, cut) => {
        const place = at % (sample.rows.length + 1);
        const rows = Buffer.concat([
          sample.rows.subarray(0, place),
          put,
          sample.rows.subarray(place + cut),
        ]);
        const { kind } = readRows({ ...sample, rows }, { fields: fieldsOf(SCHEMA) });
        expect(['rows', 'invalid']).toContain(kind);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('keep every bit of a float', () => {
    const bits = [0x8000000000000000n, 0x7ff0000000000001n, 0xfff8dead00000000n, 1n];
    const values = new Float64Array(new BigUint64Array(bits).buffer);
    const schema: SchemaPlan = {
      name: 's',
      fields: [{ name: 'f', type: 'F64', optional: false, sensitive: false }],
    };
    const column = { kind: 'fixed', type: 'F64', values, length: 4, validity: null } as const;
    const batch = new RecordBatch(schema, 4, [column]);
    const written = bits.map((_, row) => {
      const bytes = rowCells(batch, row);
      expect(bytes.subarray(0, 2)).toEqual(Uint8Array.of(0x91, 0xcb));
      return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(2);
    });
    expect(written).toEqual(bits);
  });

  test.each<[string, Partial<RowField>, readonly number[]]>([
    ['a null that is not allowed', { nullable: false }, [0xc0]],
    ['a value that must be redacted', { sensitive: true }, [0x01]],
    ['a redaction that is not declared', {}, [0xc7, 0x00, 0x01]],
    ['an integer out of its range', { type: { t: 'U8' } }, [0xcd, 0x01, 0x00]],
    ['a negative one', { type: { t: 'U64' } }, [0xff]],
    ['a double for a single', { type: { t: 'F32' } }, [0xcb, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['a text that is no UTF-8', { type: { t: 'String' } }, [0xa1, 0xff]],
    ['bytes for a text', { type: { t: 'String' } }, [0xc4, 0x00]],
    [
      'a list of another length',
      { type: { t: 'FixedList', element: { t: 'U8' }, length: 2 } },
      [0x91, 1],
    ],
    ['a null in a list', { type: { t: 'List', element: { t: 'U8' } } }, [0x91, 0xc0]],
    ['a cell too many', { type: { t: 'U8' } }, [0x01, 0x01]],
  ])('%s is a violation', (_what, rest, cell) => {
    const field = {
      name: 'f',
      type: { t: 'I64' },
      nullable: true,
      sensitive: false,
      ...rest,
    } as RowField;
    const frame: SubscriptionRows = {
      t: 'SubscriptionRows',
      subscription: { name: 'w', generation: 1n },
      rows: Uint8Array.of(0x91, 0x91, ...cell),
      row_count: 1,
    };
    expect(readRows(frame, { fields: [field] }).kind).toBe('invalid');
  });

  test('CL-57: a branch key stands on branched relays, and there alone', () => {
    const frame = encoded(batchOfOne());
    const fields = fieldsOf(SCHEMA);
    const branch = { branch: 'b', fields: [] };
    expect(readRows(frame, { fields, branch }).kind).toBe('invalid');
    const keyed = { ...frame, branch_key: Uint8Array.of(0x90) };
    expect(readRows(keyed, { fields }).kind).toBe('invalid');
    expect(readRows(keyed, { fields, branch })).toMatchObject({ kind: 'rows', branchKey: [] });
  });
});

function batchOfOne(): RecordBatch {
  const dice = new Dice(7);
  const builder = new BatchBuilder(SCHEMA);
  builder.appendRow(SCHEMA.fields.map(({ type }) => cellOf(dice, type)));
  return builder.finish();
}
