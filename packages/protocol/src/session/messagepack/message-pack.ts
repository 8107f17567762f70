import { Packr, Unpackr } from 'msgpackr';

const SETTINGS = {
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  int64AsType: 'bigint',
} as const;

const packr = new Packr(SETTINGS);
const unpackr = new Unpackr(SETTINGS);

/** Encodes plain values: maps, lists, texts, numbers, bigints, booleans, bytes and null. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  const packed: Uint8Array = packr.pack(value);
  // The encoder writes into memory of its own, which is never shared between threads.
  return packed as Uint8Array<ArrayBuffer>;
}

/**
 * Decodes one value that was scanned before.
 *
 * @throws Error when the bytes are not one MessagePack value
 */
export function unpack(bytes: Uint8Array): unknown {
  const value: unknown = unpackr.unpack(bytes);
  return value;
}
