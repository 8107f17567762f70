/**
 * Key layout of the LevelDB store. The first byte says what a record is; numbers are big endian, 8
 * bytes but for epochs and sections with 4, so that key order is numeric order.
 */

/** First byte of every key, by what the record holds. */
export const KEY_PREFIX = {
  format: 0x00,
  block: 0x10,
  configuration: 0x11,
  positions: 0x20,
  witness: 0x21,
  state: 0x30,
  manifest: 0x40,
  section: 0x41,
  unreferenced: 0x42,
} as const;

/** Who the store belongs to and how it is written. */
export const FORMAT_KEY: Uint8Array = Uint8Array.of(KEY_PREFIX.format);
/** Everything else that exists once, as of the newest batch. */
export const POSITIONS_KEY: Uint8Array = Uint8Array.of(KEY_PREFIX.positions);

/**
 * How many batches leave a witness. It must outnumber the smallest batches that fit LevelDB's two
 * write buffers, because only those can vanish with a damaged write-ahead file.
 */
export const WITNESS_SLOTS = 131_072n;

const SECTION_KEY_BYTES = 13;
const BLOCK_KEY_BYTES = 13;

/** Which stored entries a record holds: those from `first` on of the log of an epoch. */
export interface BlockPlace {
  readonly epoch: number;
  readonly first: bigint;
}

/** Key of a block of log entries. */
export function blockKey({ epoch, first }: BlockPlace): Uint8Array {
  const key = new Uint8Array(BLOCK_KEY_BYTES);
  const view = new DataView(key.buffer);
  view.setUint8(0, KEY_PREFIX.block);
  view.setUint32(1, epoch);
  view.setBigUint64(5, first);
  return key;
}

/** The place in the key of a block; `undefined` when the key has another length. */
export function placeInKey(key: Uint8Array): BlockPlace | undefined {
  if (key.length !== BLOCK_KEY_BYTES) return undefined;
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return { epoch: view.getUint32(1), first: view.getBigUint64(5) };
}

/** Key of the configuration that the entry at `index` introduced. */
export function configurationKey(index: bigint): Uint8Array {
  return numberedKey(KEY_PREFIX.configuration, index);
}

/** Key of the manifest of a snapshot. */
export function manifestKey(generation: bigint): Uint8Array {
  return numberedKey(KEY_PREFIX.manifest, generation);
}

/** Key of one section of a snapshot; sections count from 0. */
export function sectionKey(generation: bigint, section: number): Uint8Array {
  const key = new Uint8Array(SECTION_KEY_BYTES);
  key.set(numberedKey(KEY_PREFIX.section, generation));
  new DataView(key.buffer).setUint32(9, section);
  return key;
}

/** Generation and number in the key of a section; `undefined` when it has another length. */
export function sectionInKey(
  key: Uint8Array,
): { readonly generation: bigint; readonly section: number } | undefined {
  if (key.length !== SECTION_KEY_BYTES) return undefined;
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return { generation: view.getBigUint64(1), section: view.getUint32(9) };
}

/** Key that marks a generation whose sections are to be deleted. */
export function unreferencedKey(generation: bigint): Uint8Array {
  return numberedKey(KEY_PREFIX.unreferenced, generation);
}

/** Key of the witness that batch `seq` leaves; reused after {@link WITNESS_SLOTS} batches. */
export function witnessKey(seq: bigint): Uint8Array {
  return numberedKey(KEY_PREFIX.witness, seq % WITNESS_SLOTS);
}

/** Stored key of a state machine record. */
export function stateKey(key: Uint8Array): Uint8Array {
  const stored = new Uint8Array(key.length + 1);
  stored[0] = KEY_PREFIX.state;
  stored.set(key, 1);
  return stored;
}

/** Range of the keys of all state machine records. */
export function stateKeyRange(): { readonly gte: Uint8Array; readonly lt: Uint8Array } {
  return { gte: Uint8Array.of(KEY_PREFIX.state), lt: Uint8Array.of(KEY_PREFIX.state + 1) };
}

/** The number in a key that holds nothing else; `undefined` when the key has another length. */
export function numberInKey(key: Uint8Array): bigint | undefined {
  if (key.length !== 9) return undefined;
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(1);
}

/** Hexadecimal form of a key, for messages. */
export function printKey(key: Uint8Array): string {
  return `key ${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('hex')}`;
}

function numberedKey(prefix: number, value: bigint): Uint8Array {
  const key = new Uint8Array(9);
  const view = new DataView(key.buffer);
  view.setUint8(0, prefix);
  view.setBigUint64(1, value);
  return key;
}
