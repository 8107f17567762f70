import { SCALAR_TYPES, type ScalarType } from '@nervix/model';
import { expect, test } from 'vitest';
import { cast, field, tryCast } from '../support/expressions.js';
import { typeOf } from '../support/typing.js';

const FIELDS: Readonly<Record<ScalarType, string>> = {
  U8: 'u8',
  I8: 'i8',
  U16: 'u16',
  I16: 'i16',
  U32: 'u32',
  I32: 'i32',
  U64: 'u64',
  I64: 'i64',
  BOOL: 'flag',
  STRING: 'text',
  BYTES: 'bytes',
  DATETIME: 'at',
  F32: 'f32',
  F64: 'f64',
};
const BYTES_REFUSED =
  'BYTES conversions require bytes_from_utf8, bytes_to_utf8, base64 or hex functions';

test.each(SCALAR_TYPES.flatMap((from) => SCALAR_TYPES.map((to) => [from, to] as const)))(
  'TYPE 4 %s AS %s',
  (from, to) => {
    const isRefused = (from === 'BYTES') !== (to === 'BYTES');
    const operand = field(FIELDS[from]);
    expect(typeOf(cast(operand, to))).toBe(isRefused ? BYTES_REFUSED : to);
    expect(typeOf(tryCast(operand, to))).toBe(isRefused ? BYTES_REFUSED : `${to}?`);
  },
);

test('TYPE 4 lists have no conversions', () => {
  expect(typeOf(cast(field('vec'), 'STRING'))).toBe('unsupported cast from List(Int64) to Utf8');
});

test('TYPE 4 AS keeps the optionality of its operand', () => {
  expect(typeOf(cast(field('opt_i64'), 'STRING'))).toBe('STRING?');
});
