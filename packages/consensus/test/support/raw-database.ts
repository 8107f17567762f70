import { crc32 } from 'node:zlib';
import { ClassicLevel } from 'classic-level';

/** A database without the store around it. */
export type RawDatabase = ClassicLevel<Uint8Array, Uint8Array>;

/** Opens the database of a closed store for one change or look, whose result it gives. */
export async function withDatabase<T>(
  directory: string,
  use: (database: RawDatabase) => Promise<T>,
): Promise<T> {
  const database: RawDatabase = new ClassicLevel(directory, {
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  await database.open();
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Hexadecimal forms of all keys that begin with this byte. */
export async function keysOf(directory: string, prefix: number): Promise<readonly string[]> {
  const range = { gte: Uint8Array.of(prefix), lt: Uint8Array.of(prefix + 1) };
  const keys = await withDatabase(directory, (database) => database.keys(range).all());
  return keys.map((key) => Buffer.from(key).toString('hex'));
}

/** The value with some bytes replaced and a checksum that fits again. */
export function patched(
  key: Uint8Array,
  value: Uint8Array,
  at: number,
  bytes: Uint8Array,
): Uint8Array {
  const copy = new Uint8Array(value);
  copy.set(bytes, at);
  const end = copy.length - 4;
  new DataView(copy.buffer).setUint32(end, crc32(copy.subarray(0, end), crc32(key)));
  return copy;
}
