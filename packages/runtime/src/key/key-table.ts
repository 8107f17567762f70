import { copyRange, ViewCache } from '../column/copy-range.js';

const SLOTS_MIN = 64;
const GOLDEN = 0x9e3779b1;
const MIX = 0x85ebca6b;
const views = new ViewCache();

/** 32-bit hash of a byte range, four bytes at a time. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  const view = views.of(bytes);
  let hash = (end - start) ^ GOLDEN;
  let at = start;
  for (const last = end - 4; at <= last; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), GOLDEN);
    hash ^= hash >>> 15;
  }
  for (; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), GOLDEN);
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 16);
}

/**
 * Numbers for byte strings, dense from zero in order of first sight. Open addressing over typed arrays:
 * looking up allocates nothing.
 */
export class KeyTable {
  #slots = new Int32Array(SLOTS_MIN).fill(-1);
  #hashes = new Int32Array(SLOTS_MIN);
  /** Key `id` is `#bytes[#offsets[id]..#offsets[id + 1])`. */
  #offsets = new Int32Array(SLOTS_MIN + 1);
  #bytes = new Uint8Array(SLOTS_MIN * 16);
  #count = 0;

  /** Keys in the table. */
  get count(): number {
    return this.#count;
  }

  /** The number of a key, which is `count` before the call when the key is new. */
  idOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.#slots[slot] as number;
      if (id < 0) return this.#insert({ slot, hash }, bytes, start, end);
      if (this.#hashes[id] === hash && this.#equals(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
  }

  /** Keeps the keys with these numbers, ascending; each gets its position in the list. */
  retain(ids: Int32Array): void {
    const [hashes, offsets, bytes] = [this.#hashes, this.#offsets, this.#bytes];
    let to = 0;
    ids.forEach((id, kept) => {
      const [start, end] = [offsets[id] as number, offsets[id + 1] as number];
      bytes.copyWithin(to, start, end);
      offsets[kept] = to;
      hashes[kept] = hashes[id] as number;
      to += end - start;
    });
    this.#count = ids.length;
    offsets[ids.length] = to;
    this.#place(this.#slots.length);
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const from = this.#offsets[id] as number;
    const length = end - start;
    if ((this.#offsets[id + 1] as number) - from !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (own[from + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #insert(
    place: { readonly slot: number; readonly hash: number },
    bytes: Uint8Array,
    start: number,
    end: number,
  ): number {
    const id = this.#count;
    if (id * 2 >= this.#slots.length) {
      this.#grow();
      return this.idOf(bytes, start, end);
    }
    const at = this.#offsets[id] as number;
    const used = at + end - start;
    if (used > this.#bytes.length) {
      const next = new Uint8Array(Math.max(used, this.#bytes.length * 2));
      next.set(this.#bytes);
      this.#bytes = next;
    }
    copyRange(bytes, start, end, this.#bytes, at);
    this.#offsets[id + 1] = used;
    this.#hashes[id] = place.hash;
    this.#slots[place.slot] = id;
    this.#count += 1;
    return id;
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    const [hashes, offsets] = [new Int32Array(size), new Int32Array(size + 1)];
    hashes.set(this.#hashes);
    offsets.set(this.#offsets);
    this.#hashes = hashes;
    this.#offsets = offsets;
    this.#place(size);
  }

  /** Puts every key into slots of its own. */
  #place(size: number): void {
    const slots = size === this.#slots.length ? this.#slots : new Int32Array(size);
    slots.fill(-1);
    const mask = size - 1;
    for (let id = 0; id < this.#count; id += 1) {
      let slot = (this.#hashes[id] as number) & mask;
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}
