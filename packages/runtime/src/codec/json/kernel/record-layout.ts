import type { SchemaField, SchemaPlan } from '@nervix/model';
import { type FixedType, fixedWidth, isFixedType } from '../../../column/column.js';
import { KERNEL_BASE } from '../../../simd/kernel-memory.js';

/** Lines that a kernel is given at once. Its input and output should stay in the caches. */
export const CHUNK_BYTES = 65_536;

/** Bytes that kernels may read and write behind the end of a range. */
const SLACK = 32;

/** First bytes of a kernel's memory, where it and the host leave what is no result. */
export const POSITION_AT = 0;
const TEXT_BASES_AT = 16;

/** Where a column of the records that a kernel decodes lies in its memory. */
export interface ColumnPlace {
  readonly index: number;
  readonly field: SchemaField;
  /** Bytes of a fixed-width value; 0 for the others. */
  readonly width: number;
  /** Values, bits of BOOL or offsets of texts. */
  readonly valuesAt: number;
  /** Content of texts. */
  readonly bytesAt: number;
  /** Where the host says at which offset the first text of the kernel begins. */
  readonly baseAt: number;
  readonly validityAt: number;
}

export interface RecordLayout {
  readonly inputAt: number;
  readonly rowsMax: number;
  readonly columns: readonly ColumnPlace[];
  /** First address behind the layout. */
  readonly end: number;
}

/**
 * Places the columns of a schema behind the input.
 *
 * @returns undefined for a schema with types that kernels do not decode
 */
export function recordLayout(schema: SchemaPlan): RecordLayout | undefined {
  const { fields } = schema;
  if (!fields.every(({ type }) => isDecoded(type))) return undefined;
  const required = fields.filter(({ optional }) => !optional);
  // Braces and line feed; quotes, colon, comma and a byte of value for each member.
  const shortest = required.reduce((sum, { name }) => sum + name.length + 5, 2);
  const rowsMax = Math.floor(CHUNK_BYTES / shortest) + 1;
  // A run begins up to seven rows into its bitmaps.
  const rows = rowsMax + 8;
  let at = KERNEL_BASE;
  const take = (bytes: number): number => {
    const start = at;
    at += Math.ceil((bytes + SLACK) / 16) * 16;
    return start;
  };
  const inputAt = take(CHUNK_BYTES);
  const columns = fields.map((field, index): ColumnPlace => {
    const { type, optional } = field;
    const width = isFixedType(type) ? fixedWidth(type) : 0;
    const isText = type === 'STRING';
    return {
      index,
      field,
      width,
      valuesAt: take(isText ? (rows + 1) * 4 : width === 0 ? rows >>> 3 : rows * width),
      bytesAt: isText ? take(CHUNK_BYTES) : 0,
      baseAt: TEXT_BASES_AT + index * 4,
      validityAt: optional ? take(rows >>> 3) : 0,
    };
  });
  return { inputAt, rowsMax, columns, end: at };
}

function isDecoded(type: SchemaField['type']): type is FixedType | 'BOOL' | 'STRING' {
  if (typeof type !== 'string' || type === 'BYTES') return false;
  return true;
}
