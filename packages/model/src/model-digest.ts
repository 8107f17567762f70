import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalText } from './canonical.js';
import type { Model } from './models/model.js';
import type { Statement } from './statement.js';

/**
 * Stable digest of a model or statement: SHA-256 of its canonical text as 64 lower-case hexadecimal
 * digits. Equal models have equal digests in every process and every release that keeps the shape
 * of the kind, whatever order the members of an object were written in.
 */
export function modelDigest(model: Model | Statement): string {
  return canonicalDigest(model);
}

/** SHA-256 of the canonical text of plain data, as 64 lower-case hexadecimal digits. */
export function canonicalDigest(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalText(value))));
}
