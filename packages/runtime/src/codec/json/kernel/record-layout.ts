import type { SchemaField, SchemaPlan } from '@nervix/model';
import { type FixedType, fixedWidth, isFixedType } from '../../../column/column.js';
import { KERNEL_BASE } from '../../../simd/kernel-memory.js';

/** Bytes of lines that a kernel reads at once. Its input and output should stay in the caches. */
export const CHUNK_BYTES = 262_144;

/** Rows that a kernel writes at once, at most, bytes of each text column and of the lines. */
export const LINE_ROWS_MAX = 4096;
export const LINE_TEXT_BYTES = 262_144;
export const LINE_OUTPUT_BYTES = 524_288;

/** Bytes that kernels may read and write behind the end of a range. */
const SLACK = 32;

/** Bytes of a quoted name, which is compared without a look at the end of the input, at most. */
export const NAME_BYTES_MAX = 1024;

/** First bytes of a kernel's memory, where it leaves what is no result. */
export const POSITION_AT = 0;

/** Where a column of the records that a kernel reads or writes lies in its memory. */
export interface ColumnPlace {
  readonly index: number;
  readonly field: SchemaField;
  /** Bytes of a fixed-width value; 0 for the others. */
  readonly width: number;
  /** Values, bits of BOOL or offsets of texts. */
  readonly valuesAt: number;
  /** Content of texts. */
  readonly bytesAt: number;
  /** Where the host says at which offset the first text in the memory begins. */
  readonly baseAt: number;
  readonly validityAt: number;
}

/** Addresses of what a kernel works on. */
export interface KernelLayout {
  readonly columns: readonly ColumnPlace[];
  /** First address behind the layout. */
  readonly end: number;
}

/** Input lines before the columns that are made of them. */
export interface RecordLayout extends KernelLayout {
  readonly inputAt: number;
  readonly rowsMax: number;
}

/** Columns before the lines that are made of them. */
export interface LineLayout extends KernelLayout {
  readonly outputAt: number;
}

/**
 * Places the lines that are read and the columns of a schema.
 *
 * @returns undefined for a schema with types that kernels leave to others
 */
export function recordLayout({ fields }: SchemaPlan): RecordLayout | undefined {
  const required = fields.filter(({ optional }) => !optional);
  // Braces and line feed; quotes, colon, comma and a byte of value for each member.
  const shortest = required.reduce((sum, { name }) => sum + name.length + 5, 2);
  const rowsMax = Math.floor(CHUNK_BYTES / shortest) + 1;
  const inputAt = KERNEL_BASE;
  const at = inputAt + padded(CHUNK_BYTES);
  const placed = placeColumns(fields, { at, rowsMax, textBytes: CHUNK_BYTES });
  return placed === undefined ? undefined : { ...placed, inputAt, rowsMax };
}

/**
 * Places the columns of a schema and the lines that are written.
 *
 * @returns undefined for a schema with types that kernels leave to others
 */
export function lineLayout({ fields }: SchemaPlan): LineLayout | undefined {
  const rows = { at: KERNEL_BASE, rowsMax: LINE_ROWS_MAX, textBytes: LINE_TEXT_BYTES };
  const placed = placeColumns(fields, rows);
  if (placed === undefined) return undefined;
  return { ...placed, outputAt: placed.end, end: placed.end + padded(LINE_OUTPUT_BYTES) };
}

const padded = (bytes: number): number => Math.ceil((bytes + SLACK) / 16) * 16;

function placeColumns(
  fields: readonly SchemaField[],
  limits: { readonly at: number; readonly rowsMax: number; readonly textBytes: number },
): KernelLayout | undefined {
  if (!fields.every(({ type }) => isPlaced(type))) return undefined;
  // A run begins up to seven rows into its bitmaps.
  const rows = limits.rowsMax + 8;
  let end = limits.at;
  const take = (bytes: number): number => {
    const start = end;
    end += padded(bytes);
    return start;
  };
  const columns = fields.map((field, index): ColumnPlace => {
    const { type, optional } = field;
    const width = isFixedType(type) ? fixedWidth(type) : 0;
    const isText = type === 'STRING';
    return {
      index,
      field,
      width,
      valuesAt: take(isText ? (rows + 1) * 4 : width === 0 ? rows >>> 3 : rows * width),
      bytesAt: isText ? take(limits.textBytes) : 0,
      baseAt: isText ? take(4) : 0,
      validityAt: optional ? take(rows >>> 3) : 0,
    };
  });
  return { columns, end };
}

function isPlaced(type: SchemaField['type']): type is FixedType | 'BOOL' | 'STRING' {
  if (typeof type !== 'string' || type === 'BYTES') return false;
  return true;
}
