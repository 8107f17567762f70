import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { SealedValue } from '../replicated-state/secret-records.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes of a key of a key file, and of a data key. */
export const KEY_BYTES = 32;

/** Where a sealed value belongs: it opens nowhere else. */
export interface SealedPlace {
  readonly domain: string;
  readonly name: string;
  readonly key: string | null;
  readonly identity: string;
  readonly version: number;
}

/** Names a key without telling anything of it: 16 lower-case hexadecimal digits. */
export function keyIdOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('nervix secret key id').digest('hex').slice(0, 16);
}

/** Digest of a text that nobody can compare guesses with who does not have the key. */
export function keyedDigest(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update('nervix secret content').update(text).digest('hex');
}

/** Seals a value with a data key of its own, and that with the key of the key file. */
export function sealValue(key: Uint8Array, place: SealedPlace, value: string): SealedValue {
  const dataKey = randomBytes(KEY_BYTES);
  const context = contextOf(place);
  const sealed = encrypted(dataKey, context, Buffer.from(value, 'utf8'));
  return { keyId: keyIdOf(key), dataKey: encrypted(key, context, dataKey), value: sealed };
}

/**
 * Opens a sealed value.
 *
 * @throws Error for another key or place, and for bytes that were changed
 */
export function openValue(key: Uint8Array, place: SealedPlace, sealed: SealedValue): string {
  const context = contextOf(place);
  const dataKey = decrypted(key, context, sealed.dataKey);
  return decrypted(dataKey, context, sealed.value).toString('utf8');
}

function contextOf({ domain, name, key, identity, version }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([domain, name, key, identity, version]), 'utf8');
}

function encrypted(key: Uint8Array, context: Buffer, text: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(context);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(key: Uint8Array, context: Buffer, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const text = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(ALGORITHM, key, nonce, options).setAAD(context);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return Buffer.concat([decipher.update(text), decipher.final()]);
}
