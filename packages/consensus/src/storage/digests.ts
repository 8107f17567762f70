import { createHash, hash } from 'node:crypto';
import type { Entry } from '../raft/entry.ts';
import { ByteWriter } from './byte-codec.ts';
import { CHAIN_BYTES, ENTRY_KIND_CODE } from './entry-codec.ts';

/** Chain value in front of the first entry, and batch digest in front of the first batch. */
export const ZERO_CHAIN: Uint8Array = new Uint8Array(CHAIN_BYTES);

const STATE_DIGEST_MODULUS = 1n << 256n;

/**
 * Chain value of an entry: a hash over it and the chain value before. It makes an entry that went
 * back to an older, in itself valid, version visible.
 */
export function chainAfter(previous: Uint8Array, entry: Entry): Uint8Array {
  const head = new ByteWriter(CHAIN_BYTES + 17)
    .bytes(previous)
    .u64(entry.index)
    .u64(entry.term)
    .u8(ENTRY_KIND_CODE[entry.kind])
    .finish();
  return halfDigest([head, entry.payload]);
}

/** One operation of a LevelDB batch. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

/** Digest of a batch: a hash over its operations in order and the digest of the batch before. */
export function batchDigest(
  previous: Uint8Array,
  operations: readonly BatchOperation[],
): Uint8Array {
  const sha = createHash('sha256').update(previous);
  for (const operation of operations) {
    const value = operation.type === 'put' ? operation.value : undefined;
    sha.update(
      new ByteWriter(9 + operation.key.length)
        .u8(value === undefined ? 0 : 1)
        .u32(operation.key.length)
        .u32(value?.length ?? 0)
        .bytes(operation.key)
        .finish(),
    );
    if (value !== undefined) sha.update(value);
  }
  return Uint8Array.from(sha.digest().subarray(0, CHAIN_BYTES));
}

/**
 * The part that one record has in the state digest. The digest of all records is the sum of these
 * modulo 2^256: independent of order, and maintained by subtracting the old and adding the new. It
 * finds accidents; it is no defence against a forger.
 */
export function recordDigest(key: Uint8Array, value: Uint8Array): bigint {
  const content = new ByteWriter(4 + key.length + value.length).sized(key).bytes(value).finish();
  return BigInt(`0x${hash('sha256', content, 'hex')}`);
}

/** `digest` without the record `removed` and with the record `added`, given by their parts. */
export function moveStateDigest(digest: bigint, removed: bigint, added: bigint): bigint {
  return (digest - removed + added + STATE_DIGEST_MODULUS) % STATE_DIGEST_MODULUS;
}

function halfDigest(parts: readonly Uint8Array[]): Uint8Array {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return Uint8Array.from(sha.digest().subarray(0, CHAIN_BYTES));
}
