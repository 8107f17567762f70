import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const USERS_MAX = 1_024;

/**
 * Remembers which password was verified for a user against which stored hash, without keeping
 * either: an HMAC under a key that lives and dies with the process. A changed hash misses.
 */
export class VerifiedCache {
  readonly #key = randomBytes(32);
  readonly #digests = new Map<string, Buffer>();

  has(user: string, storedHash: string, password: string): boolean {
    const known = this.#digests.get(user);
    return known !== undefined && timingSafeEqual(known, this.#digest(user, storedHash, password));
  }

  add(user: string, storedHash: string, password: string): void {
    this.#digests.delete(user);
    this.#digests.set(user, this.#digest(user, storedHash, password));
    if (this.#digests.size <= USERS_MAX) return;
    const [oldest] = this.#digests.keys();
    if (oldest !== undefined) this.#digests.delete(oldest);
  }

  #digest(user: string, storedHash: string, password: string): Buffer {
    // Lengths keep the border between the three texts.
    const lengths = `${user.length}:${storedHash.length}:`;
    return createHmac('sha256', this.#key)
      .update(lengths)
      .update(user)
      .update(storedHash)
      .update(password)
      .digest();
  }
}
