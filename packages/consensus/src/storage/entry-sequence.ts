import { CHAIN_BYTES, type ChainedPosition } from '../raft/entry.ts';
import { ENTRY_KINDS } from '../raft/entry-kind.ts';
import { chainOf } from './digests.ts';
import { EntryCheck } from './entry-check.ts';

/** Checks that stored entries are whole and follow each other from a position on. */
export class EntrySequence {
  readonly #check = new EntryCheck();
  #chain: Uint8Array;
  #next: bigint;
  #term: bigint;

  constructor({ index, term, chain }: ChainedPosition) {
    this.#chain = chain;
    this.#next = index + 1n;
    this.#term = term;
  }

  /** Index of the entry that comes next. */
  get next(): bigint {
    return this.#next;
  }

  /** Term of the newest entry that was taken. */
  get term(): bigint {
    return this.#term;
  }

  /** Chain value that ends in it. */
  get chain(): Uint8Array {
    return this.#chain;
  }

  /** The newest entry that was taken, until the next one is. */
  get entry(): EntryCheck {
    return this.#check;
  }

  /** Goes on behind an entry that was checked elsewhere. */
  passed({ index, term, chain }: ChainedPosition): void {
    this.#chain = chain;
    this.#next = index + 1n;
    this.#term = term;
  }

  /** Takes the next entry; `false` when it is another one or something is wrong with it. */
  take(key: Uint8Array, value: Uint8Array): boolean {
    const check = this.#check;
    const index = this.#next;
    if (!check.load(key, value) || check.index !== index) return false;
    const { term, payload } = check;
    const kind = ENTRY_KINDS.get(check.kindCode);
    if (kind === undefined || term < this.#term) return false;
    const chain = chainOf(this.#chain, { index, term, kind, payload });
    if (!isSameChain(chain, check.chain)) return false;
    this.passed({ index, term, chain });
    return true;
  }

  /** Like {@link take}, but neither checksum nor chain is compared: that is done elsewhere. */
  takeForm(key: Uint8Array, value: Uint8Array): boolean {
    const check = this.#check;
    const index = this.#next;
    if (!check.place(key, value) || check.index !== index) return false;
    const { term, kindCode } = check;
    if (!ENTRY_KINDS.has(kindCode) || term < this.#term) return false;
    this.passed({ index, term, chain: new Uint8Array(check.chain) });
    return true;
  }
}

/** Whether two chain values are the same. */
export function isSameChain(left: Uint8Array, right: Uint8Array): boolean {
  for (let i = 0; i < CHAIN_BYTES; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
