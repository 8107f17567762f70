import { isMap, type Shape, ShapeFault, type Walk } from './shape.js';

const U64_MAX = 2n ** 64n - 1n;

/** An unsigned number of 64 bits; small encodings become bigints too. */
function unsigned64(min: bigint): Shape<bigint> {
  return {
    document: { integer: 'u64', min: Number(min) },
    read: (value) => {
      const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
      if (!isInteger) return new ShapeFault('', 'is not an integer');
      const wide = BigInt(value as bigint | number);
      return wide < min || wide > U64_MAX
        ? new ShapeFault('', `is not from ${min} to ${U64_MAX}`)
        : wide;
    },
  };
}

/** A count, position, generation or size. */
export const u64: Shape<bigint> = unsigned64(0n);

/** An id or a one-based number. */
export const positiveU64: Shape<bigint> = unsigned64(1n);

/** A number that is small by declaration: a page size, a place within one frame. */
export function smallInteger(min = 0, max: number = 2 ** 32 - 1): Shape<number> {
  return {
    document: { integer: 'u32', min, max },
    read: (value) => {
      const number = typeof value === 'bigint' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
        return new ShapeFault('', 'is not an integer');
      }
      return number < min || number > max
        ? new ShapeFault('', `is not from ${min} to ${max}`)
        : number;
    },
  };
}

/** A text of well-formed Unicode. */
export function text({
  isEmptyAllowed = false,
  pattern,
}: {
  readonly isEmptyAllowed?: boolean;
  readonly pattern?: RegExp;
} = {}): Shape<string> {
  return {
    document: { text: pattern?.source ?? (isEmptyAllowed ? '' : '.+') },
    read: (value) => {
      if (typeof value !== 'string') return new ShapeFault('', 'is not a text');
      if (!isEmptyAllowed && value === '') return new ShapeFault('', 'is empty');
      if (!value.isWellFormed()) return new ShapeFault('', 'is not well-formed Unicode');
      return pattern === undefined || pattern.test(value)
        ? value
        : new ShapeFault('', 'does not have the declared form');
    },
  };
}

/** A text that may be empty, for people. */
export const displayText: Shape<string> = text({ isEmptyAllowed: true });

/** One of the declared words. */
export function oneOf<T extends string>(words: readonly T[]): Shape<T> {
  const known: ReadonlySet<string> = new Set(words);
  return {
    document: { enum: words },
    read: (value) =>
      typeof value === 'string' && known.has(value)
        ? (value as T)
        : new ShapeFault('', 'is not a declared value'),
  };
}

export const flag: Shape<boolean> = {
  document: { flag: true },
  read: (value) => (typeof value === 'boolean' ? value : new ShapeFault('', 'is not a flag')),
};

/** Bytes, of a length if one is given. */
export function bytes({
  length,
  max = Number.POSITIVE_INFINITY,
  isEmptyAllowed = false,
}: {
  readonly length?: number;
  readonly max?: number;
  readonly isEmptyAllowed?: boolean;
} = {}): Shape<Uint8Array> {
  return {
    document: { bytes: length ?? null },
    read: (value) => {
      if (!(value instanceof Uint8Array)) return new ShapeFault('', 'is not bytes');
      const isFitting = length === undefined ? value.length <= max : value.length === length;
      if (!isFitting || (value.length === 0 && !isEmptyAllowed)) {
        return new ShapeFault('', 'does not have a permitted length');
      }
      // Decoders of Node hand out their own kind of byte array.
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    },
  };
}

/** Whatever JSON can say, as the chapter of that document spells it. */
export type DocumentValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly DocumentValue[]
  | { readonly [field: string]: DocumentValue };

/** The whole of a document. */
export type DocumentMap = Readonly<Record<string, unknown>>;

/** A document: its shape is that of its own chapter. */
export const document: Shape<DocumentMap> = {
  document: { document: true },
  read: (value, walk) => {
    if (!isMap(value)) return new ShapeFault('', 'is not a map');
    return readDocument(value, walk) as DocumentMap | ShapeFault;
  },
};

function readDocument(value: unknown, walk: Walk): DocumentValue | ShapeFault {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return narrowed(value);
  if (typeof value === 'string') {
    return value.isWellFormed() ? value : new ShapeFault('', 'is not well-formed Unicode');
  }
  if (Array.isArray(value)) {
    const entries: DocumentValue[] = [];
    for (const [index, entry] of value.entries()) {
      const read = readDocument(entry, walk);
      if (read instanceof ShapeFault) return read.within(String(index));
      entries.push(read);
    }
    return entries;
  }
  if (!isMap(value)) return new ShapeFault('', 'is no value of a document');
  const fields: Record<string, DocumentValue> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    walk.mapEntries += 1;
    const read = readDocument(entry, walk);
    if (read instanceof ShapeFault) return read.within(name);
    fields[name] = read;
  }
  return fields;
}

/** Encoders choose the width of a number; the reader of a document does not see it. */
function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
