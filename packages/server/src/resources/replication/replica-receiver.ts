import { ArchiveFault } from '../archive/archive-fault.js';
import type { ResourceStore } from '../store/resource-store.js';
import { DamagedVersionError, expectedOf } from '../store/version-folder.js';
import type { ReplicaOffer, ReplicaReport, ReplicaTransfer } from './replica-peer.js';

/** Bytes that a receiver holds at most of one transfer. */
export const WINDOW_BYTES: number = 1_024 * 1_024;

/** The receiving side of replication: installs archives that other nodes send into a store. */
export class ReplicaReceiver {
  readonly #store: ResourceStore;
  readonly #nowMs: () => number;

  /** @param nowMs Unix milliseconds */
  constructor(store: ResourceStore, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** Begins an installation. */
  begin(offer: ReplicaOffer): ReplicaTransfer {
    const window = new TransferWindow(offer.archiveBytes);
    const report = this.#install(offer, window).finally(() => window.close());
    // Asked for by finish(); a transfer that is aborted asks nobody.
    report.catch(() => undefined);
    return {
      credit: () => window.credit(),
      send: (chunk) => window.push(chunk),
      finish: () => {
        window.end();
        return report;
      },
      abort: async () => {
        window.abort();
        await report.catch(() => undefined);
      },
    };
  }

  async #install(offer: ReplicaOffer, window: TransferWindow): Promise<ReplicaReport> {
    if (await this.#hasWhole(offer)) return this.#ready(offer.rootChecksum);
    window.open();
    const { archiveDigest: digest, archiveBytes: bytes } = offer;
    try {
      const staged = await this.#store.stage({ bytes, digest }, window);
      const found = expectedOf(staged.manifest);
      if (found.rootChecksum !== offer.rootChecksum) {
        await staged.discard();
        return { kind: 'failed', error: 'the archive does not have its root checksum' };
      }
      await staged.install();
      return this.#ready(found.rootChecksum);
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error;
      return { kind: 'failed', error: error.message };
    }
  }

  async #hasWhole(offer: ReplicaOffer): Promise<boolean> {
    if (!(await this.#store.has(offer.archiveDigest))) return false;
    try {
      await this.#store.verify(offer);
      return true;
    } catch (error) {
      if (error instanceof DamagedVersionError) return false;
      throw error;
    }
  }

  #ready(checksum: string): ReplicaReport {
    return { kind: 'ready', checksum, verifiedAtMs: this.#nowMs() };
  }
}

/** Chunks between a sender and the store, never more than {@link WINDOW_BYTES}. */
class TransferWindow implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  #bytesLeft: number;
  #isOpen = false;
  #isEnded = false;
  #isClosed = false;
  #failure: Error | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(bytes: number) {
    this.#bytesLeft = bytes;
  }

  async credit(): Promise<number> {
    for (;;) {
      if (this.#isClosed) return 0;
      if (this.#isOpen) {
        const room = Math.min(WINDOW_BYTES - this.#heldBytes, this.#bytesLeft);
        if (room > 0 || this.#bytesLeft === 0) return room;
      }
      await this.#changed.promise;
    }
  }

  push(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
    this.#bytesLeft -= chunk.length;
    if (this.#heldBytes > WINDOW_BYTES || this.#bytesLeft < 0) {
      this.#failure = new ArchiveFault('size_mismatch', 'the sender exceeded its credit');
    }
    this.#notify();
  }

  /** Lets the sender begin. */
  open(): void {
    this.#isOpen = true;
    this.#notify();
  }

  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  abort(): void {
    this.#failure ??= new Error('the transfer was given up');
    this.#notify();
  }

  /** Nothing more is taken. */
  close(): void {
    this.#isClosed = true;
    this.#chunks = [];
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#heldBytes -= chunk.length;
        this.#notify();
        yield chunk;
        continue;
      }
      if (this.#isEnded) return;
      await this.#changed.promise;
    }
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
