import { type DataType, integerRange, isIntegerType, type SchemaPlan } from '@nervix/model';
import fc from 'fast-check';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import type { Value } from '../../src/column/column.js';

const SCALARS = [
  ...(['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'] as const),
  ...(['F32', 'F64', 'BOOL', 'STRING', 'BYTES', 'DATETIME'] as const),
];

/** Any type with lists nested up to `depth`. */
export function dataTypes(depth = 2): fc.Arbitrary<DataType> {
  const scalar = fc.constantFrom<DataType>(...SCALARS);
  if (depth === 0) return scalar;
  const element = dataTypes(depth - 1);
  return fc.oneof(
    { weight: 4, arbitrary: scalar },
    element.map((type): DataType => ({ kind: 'vec', element: type })),
    fc
      .tuple(element, fc.integer({ min: 1, max: 3 }))
      .map(([type, length]): DataType => ({ kind: 'array', element: type, length })),
  );
}

/** Values of a type, extremes among them; floats are finite unless `isWide`. */
export function valuesOf(type: DataType, isWide = false): fc.Arbitrary<Value> {
  if (typeof type !== 'string') {
    const element = valuesOf(type.element, isWide);
    const size = type.kind === 'vec' ? { maxLength: 4 } : lengths(type.length);
    return fc.array(element, size);
  }
  if (isIntegerType(type)) {
    const { min, max } = integerRange(type);
    const any = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n));
    return type.endsWith('64') ? any : any.map(Number);
  }
  switch (type) {
    case 'F32':
      return fc.float(isWide ? {} : { noDefaultInfinity: true, noNaN: true });
    case 'F64':
      return fc.double(isWide ? {} : { noDefaultInfinity: true, noNaN: true });
    case 'BOOL':
      return fc.boolean();
    case 'STRING':
      return fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.string({ unit: fc.constantFrom(...'a",;\n\r\0\\\t é😀') }),
      );
    case 'BYTES':
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Uint8Array.from(bytes));
    default:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  }
}

const lengths = (length: number) => ({ minLength: length, maxLength: length });

/** A batch of any schema of the given types. */
export function batches(
  types: fc.Arbitrary<DataType>,
  options: { readonly isWide?: boolean; readonly rowsMax?: number } = {},
): fc.Arbitrary<RecordBatch> {
  const flags = fc.record({ type: types, optional: fc.boolean() });
  return fc.array(flags, { minLength: 1, maxLength: 6 }).chain((fields) => {
    const schema: SchemaPlan = {
      name: 's',
      fields: fields.map((parts, index) => ({ ...parts, name: `f${index}`, sensitive: false })),
    };
    return rowsOf(schema, options).map((rows) => batchOf(schema, rows));
  });
}

/** Rows that fit a schema. */
export function rowsOf(
  schema: SchemaPlan,
  options: { readonly isWide?: boolean; readonly rowsMax?: number } = {},
): fc.Arbitrary<Value[][]> {
  const row = fc.tuple(
    ...schema.fields.map(({ type, optional }) => {
      const values = valuesOf(type, options.isWide);
      return optional ? fc.option(values) : values;
    }),
  );
  return fc.array(row, { minLength: 1, maxLength: options.rowsMax ?? 5 });
}

export function batchOf(schema: SchemaPlan, rows: readonly (readonly Value[])[]): RecordBatch {
  const builder = new BatchBuilder(schema);
  for (const row of rows) builder.appendRow(row);
  return builder.finish();
}
