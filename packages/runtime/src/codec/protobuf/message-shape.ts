/** The types of scalar fields, as `.proto` files spell them. */
export const SCALARS = [
  'double',
  'float',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string',
  'bytes',
] as const;

/** A type of scalar fields. */
export type Scalar = (typeof SCALARS)[number];

/** The values that an enum names. */
export interface EnumShape {
  /** First name of each number. */
  readonly names: ReadonlyMap<number, string>;
  /** Aliases included. */
  readonly numbers: ReadonlyMap<string, number>;
  /** A closed enum has no values but the named ones. */
  readonly isClosed: boolean;
}

/** What one value of a field is. */
export type ValueShape =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'enum'; readonly values: EnumShape }
  | {
      readonly kind: 'message';
      readonly message: MessageShape;
      /** Between a start and an end tag, as a proto2 group, instead of behind its length. */
      readonly isDelimited: boolean;
    };

/** A field of a message. */
export interface FieldShape {
  /** As declared. */
  readonly name: string;
  readonly number: number;
  readonly value: ValueShape;
  readonly cardinality: 'single' | 'repeated' | 'map';
  /** Type of the keys of a map. */
  readonly key: Scalar | null;
  /** Whether a repeated field is written as one run of bytes. */
  readonly isPacked: boolean;
  /** Whether a value that was set to its default is told from one that was not set. */
  readonly hasPresence: boolean;
  readonly isRequired: boolean;
  /** Name of the group of fields of which one at most is set. */
  readonly oneof: string | null;
}

/** A message type; types may hold themselves. */
export interface MessageShape {
  /** With its package: `orders.v1.Order`. */
  readonly name: string;
  /** Ascending by number, which is the order in which they are written and shown. */
  readonly fields: readonly FieldShape[];
  readonly byNumber: ReadonlyMap<number, FieldShape>;
  readonly byName: ReadonlyMap<string, FieldShape>;
}

/** How values of a scalar type stand in a message. */
export const WIRE_TYPE = { varint: 0, fixed64: 1, bytes: 2, start: 3, end: 4, fixed32: 5 } as const;

/** The wire type of one value. */
export function wireTypeOf(value: ValueShape): number {
  if (value.kind === 'enum') return WIRE_TYPE.varint;
  if (value.kind === 'message') return value.isDelimited ? WIRE_TYPE.start : WIRE_TYPE.bytes;
  switch (value.scalar) {
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return WIRE_TYPE.fixed64;
    case 'float':
    case 'fixed32':
    case 'sfixed32':
      return WIRE_TYPE.fixed32;
    case 'string':
    case 'bytes':
      return WIRE_TYPE.bytes;
    default:
      return WIRE_TYPE.varint;
  }
}
