import { createHash, randomBytes } from 'node:crypto';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** How far a reference's time may run ahead of this node's clock, in milliseconds. */
export const REFERENCE_AHEAD_MAX_MS: number = 5 * 60_000;

/** A new UUIDv7 of the given Unix milliseconds (RFC 9562 section 5.7). */
export function newReference(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Unix milliseconds of a UUIDv7, or undefined when the text is none. */
export function referenceTimeMs(reference: string): number | undefined {
  const canonical = reference.toLowerCase();
  if (!UUID_V7.test(canonical)) return undefined;
  return Number.parseInt(canonical.slice(0, 8) + canonical.slice(9, 13), 16);
}

/** Digest that tells two command contents apart. */
export function contentDigest(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}
