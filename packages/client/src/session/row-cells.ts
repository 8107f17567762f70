import { type DataType, printDataType, printDatetime, shortestFloat } from '@nervix/model';
import type { WireField } from '@nervix/protocol';
import {
  type Cell,
  REDACTED_CELL,
  type RowField,
  type RowScalar,
  type RowSchema as RowSchemaFrame,
  type RowType,
} from '@nervix/protocol/session';
import type { RowSchema } from '../subscription.js';

/** Shown in place of a sensitive value. */
const MASKED = '<masked>';

const SPELLED: Partial<Readonly<Record<RowScalar, DataType>>> = {
  Bool: 'BOOL',
  String: 'STRING',
  Bytes: 'BYTES',
  Datetime: 'DATETIME',
};

function dataTypeOf(type: RowType): DataType {
  switch (type.t) {
    case 'List':
      return { kind: 'vec', element: dataTypeOf(type.element) };
    case 'FixedList':
      return { kind: 'array', element: dataTypeOf(type.element), length: type.length };
    default:
      return SPELLED[type.t] ?? (type.t as DataType);
  }
}

function fieldOf({ name, type, nullable, sensitive }: RowField): WireField {
  return { name, type: printDataType(dataTypeOf(type)), nullable, sensitive };
}

/** The schema of a subscription as the HTTP API spells it. */
export function schemaOf({ fields, branch }: RowSchemaFrame): RowSchema {
  return {
    fields: fields.map(fieldOf),
    ...(branch === undefined
      ? {}
      : { branch: { branch: branch.branch, fields: branch.fields.map(fieldOf) } }),
  };
}

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function cellValue(cell: Cell, type: RowType): unknown {
  if (cell === null) return null;
  if (cell === REDACTED_CELL) return MASKED;
  if (cell instanceof Uint8Array) return base64Of(cell);
  if (Array.isArray(cell)) {
    const element = 'element' in type ? type.element : type;
    return (cell as readonly Cell[]).map((each) => cellValue(each, element));
  }
  if (typeof cell === 'bigint') {
    if (type.t === 'Datetime') return printDatetime(cell);
    return BigInt.asIntN(54, cell) === cell && Number.isSafeInteger(Number(cell))
      ? Number(cell)
      : cell;
  }
  if (typeof cell !== 'number') return cell;
  if (!Number.isFinite(cell)) return String(cell);
  // A float of 32 bits is the shortest number that is read as it, as in texts.
  return type.t === 'F32' ? Number(shortestFloat(cell, true)) : cell;
}

/** One row as the HTTP API spells it: an object in the order of the schema. */
export function rowOf(
  cells: readonly Cell[],
  fields: readonly RowField[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map(({ name, type }, index) => [name, cellValue(cells[index] ?? null, type)]),
  );
}
