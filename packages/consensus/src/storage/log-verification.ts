import { Worker } from 'node:worker_threads';
import type { StoredBounds } from './position-codec.ts';

/** Where a log begins: its epoch and the position in front of its first entry. */
export interface LogStart extends Pick<StoredBounds, 'epoch' | 'purged'> {
  /** Feature level of the store. */
  readonly level: number;
}

/** Bytes in front of the value of a block in a parcel: its first index u64, its length u32. */
export const BLOCK_HEAD_BYTES = 12;

/** Stored blocks one behind the other. */
export interface BlockParcel {
  readonly bytes: ArrayBuffer;
  readonly count: number;
}

/** What comes back for a parcel: its memory, and whether all its blocks were whole. */
interface ParcelVerdict {
  readonly bytes: ArrayBuffer;
  readonly isWhole: boolean;
}

const PARCEL_BYTES = 1_024 * 1_024;
/** Parcels on their way, above which the one who fills them waits. */
const PARCELS_MAX = 4;
/** Beside this file, under the same ending: sources are run as they are. */
const WORKER = new URL(
  `./log-verification-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Verifies checksums and chain of a log in a thread of its own, while the entries behind are read.
 * It only says whether all of them are whole, not what is wrong with which.
 */
export class LogVerification {
  readonly #worker: Worker;
  readonly #memory: ArrayBuffer[] = [];
  #parcel = new ArrayBuffer(PARCEL_BYTES);
  #length = 0;
  #count = 0;
  #underWay = 0;
  #isWhole = true;
  #isEnded = false;
  #progress = Promise.withResolvers<void>();

  constructor(start: LogStart) {
    this.#worker = new Worker(WORKER, { workerData: start, name: 'log verification' });
    this.#worker.on('message', ({ bytes, isWhole }: ParcelVerdict) => {
      this.#underWay -= 1;
      this.#isWhole &&= isWhole;
      if (bytes.byteLength === PARCEL_BYTES) this.#memory.push(bytes);
      this.#advance();
    });
    const fail = (): void => {
      // Without a verdict nothing is verified.
      this.#isWhole = false;
      this.#isEnded = true;
      this.#underWay = 0;
      this.#advance();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', fail);
  }

  /** Adds the value of the next block, which begins with the entry at `first`. */
  push(first: bigint, value: Uint8Array): void {
    const size = BLOCK_HEAD_BYTES + value.length;
    if (this.#length + size > this.#parcel.byteLength) this.#send(size);
    const view = new DataView(this.#parcel);
    view.setBigUint64(this.#length, first);
    view.setUint32(this.#length + 8, value.length);
    new Uint8Array(this.#parcel).set(value, this.#length + BLOCK_HEAD_BYTES);
    this.#length += size;
    this.#count += 1;
  }

  /** Resolves when not too much is on its way. */
  async room(): Promise<void> {
    while (this.#underWay > PARCELS_MAX) await this.#progress.promise;
  }

  /** Ends the verification: whether all blocks were whole. */
  async finish(): Promise<boolean> {
    this.#send(0);
    while (this.#underWay > 0) await this.#progress.promise;
    const isWhole = this.#isWhole;
    await this.abandon();
    return isWhole;
  }

  /** Ends the thread. */
  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(bytesNext: number): void {
    if (this.#count > 0 && !this.#isEnded) {
      const parcel: BlockParcel = { bytes: this.#parcel, count: this.#count };
      this.#underWay += 1;
      this.#worker.postMessage(parcel, [parcel.bytes]);
    }
    const isUsual = bytesNext <= PARCEL_BYTES;
    const memory = isUsual ? this.#memory.pop() : undefined;
    this.#parcel = memory ?? new ArrayBuffer(Math.max(PARCEL_BYTES, bytesNext));
    this.#length = 0;
    this.#count = 0;
  }

  #advance(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }
}
