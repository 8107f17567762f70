import type { BlockPlace } from './level-keys.ts';

/**
 * Stored blocks that are no part of the log any more: what an installed snapshot left behind. They
 * are never read, only deleted in portions.
 */
export class LogLeftovers {
  #places: BlockPlace[] = [];

  get isEmpty(): boolean {
    return this.#places.length === 0;
  }

  add(place: BlockPlace): void {
    this.#places.push(place);
  }

  /** Takes blocks to be deleted, at most `countMax`. */
  take(countMax: number): readonly BlockPlace[] {
    return this.#places.splice(Math.max(0, this.#places.length - countMax));
  }
}
