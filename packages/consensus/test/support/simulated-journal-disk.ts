import type { RandomSource } from '../../src/simulation/random-source.ts';
import type { JournalFile } from '../../src/storage/journal-file.ts';

/** Sectors are what a disk writes as a whole, in bytes. */
const SECTOR_BYTES = 512;

/** The loss of power, and what everything is told that the process does afterwards. */
export class PowerLoss extends Error {
  override readonly name = 'PowerLoss';
}

/** A sync that failed, after which nobody knows what is on the disk. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure';
}

/**
 * Files and a database on a disk that forgets what was not synced: of the sectors that were written
 * since, any may be there. Its power fails at a given step, or a sync does.
 */
export class SimulatedJournalDisk {
  readonly #random: RandomSource;
  readonly files: readonly [SimulatedJournalFile, SimulatedJournalFile];
  #stepsLeft = Number.POSITIVE_INFINITY;
  #isSyncFailing = false;
  #isOff = false;

  constructor(random: RandomSource) {
    this.#random = random;
    const step = (write?: () => void): void => this.step(write);
    this.files = [
      new SimulatedJournalFile('JOURNAL-0', step),
      new SimulatedJournalFile('JOURNAL-1', step),
    ];
  }

  /** The power fails, or a sync when `isSyncFailing`, at the step behind so many others. */
  failAfter(steps: number, isSyncFailing: boolean): void {
    this.#stepsLeft = steps;
    this.#isSyncFailing = isSyncFailing;
  }

  /** A point at which something becomes durable, or the power fails. */
  step(done?: () => void): void {
    if (this.#isOff) throw new PowerLoss();
    this.#stepsLeft -= 1;
    if (this.#stepsLeft > 0) {
      done?.();
      return;
    }
    this.#isOff = true;
    throw this.#isSyncFailing ? new SyncFailure() : new PowerLoss();
  }

  /** Starts again with what the disk has kept. */
  restart(): void {
    for (const file of this.files) file.lose(() => this.#random.chance(0.5));
    this.#isOff = false;
    this.#stepsLeft = Number.POSITIVE_INFINITY;
  }
}

/** A file on a {@link SimulatedJournalDisk}. */
export class SimulatedJournalFile implements JournalFile {
  readonly name: string;
  readonly #step: (done?: () => void) => void;
  #durable = new Uint8Array(0);
  #seen = new Uint8Array(0);
  /** What was written since the last sync, in bytes from and to. */
  #unsynced: (readonly [number, number])[] = [];

  constructor(name: string, step: (done?: () => void) => void) {
    this.name = name;
    this.#step = step;
  }

  get size(): number {
    return this.#seen.length;
  }

  async read(): Promise<Uint8Array> {
    return new Uint8Array(this.#seen);
  }

  async write(bytes: Uint8Array, at: number): Promise<void> {
    if (at + bytes.length > this.#seen.length) throw new RangeError('writes behind the file');
    this.#step();
    this.#seen.set(bytes, at);
    this.#unsynced.push([at, at + bytes.length]);
    await this.sync();
  }

  async sync(): Promise<void> {
    // A process may die while it waits.
    await Promise.resolve();
    this.#step(() => {
      this.#durable = lengthened(this.#durable, this.#seen.length);
      for (const [from, to] of this.#unsynced) {
        this.#durable.set(this.#seen.subarray(from, to), from);
      }
      this.#unsynced = [];
    });
  }

  async extend(size: number): Promise<void> {
    this.#seen = lengthened(this.#seen, size);
    await this.sync();
  }

  async close(): Promise<void> {
    // Nothing is held open.
  }

  /** Keeps of every sector that was not synced what the disk happens to have. */
  lose(isWritten: () => boolean): void {
    const kept = lengthened(this.#durable, this.#seen.length);
    for (const [from, to] of this.#unsynced) {
      for (let at = from; at < to; at += SECTOR_BYTES) {
        if (isWritten()) kept.set(this.#seen.subarray(at, Math.min(to, at + SECTOR_BYTES)), at);
      }
    }
    this.#unsynced = [];
    this.#seen = kept;
    this.#durable = new Uint8Array(kept);
  }

  /** Changes one bit, of the file itself. */
  flip(bit: number): void {
    const at = bit >> 3;
    this.#seen[at] = (this.#seen[at] ?? 0) ^ (1 << (bit & 7));
    this.#durable = new Uint8Array(this.#seen);
  }
}

function lengthened(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= bytes.length) return bytes;
  const longer = new Uint8Array(size);
  longer.set(bytes);
  return longer;
}
