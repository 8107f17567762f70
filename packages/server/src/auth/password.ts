import { randomInt } from 'node:crypto';

/** Without the characters that people confuse: 0 O, 1 l I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const GENERATED_LENGTH = 24;

/** Makes a password of 24 characters from the system's secure random source. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
}

/** Hashes a password with Argon2id; the result carries its parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  // Native code that a node needs only when somebody authenticates.
  const { hash } = await import('@node-rs/argon2');
  return hash(password);
}

/**
 * Whether the password belongs to the hash.
 *
 * @throws when the stored hash is unreadable
 */
export async function verifyPassword(storedHash: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  return verify(storedHash, password);
}
