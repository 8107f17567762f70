import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const MEBIBYTE = 1_024 * 1_024;
/** When space is too little. Two bounds, so that a disk at one of them does not flicker. */
export interface DiskSpaceBounds {
  /** Below this many free bytes commands are refused. */
  readonly lowBytes: number;
  /** From this many on they are accepted again. */
  readonly enoughBytes: number;
}

/** Bounds that hold when the caller sets none. */
export const DEFAULT_DISK_SPACE: DiskSpaceBounds = {
  lowBytes: 512 * MEBIBYTE,
  enoughBytes: 768 * MEBIBYTE,
};

const INTERVAL_MS = 1_000;

/** What was seen. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly isLow: boolean;
  /** The free space for people, such as `431 MiB`. */
  readonly text: string;
}

/** Looks once a second at the free space of the file system that holds the store. */
export class DiskSpaceWatch {
  readonly #directory: string;
  readonly #seen: (space: DiskSpace) => void;
  readonly #bounds: DiskSpaceBounds;
  #isLow = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** `seen` is called when the judgement changes. */
  constructor(directory: string, bounds: DiskSpaceBounds, seen: (space: DiskSpace) => void) {
    this.#bounds = bounds;
    // The file system of a nested database is that of the folder around it.
    this.#directory = dirname(directory);
    this.#seen = seen;
  }

  async start(): Promise<void> {
    await this.#look();
    if (this.#isStopped) return;
    this.#timer = setInterval(() => void this.#look(), INTERVAL_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    let freeBytes: number;
    try {
      const { bavail, bsize } = await statfs(this.#directory);
      freeBytes = bavail * bsize;
    } catch {
      // A file system that cannot be asked shows its condition by the next write.
      return;
    }
    const isLow = judgeSpace(freeBytes, this.#isLow, this.#bounds);
    if (isLow === this.#isLow || this.#isStopped) return;
    this.#isLow = isLow;
    this.#seen({ freeBytes, isLow, text: `${Math.floor(freeBytes / MEBIBYTE)} MiB` });
  }
}

/** Whether there is too little space, given whether there was before. */
export function judgeSpace(freeBytes: number, wasLow: boolean, bounds: DiskSpaceBounds): boolean {
  return freeBytes < (wasLow ? bounds.enoughBytes : bounds.lowBytes);
}
