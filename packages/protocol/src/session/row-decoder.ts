import type {
  RowField,
  RowSchema,
  RowType,
  SubscriptionRows,
} from './bodies/subscription-bodies.js';
import { isUtf8 } from './messagepack/utf8.js';
import { readValueHead, type ValueHead } from './messagepack/value-head.js';

/** Stands for a sensitive value, in every row. */
export const REDACTED_CELL: unique symbol = Symbol('redacted');

/** A cell: 64-bit integers and datetimes (Unix nanoseconds) are bigint. */
export type Cell =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Cell[]
  | typeof REDACTED_CELL;

/** Rows of one concrete branch, as cells in schema order. */
export interface DecodedRows {
  readonly kind: 'rows';
  readonly rows: readonly (readonly Cell[])[];
  /** Present exactly on branched relays. */
  readonly branchKey?: readonly Cell[];
}

export type RowsReading = DecodedRows | { readonly kind: 'invalid'; readonly message: string };

/**
 * Reads the rows of a frame by the schema of their subscription. Whatever is not exactly what the
 * schema declares is a violation of the protocol.
 */
export function readRows(
  { rows, row_count: rowCount, branch_key: key }: SubscriptionRows,
  { fields, branch }: RowSchema,
): RowsReading {
  if ((key === undefined) !== (branch === undefined)) {
    return { kind: 'invalid', message: 'a branch key stands on branched relays, and there alone' };
  }
  try {
    const decoded = new CellReader(rows).rows(fields, rowCount);
    if (key === undefined || branch === undefined) return { kind: 'rows', rows: decoded };
    const branchKey = new CellReader(key).single(branch.fields);
    return { kind: 'rows', rows: decoded, branchKey };
  } catch (error) {
    if (error instanceof CellFault) return { kind: 'invalid', message: error.message };
    throw error;
  }
}

class CellFault extends Error {}

/** Bounds of the integer types. */
const BOUNDS: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  U8: [0n, 2n ** 8n - 1n],
  I8: [-(2n ** 7n), 2n ** 7n - 1n],
  U16: [0n, 2n ** 16n - 1n],
  I16: [-(2n ** 15n), 2n ** 15n - 1n],
  U32: [0n, 2n ** 32n - 1n],
  I32: [-(2n ** 31n), 2n ** 31n - 1n],
  U64: [0n, 2n ** 64n - 1n],
  I64: [-(2n ** 63n), 2n ** 63n - 1n],
  Datetime: [-(2n ** 63n), 2n ** 63n - 1n],
};
const WIDE: ReadonlySet<string> = new Set(['U64', 'I64', 'Datetime']);
const REDACTED_BYTES = [0xc7, 0x00, 0x01] as const;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Walks cells and builds them; every length is looked at before anything is made of it. */
class CellReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  rows(fields: readonly RowField[], count: number): readonly (readonly Cell[])[] {
    this.#list(count);
    const rows = Array.from({ length: count }, () => this.#row(fields));
    this.#end();
    return rows;
  }

  single(fields: readonly RowField[]): readonly Cell[] {
    const row = this.#row(fields);
    this.#end();
    return row;
  }

  #end(): void {
    if (this.#at !== this.#bytes.length) throw new CellFault('bytes follow the rows');
  }

  #row(fields: readonly RowField[]): readonly Cell[] {
    this.#list(fields.length);
    return fields.map((field) => this.#field(field));
  }

  #field({ name, type, nullable, sensitive }: RowField): Cell {
    const isRedacted = this.#isRedacted();
    if (isRedacted !== sensitive) {
      throw new CellFault(`field '${name}' is ${sensitive ? 'not redacted' : 'redacted'}`);
    }
    if (isRedacted) {
      this.#at += REDACTED_BYTES.length;
      return REDACTED_CELL;
    }
    if (this.#bytes[this.#at] === 0xc0) {
      if (!nullable) throw new CellFault(`field '${name}' is null`);
      this.#at += 1;
      return null;
    }
    return this.#cell(type);
  }

  /** Spelled out, for this is asked of every cell. */
  #isRedacted(): boolean {
    const at = this.#at;
    const [first, second, third] = REDACTED_BYTES;
    if (this.#bytes[at] !== first) return false;
    return this.#bytes[at + 1] === second && this.#bytes[at + 2] === third;
  }

  #cell(type: RowType): Cell {
    const head = this.#head();
    const start = this.#at + head.bytes;
    switch (type.t) {
      case 'List':
      case 'FixedList':
        return this.#elements(type, head);
      case 'Bool': {
        const first = this.#bytes[this.#at];
        if (first !== 0xc2 && first !== 0xc3) throw new CellFault('a cell is no flag');
        this.#at += 1;
        return first === 0xc3;
      }
      case 'F32':
      case 'F64':
        return this.#float(type.t);
      case 'String':
      case 'Bytes': {
        const isText = type.t === 'String';
        if (head.kind !== (isText ? 'text' : 'bytes')) throw new CellFault('a cell is no run');
        const end = start + head.length;
        if (end > this.#bytes.length) throw new CellFault('a cell is cut short');
        this.#at = end;
        const run = this.#bytes.subarray(start, end);
        if (!isText) return run;
        if (!isUtf8(this.#bytes, start, end)) throw new CellFault('a text is not valid UTF-8');
        return decoder.decode(run);
      }
      default:
        return this.#integer(type.t);
    }
  }

  #elements(type: Extract<RowType, { readonly element: RowType }>, head: ValueHead): Cell {
    const { kind, length, bytes } = head;
    if (kind !== 'list') throw new CellFault('a cell is no list');
    if (type.t === 'FixedList' && length !== type.length) {
      throw new CellFault('a list does not have its declared length');
    }
    if (length > this.#bytes.length) throw new CellFault('a cell is cut short');
    this.#at += bytes;
    return Array.from({ length }, () => this.#cell(type.element));
  }

  #float(type: 'F32' | 'F64'): number {
    const isSingle = type === 'F32';
    if (this.#bytes[this.#at] !== (isSingle ? 0xca : 0xcb))
      throw new CellFault('a cell is no float');
    const at = this.#at + 1;
    this.#at = at + (isSingle ? 4 : 8);
    return isSingle ? this.#view.getFloat32(at) : this.#view.getFloat64(at);
  }

  #integer(type: string): number | bigint {
    const value = this.#plainInteger();
    const [min, max] = BOUNDS[type] ?? [0n, 0n];
    if (value < min || value > max) throw new CellFault(`a cell is out of the range of ${type}`);
    return WIDE.has(type) ? value : Number(value);
  }

  #plainInteger(): bigint {
    const at = this.#at;
    const first = this.#bytes[at] ?? 0;
    this.#at += this.#head().bytes;
    if (first < 0x80) return BigInt(first);
    if (first >= 0xe0) return BigInt(first - 256);
    switch (first) {
      case 0xcc:
        return BigInt(this.#view.getUint8(at + 1));
      case 0xcd:
        return BigInt(this.#view.getUint16(at + 1));
      case 0xce:
        return BigInt(this.#view.getUint32(at + 1));
      case 0xcf:
        return this.#view.getBigUint64(at + 1);
      case 0xd0:
        return BigInt(this.#view.getInt8(at + 1));
      case 0xd1:
        return BigInt(this.#view.getInt16(at + 1));
      case 0xd2:
        return BigInt(this.#view.getInt32(at + 1));
      case 0xd3:
        return this.#view.getBigInt64(at + 1);
      default:
        throw new CellFault('a cell is no integer');
    }
  }

  #list(length: number): void {
    const head = this.#head();
    if (head.kind !== 'list' || head.length !== length) {
      throw new CellFault('a list does not have as many entries as are due');
    }
    this.#at += head.bytes;
  }

  #head(): ValueHead {
    const head = readValueHead(this.#bytes, this.#at);
    if (head === undefined) throw new CellFault('no cell begins where one is due');
    return head;
  }
}
