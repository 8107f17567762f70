import type { Entry } from '../../src/raft/entry.ts';
import { BatchEncoder } from '../../src/storage/batch-encoder.ts';
import { type BlockPlace, blockKey, KEY_PREFIX, placeInKey } from '../../src/storage/level-keys.ts';
import { entriesIn } from '../../src/storage/log-block.ts';
import { decodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import type { RawDatabase } from './raw-database.ts';

/** A record of the log as it is stored. */
export interface StoredBlock {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Range of the keys of all blocks. */
export const BLOCKS: { readonly gte: Uint8Array; readonly lt: Uint8Array } = {
  gte: Uint8Array.of(KEY_PREFIX.block),
  lt: Uint8Array.of(KEY_PREFIX.block + 1),
};

/** The record that these entries make, under the key of its first entry or of another place. */
export function storedBlock(
  entries: readonly Entry[],
  { epoch = 0, first = entries[0]!.index }: Partial<BlockPlace> = {},
): StoredBlock {
  const batch = new BatchEncoder(1);
  batch.putBlock(blockKey({ epoch, first }), entries);
  const [operation] = batch.operations;
  if (operation?.type !== 'put') throw new Error('a block is put');
  return operation;
}

/** The entries of a stored block. */
export function entriesOf({ key, value }: StoredBlock): readonly Entry[] {
  const { first } = placeInKey(key)!;
  const whole = { from: 0n, through: 2n ** 64n };
  return entriesIn(decodeRecord(RECORD_KIND.block, key, value, 1), first, whole);
}

/** First entries of all stored blocks, in the order of their keys. */
export async function blockStarts(database: RawDatabase): Promise<readonly bigint[]> {
  const keys = await database.keys(BLOCKS).all();
  return keys.map((key) => placeInKey(key)!.first);
}

/** Gives each stored entry a block of its own, as if each had been written by itself. */
export async function splitBlocks(database: RawDatabase): Promise<void> {
  for (const [key, value] of await database.iterator(BLOCKS).all()) {
    const { epoch } = placeInKey(key)!;
    const single = entriesOf({ key, value }).map((entry) => storedBlock([entry], { epoch }));
    await database.batch([
      { type: 'del', key },
      ...single.map((it) => ({ type: 'put' as const, ...it })),
    ]);
  }
}
