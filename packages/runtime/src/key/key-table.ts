import { copyRange, ViewCache } from '../column/copy-range.js';

const SLOTS_MIN = 64;
const GOLDEN = 0x9e3779b1;
const MIX = 0x85ebca6b;
const views = new ViewCache();

/** 32-bit hash of a byte range, four bytes at a time, of which the last may be read twice. */
function hashRange(view: DataView, start: number, end: number): number {
  const last = end - 4;
  let hash = (end - start) ^ GOLDEN;
  if (last >= start) {
    for (let at = start; at < last; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), GOLDEN);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ view.getInt32(last, true), GOLDEN);
    hash ^= hash >>> 15;
  } else {
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ view.getUint8(at), GOLDEN);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 16);
}

/** Whether a byte range equals one as long that begins `shift` bytes further on in another buffer. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function equalRange(
  view: DataView,
  start: number,
  end: number,
  other: DataView,
  shift: number,
): boolean {
  const last = end - 4;
  if (last < start) {
    for (let at = start; at < end; at += 1) {
      if (view.getUint8(at) !== other.getUint8(at + shift)) return false;
    }
    return true;
  }
  for (let at = start; at < last; at += 4) {
    if (view.getInt32(at, true) !== other.getInt32(at + shift, true)) return false;
  }
  return view.getInt32(last, true) === other.getInt32(last + shift, true);
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
  #view = new DataView(this.#bytes.buffer);
  #count = 0;
  /** Where the key belongs that was last found to be new. */
  readonly #free = { slot: 0, hash: 0 };

  /** Keys in the table. */
  get count(): number {
    return this.#count;
  }

  /** The number of a key, which is `count` before the call when the key is new. */
  idOf(bytes: Uint8Array, start: number, end: number): number {
    const view = views.of(bytes);
    const hash = hashRange(view, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.#slots[slot] as number;
      if (id < 0) return this.#insert({ slot, hash }, bytes, start, end);
      if (this.#hashes[id] === hash && this.#isKey(id, view, start, end)) return id;
      slot = (slot + 1) & mask;
    }
  }

  /**
   * Numbers keys that lie one behind the other.
   *
   * @param offsets where each begins, and where the last ends
   * @param ids takes a number for each
   */
  numberAll(bytes: Uint8Array, offsets: Int32Array, ids: Int32Array): void {
    for (let row = 0; row < ids.length; row += 1) {
      row = this.#numberKnown(views.of(bytes), offsets, ids, row);
      if (row >= ids.length) return;
      const start = offsets[row] as number;
      ids[row] = this.#insert(this.#free, bytes, start, offsets[row + 1] as number);
    }
  }

  /** Numbers keys from `from` on up to one that is new, whose row it answers and whose slot it keeps. */
  #numberKnown(view: DataView, offsets: Int32Array, ids: Int32Array, from: number): number {
    const slots = this.#slots;
    const hashes = this.#hashes;
    const starts = this.#offsets;
    const own = this.#view;
    const mask = slots.length - 1;
    for (let row = from; row < ids.length; row += 1) {
      const start = offsets[row] as number;
      const end = offsets[row + 1] as number;
      const hash = hashRange(view, start, end);
      let slot = hash & mask;
      for (;;) {
        const id = slots[slot] as number;
        if (id < 0) {
          this.#free.slot = slot;
          this.#free.hash = hash;
          return row;
        }
        if (hashes[id] === hash) {
          const at = starts[id] as number;
          const isAsLong = (starts[id + 1] as number) - at === end - start;
          if (isAsLong && equalRange(view, start, end, own, at - start)) {
            ids[row] = id;
            break;
          }
        }
        slot = (slot + 1) & mask;
      }
    }
    return ids.length;
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

  #isKey(id: number, view: DataView, start: number, end: number): boolean {
    const from = this.#offsets[id] as number;
    if ((this.#offsets[id + 1] as number) - from !== end - start) return false;
    return equalRange(view, start, end, this.#view, from - start);
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
      this.#view = new DataView(next.buffer);
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
