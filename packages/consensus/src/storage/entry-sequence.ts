import { CHAIN_BYTES, type ChainedPosition } from '../raft/entry.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { chainOf } from './digests.ts';
import type { BlockCursor } from './log-block.ts';

/** Checks that stored entries follow each other from a position on. */
export class EntrySequence {
  #newest: ChainedPosition;

  constructor(start: ChainedPosition) {
    this.#newest = start;
  }

  /** Newest entry that was taken, or the position in front of the first. */
  get newest(): ChainedPosition {
    return this.#newest;
  }

  /** Index of the entry that comes next. */
  get next(): bigint {
    return this.#newest.index + 1n;
  }

  /** Takes the next entry. Throws {@link MalformedBytesError} when it does not follow. */
  take(cursor: BlockCursor): void {
    const { index, term, kind, payload } = cursor;
    this.#checkTerm(index, term);
    const chain = chainOf(this.#newest.chain, { index, term, kind, payload });
    if (!isSameChain(chain, cursor.chain)) {
      throw new MalformedBytesError(`entry ${index} does not follow from the entry before`);
    }
    this.#newest = { index, term, chain };
  }

  /** Like {@link take}, but the chain is not compared: that is done elsewhere. */
  takeForm(cursor: BlockCursor): void {
    const { index, term } = cursor;
    this.#checkTerm(index, term);
    this.#newest = { index, term, chain: new Uint8Array(cursor.chain) };
  }

  #checkTerm(index: bigint, term: bigint): void {
    if (term >= this.#newest.term) return;
    throw new MalformedBytesError(`entry ${index} is of an older term than the one before`);
  }
}

/** Whether two chain values are the same. */
export function isSameChain(left: Uint8Array, right: Uint8Array): boolean {
  for (let i = 0; i < CHAIN_BYTES; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
