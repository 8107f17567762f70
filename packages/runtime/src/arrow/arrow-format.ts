/**
 * Numbers of the Arrow columnar format 1.5 (`Schema.fbs`, `Message.fbs`), as far as batches use them.
 */

/** Members of the union `MessageHeader`. */
export const MESSAGE = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

/** Members of the union `Type`. */
export const TYPE = {
  int: 2,
  floatingPoint: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  timestamp: 10,
  list: 12,
  fixedSizeList: 16,
} as const;

/** Slots of the tables' fields. */
export const SLOT = {
  message: { version: 0, headerType: 1, header: 2, bodyLength: 3 },
  schema: { endianness: 0, fields: 1, metadata: 2 },
  field: { name: 0, nullable: 1, typeType: 2, type: 3, dictionary: 4, children: 5, metadata: 6 },
  int: { bitWidth: 0, isSigned: 1 },
  floatingPoint: { precision: 0 },
  timestamp: { unit: 0, timezone: 1 },
  fixedSizeList: { listSize: 0 },
  dictionaryEncoding: { id: 0, indexType: 1 },
  dictionaryBatch: { id: 0, data: 1, isDelta: 2 },
  recordBatch: { length: 0, nodes: 1, buffers: 2, compression: 3 },
  keyValue: { key: 0, value: 1 },
} as const;

/** The metadata version in force since Arrow 1.0. */
export const METADATA_VERSION = 4;
export const PRECISION = { single: 1, double: 2 } as const;
export const NANOSECONDS = 3;
/** Four bytes that begin every message. */
export const CONTINUATION = 0xffffffff;
/** Bytes of the structs `FieldNode` and `Buffer`. */
export const STRUCT_BYTES = 16;

/** Metadata keys for what Arrow's types do not say. */
export const SENSITIVE_KEY = 'nervix:sensitive';
export const SCHEMA_NAME_KEY = 'nervix:schema';

/** Name that the format recommends for the elements of lists. */
export const ELEMENT_NAME = 'item';

/** The next multiple of eight, to which all parts of messages are padded. */
export function padded(size: number): number {
  return Math.ceil(size / 8) * 8;
}
