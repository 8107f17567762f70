import { ABSENT_DIGEST } from './digests.ts';

/** How many digests are remembered; about 200 bytes each. */
const DIGESTS_MAX = 65_536;
/** Longer names are not remembered. */
const NAME_LENGTH_MAX = 256;

/**
 * Digests of state records, by record name. Whoever replaces one of them need not read it for the
 * digest of all records. As long as no record was left out, one that is not here does not exist; a
 * state of few records is never read again. Of too many, the oldest are forgotten first.
 */
export class RecordDigests {
  readonly #digests = new Map<string, bigint>();
  readonly #countMax: number;
  #isComplete = true;

  /** Remembers at most `countMax` digests. */
  constructor(countMax: number = DIGESTS_MAX) {
    this.#countMax = countMax;
  }

  /** Digest of a record as it is stored, 0 when it is not there; `undefined` when unknown here. */
  get(name: string): bigint | undefined {
    return this.#digests.get(name) ?? (this.#isComplete ? ABSENT_DIGEST : undefined);
  }

  /** Remembers what is now durable. */
  remember(digests: Iterable<readonly [name: string, digest: bigint]>): void {
    for (const [name, digest] of digests) this.#put(name, digest);
    const excess = this.#digests.size - this.#countMax;
    if (excess <= 0) return;
    this.#isComplete = false;
    const names = this.#digests.keys();
    for (let forgotten = 0; forgotten < excess; forgotten += 1) {
      this.#digests.delete(names.next().value ?? '');
    }
  }

  /** Forgets everything, because the records were replaced. */
  clear(): void {
    this.#digests.clear();
    this.#isComplete = false;
  }

  #put(name: string, digest: bigint): void {
    // Their order counts only once some may have to be forgotten; keeping it makes the map anew often.
    const isOrdered = 2 * this.#digests.size > this.#countMax;
    if (isOrdered || digest === ABSENT_DIGEST) this.#digests.delete(name);
    if (digest === ABSENT_DIGEST && this.#isComplete) return;
    if (name.length <= NAME_LENGTH_MAX) this.#digests.set(name, digest);
    else this.#isComplete = false;
  }
}
