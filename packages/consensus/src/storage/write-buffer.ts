import type { BatchOperation } from './batch-encoder.ts';

/** `util/arena.cc`: memory is taken in blocks; what is larger than a quarter has its own. */
const BLOCK_BYTES = 4_096;
const SHARED_BYTES_MAX = BLOCK_BYTES / 4;
const POINTER_BYTES = 8;
/** `db/skiplist.h`: a node has a key and as many links as it is high. */
const HEIGHT_MAX = 12;
const BRANCHING = 4;
/** `util/random.h`, with the seed that every skip list begins with. */
const SEED = 0xdeadbeef & 0x7fff_ffff;
const MULTIPLIER = 16_807;
const MODULUS = 0x7fff_ffff;
/** `db/memtable.cc`: sequence number and type behind a key. */
const TAG_BYTES = 8;

/**
 * Memory that LevelDB's write buffer takes for what was written since it began: the same
 * allocations as in LevelDB 1.20, whose skip lists draw the heights of their nodes from a fixed
 * seed.
 */
export class WriteBuffer {
  #bytes = 0;
  /** What is left of the block in use. */
  #left = 0;
  #random = SEED;

  constructor() {
    this.#allocateAligned(POINTER_BYTES * (1 + HEIGHT_MAX));
  }

  /** Size in bytes, as LevelDB compares it with its limit. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes an operation of a batch. */
  add(operation: BatchOperation): void {
    const keyBytes = operation.key.length + TAG_BYTES;
    const valueBytes = operation.type === 'put' ? operation.value.length : 0;
    this.#allocate(varintBytes(keyBytes) + keyBytes + varintBytes(valueBytes) + valueBytes);
    this.#allocateAligned(POINTER_BYTES * (1 + this.#drawHeight()));
  }

  #allocate(bytes: number): void {
    if (bytes <= this.#left) this.#left -= bytes;
    else this.#allocateAnew(bytes);
  }

  #allocateAligned(bytes: number): void {
    // Blocks begin and end at aligned addresses.
    const slop = this.#left % POINTER_BYTES;
    if (bytes + slop <= this.#left) this.#left -= bytes + slop;
    else this.#allocateAnew(bytes);
  }

  #allocateAnew(bytes: number): void {
    const isShared = bytes <= SHARED_BYTES_MAX;
    this.#bytes += (isShared ? BLOCK_BYTES : bytes) + POINTER_BYTES;
    if (isShared) this.#left = BLOCK_BYTES - bytes;
  }

  #drawHeight(): number {
    let height = 1;
    while (height < HEIGHT_MAX && this.#draw() % BRANCHING === 0) height += 1;
    return height;
  }

  #draw(): number {
    this.#random = (this.#random * MULTIPLIER) % MODULUS;
    return this.#random;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest /= 128) bytes += 1;
  return bytes;
}
