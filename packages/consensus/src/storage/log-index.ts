import { assert } from '../assert.ts';
import type { ChainedPosition, EntryHeader } from '../raft/entry.ts';
import { HeaderIndex } from '../raft/header-index.ts';
import { ENTRY_OVERHEAD_BYTES } from './entry-codec.ts';
import type { LogBounds } from './log-storage.ts';

/** What a store knows of its entries without reading them. */
export class LogIndex {
  readonly #headers: HeaderIndex;
  /** Looked at several times between two writes; made anew after a change. */
  #bounds: LogBounds | undefined;

  constructor(purged: ChainedPosition) {
    this.#headers = new HeaderIndex(purged);
  }

  get bounds(): LogBounds {
    this.#bounds ??= {
      purged: this.#headers.purged,
      last: this.#headers.last,
      retainedEntries: this.#headers.count,
      retainedBytes: this.#headers.bytes + this.#headers.count * ENTRY_OVERHEAD_BYTES,
    };
    return this.#bounds;
  }

  /** Newest stored entry, or the newest purged one. */
  get last(): ChainedPosition {
    return this.#headers.last;
  }

  /** Index of {@link last}. */
  get lastIndex(): bigint {
    return this.#headers.lastIndex;
  }

  /** Whether the entry at `index` is stored. */
  holds(index: bigint): boolean {
    return index > this.#headers.purged.index && index <= this.#headers.lastIndex;
  }

  /** A stored entry, or the newest purged one, as a position. */
  positionAt(index: bigint): ChainedPosition {
    const term = this.#headers.termAt(index);
    assert(term !== undefined, 'the entry is stored or was the last to be purged');
    return { index, term, chain: this.#headers.chainAt(index) };
  }

  /** Adds the entry behind the newest. */
  append(header: EntryHeader): void {
    this.#bounds = undefined;
    this.#headers.append(header);
  }

  /** Term of a stored entry or of the newest purged one; `undefined` for any other. */
  termAt(index: bigint): bigint | undefined {
    return this.#headers.termAt(index);
  }

  /** Chain value that ends in a stored entry or in the newest purged one. */
  chainAt(index: bigint): Uint8Array {
    return this.#headers.chainAt(index);
  }

  /** Forgets the entry at `from` and all behind it. */
  truncate(from: bigint): void {
    this.#bounds = undefined;
    this.#headers.truncate(from);
  }

  /** Forgets the entries up to `through`. */
  purge(through: bigint): void {
    this.#bounds = undefined;
    this.#headers.purge(through);
  }

  /** Begins anew behind a snapshot. */
  reset(position: ChainedPosition): void {
    this.#bounds = undefined;
    this.#headers.reset(position);
  }

  /** The stored entries in order. */
  headers(): Iterable<EntryHeader> {
    return this.#headers.headers();
  }

  /**
   * Index up to which entries may go so that behind it at most `entriesKept` entries of together
   * at most `bytesKept` bytes remain.
   */
  indexBehind(entriesKept: number, bytesKept: number): bigint {
    const { purged, lastIndex } = this.#headers;
    let bytes = 0;
    let index = lastIndex;
    while (index > purged.index && lastIndex - index < BigInt(entriesKept)) {
      bytes += this.#headers.sizeAt(index) + ENTRY_OVERHEAD_BYTES;
      if (bytes > bytesKept) break;
      index -= 1n;
    }
    return index;
  }
}
