/** How many digests are remembered; about 200 bytes each. */
const DIGESTS_MAX = 16_384;
/** Longer keys are not remembered. */
const NAME_LENGTH_MAX = 256;

/**
 * Digests of the state records that were written last, by record name. Whoever replaces one of them
 * need not read it for the digest of all records. The oldest are forgotten first.
 */
export class RecordDigests {
  readonly #digests = new Map<string, bigint>();

  /** Digest of a record as it is stored, 0 when it is not there; `undefined` when unknown here. */
  get(name: string): bigint | undefined {
    return this.#digests.get(name);
  }

  /** Remembers what is now durable. */
  remember(digests: ReadonlyMap<string, bigint>): void {
    for (const [name, digest] of digests) {
      this.#digests.delete(name);
      if (name.length <= NAME_LENGTH_MAX) this.#digests.set(name, digest);
    }
    const excess = this.#digests.size - DIGESTS_MAX;
    if (excess <= 0) return;
    const names = this.#digests.keys();
    for (let forgotten = 0; forgotten < excess; forgotten += 1) {
      this.#digests.delete(names.next().value ?? '');
    }
  }

  /** Forgets everything, because the records were replaced. */
  clear(): void {
    this.#digests.clear();
  }
}
