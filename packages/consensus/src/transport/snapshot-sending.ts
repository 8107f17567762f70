import type { Connection } from './connection.ts';
import { FRAME_KIND, type Frame } from './frame.ts';
import { readRefusal } from './hello.ts';
import { writeManifest } from './snapshot-codec.ts';
import type { OutgoingSnapshot } from './transport.ts';
import type { TransportTiming } from './transport-options.ts';
import { MalformedFrameError, WireReader } from './wire-reader.ts';

/** Payload of one frame of a section in bytes. */
export const CHUNK_BYTES: number = 64 * 1_024 - 64;

/**
 * Sends one snapshot over a connection of its own. The receiver asks for one section after the
 * other, each when the one before is durable, so neither side holds more than one.
 */
export class SnapshotSending {
  readonly #connection: Connection;
  readonly #snapshot: OutgoingSnapshot;
  readonly #timing: TransportTiming;
  readonly #result = Promise.withResolvers<boolean>();
  #section = -1;
  #creditedBytes = 0;
  #quietMs = 0;
  #totalMs = 0;
  #isSettled = false;

  constructor(connection: Connection, snapshot: OutgoingSnapshot, timing: TransportTiming) {
    this.#connection = connection;
    this.#snapshot = snapshot;
    this.#timing = timing;
    connection.establish('bulk', {
      frame: (frame) => this.#take(frame),
      closed: () => this.#settle(false),
    });
    try {
      connection.write(FRAME_KIND.snapshotBegin, (writer) => {
        writeManifest(writer.u64(snapshot.term), snapshot.manifest);
      });
      connection.resume();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.abandon();
    }
  }

  /** Whether the receiver took the whole snapshot. */
  get result(): Promise<boolean> {
    return this.#result.promise;
  }

  abandon(): void {
    this.#connection.destroy('the transfer was given up');
    this.#settle(false);
  }

  sweep(elapsedMs: number): void {
    this.#connection.sweep(elapsedMs);
    const { creditedBytes } = this.#connection;
    this.#quietMs = creditedBytes === this.#creditedBytes ? this.#quietMs + elapsedMs : 0;
    this.#creditedBytes = creditedBytes;
    this.#totalMs += elapsedMs;
    const { sectionMs, snapshotMs } = this.#timing;
    if (this.#quietMs >= sectionMs || this.#totalMs >= snapshotMs) this.abandon();
  }

  #take(frame: Frame): void {
    const { sections } = this.#snapshot.manifest;
    if (frame.kind === FRAME_KIND.refusal) {
      readRefusal(frame.body);
      this.abandon();
    } else if (frame.kind === FRAME_KIND.snapshotNext) {
      const reader = new WireReader(frame.body);
      const section = reader.u32();
      reader.finish();
      if (section !== this.#section + 1 || section >= sections.length) {
        throw new MalformedFrameError('a section was asked for out of turn');
      }
      this.#section = section;
      this.#quietMs = 0;
      void this.#send(section);
    } else if (frame.kind === FRAME_KIND.snapshotDone) {
      new WireReader(frame.body).finish();
      this.#settle(this.#section + 1 === sections.length);
      this.#connection.end('the transfer is complete');
    } else {
      throw new MalformedFrameError(`unexpected frame kind ${frame.kind}`);
    }
  }

  async #send(section: number): Promise<void> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#snapshot.section(section);
    } catch {
      // The generation is gone or damaged: whoever owns the store knows, the receiver starts anew.
      this.abandon();
      return;
    }
    for (let offset = 0; offset < bytes.length || offset === 0; offset += CHUNK_BYTES) {
      const chunk = bytes.subarray(offset, offset + CHUNK_BYTES);
      this.#connection.write(FRAME_KIND.snapshotChunk, (writer) => {
        writer.u32(section).u32(bytes.length).u32(offset).bytes(chunk);
      });
    }
  }

  #settle(ok: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#result.resolve(ok);
  }
}
