import { hash } from 'node:crypto';
import { CHAIN_BYTES, type Entry, ZERO_CHAIN } from '../raft/entry.ts';
import { ENTRY_KIND_CODE } from '../raft/entry-kind.ts';

/** Digest in front of the first batch. */
export const FIRST_BATCH_DIGEST: Uint8Array = ZERO_CHAIN;

/** Part that a record has in the state digest when it is not there. */
export const ABSENT_DIGEST = 0n;

const STATE_DIGEST_BITS = 256;
const CHAIN_HEAD_BYTES = CHAIN_BYTES + 17;
/** What is hashed is put together here, so that not every small entry takes a buffer of its own. */
const SCRATCH_BYTES = 65_536;
const scratch = new Uint8Array(SCRATCH_BYTES);
const scratchView = new DataView(scratch.buffer);
/** The beginning of the scratch that was hashed last, by use: most entries and records are of one size. */
let newestEntry = scratch.subarray(0, 0);
let newestRecord = scratch.subarray(0, 0);

/**
 * Chain value of an entry: a hash over it and the chain value before. It makes an entry that went
 * back to an older, in itself valid, version visible, and tells two logs apart.
 *
 * SHA-256 here and for everything else: the one strong hash that this platform has natively, and
 * there is hardware for it. What of it travels (chain values, digests of sections) only has to be
 * the same function on every member.
 */
export function chainOf(previous: Uint8Array, entry: Omit<Entry, 'chain'>): Uint8Array {
  const { payload } = entry;
  const length = CHAIN_HEAD_BYTES + payload.length;
  const content = length <= SCRATCH_BYTES ? scratch : new Uint8Array(length);
  const view = content === scratch ? scratchView : new DataView(content.buffer);
  content.set(previous);
  view.setBigUint64(CHAIN_BYTES, entry.index);
  view.setBigUint64(CHAIN_BYTES + 8, entry.term);
  view.setUint8(CHAIN_BYTES + 16, ENTRY_KIND_CODE[entry.kind]);
  content.set(payload, CHAIN_HEAD_BYTES);
  if (content !== scratch) return halfDigest(content);
  if (newestEntry.length !== length) newestEntry = scratch.subarray(0, length);
  return halfDigest(newestEntry);
}

/** SHA-256 cut in half, for what only has to show accidents. */
export function halfDigest(content: Uint8Array): Uint8Array {
  // As text of one character a byte: the native side makes a string in a quarter of the time that
  // it takes for a buffer.
  const text = hash('sha256', content, 'binary');
  const digest = new Uint8Array(CHAIN_BYTES);
  for (let i = 0; i < CHAIN_BYTES; i += 1) digest[i] = text.charCodeAt(i);
  return digest;
}

/** SHA-256 of a section or manifest as hexadecimal digits. */
export function contentDigest(content: Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/**
 * The part that one record has in the state digest. The digest of all records is the sum of these
 * modulo 2^256: independent of order, and maintained by subtracting the old and adding the new. It
 * finds accidents; it is no defence against a forger.
 */
export function recordDigest(key: Uint8Array, value: Uint8Array): bigint {
  const length = 4 + key.length + value.length;
  const content = length <= SCRATCH_BYTES ? scratch : new Uint8Array(length);
  const view = content === scratch ? scratchView : new DataView(content.buffer);
  view.setUint32(0, key.length);
  content.set(key, 4);
  content.set(value, 4 + key.length);
  return BigInt(`0x${hash('sha256', recordContent(content, length), 'hex')}`);
}

function recordContent(content: Uint8Array, length: number): Uint8Array {
  if (content !== scratch) return content;
  if (newestRecord.length !== length) newestRecord = scratch.subarray(0, length);
  return newestRecord;
}

/** `digest` without the record `removed` and with the record `added`, given by their parts. */
export function moveStateDigest(digest: bigint, removed: bigint, added: bigint): bigint {
  return BigInt.asUintN(STATE_DIGEST_BITS, digest - removed + added);
}
