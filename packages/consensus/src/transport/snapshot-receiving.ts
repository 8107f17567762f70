import type { MemberId } from '../raft/member-id.ts';
import { SECTION_BYTES_MAX, type SnapshotManifest } from '../storage/log-storage.ts';
import type { Connection } from './connection.ts';
import { FRAME_KIND, type Frame } from './frame.ts';
import { writeRefusal } from './hello.ts';
import { readManifest } from './snapshot-codec.ts';
import type { SnapshotSink } from './transport.ts';
import type { TransportTiming } from './transport-options.ts';
import { MalformedFrameError, WireReader } from './wire-reader.ts';

/** Begins to take a snapshot in; `undefined` refuses it. */
export type BeginSnapshot = (
  from: MemberId,
  term: bigint,
  manifest: SnapshotManifest,
) => SnapshotSink | undefined;

/** Receives one snapshot over a connection of its own, one section in memory at a time. */
export class SnapshotReceiving {
  readonly from: MemberId;
  readonly #connection: Connection;
  readonly #timing: TransportTiming;
  readonly #begin: BeginSnapshot;
  readonly #closed: (reason: string) => void;
  #sections = 0;
  #section = 0;
  #bytes: Uint8Array | undefined;
  #offset = 0;
  #sink: SnapshotSink | undefined;
  #state: 'beginning' | 'receiving' | 'storing' | 'done' = 'beginning';
  #quietMs = 0;
  #totalMs = 0;

  constructor(
    connection: Connection,
    from: MemberId,
    timing: TransportTiming,
    events: { readonly begin: BeginSnapshot; readonly closed: (reason: string) => void },
  ) {
    this.#connection = connection;
    this.from = from;
    this.#timing = timing;
    this.#begin = events.begin;
    this.#closed = events.closed;
    connection.establish('bulk', {
      frame: (frame) => this.#take(frame),
      closed: (reason) => this.#close(reason),
    });
    connection.resume();
  }

  /** Ends the transfer; what has arrived is given up. */
  abandon(reason: string): void {
    this.#connection.destroy(reason);
    this.#giveUp();
  }

  sweep(elapsedMs: number): void {
    this.#connection.sweep(elapsedMs);
    this.#quietMs += elapsedMs;
    this.#totalMs += elapsedMs;
    const { sectionMs, snapshotMs } = this.#timing;
    if (this.#quietMs >= sectionMs || this.#totalMs >= snapshotMs) {
      this.abandon('the transfer took too long');
    }
  }

  #take(frame: Frame): void {
    if (frame.kind === FRAME_KIND.snapshotBegin && this.#state === 'beginning') {
      this.#start(new WireReader(frame.body));
    } else if (frame.kind === FRAME_KIND.snapshotChunk && this.#state === 'receiving') {
      this.#chunk(new WireReader(frame.body));
    } else {
      throw new MalformedFrameError(`unexpected frame kind ${frame.kind}`);
    }
  }

  #start(reader: WireReader): void {
    const term = reader.u64();
    const manifest = readManifest(reader);
    reader.finish();
    this.#sections = manifest.sections.length;
    this.#sink = this.#begin(this.from, term, manifest);
    if (this.#sink === undefined) this.#refuse('the snapshot is not wanted');
    else this.#continue(this.#sink);
  }

  #chunk(reader: WireReader): void {
    const section = reader.u32();
    const total = reader.u32();
    const offset = reader.u32();
    if (section !== this.#section || offset !== this.#offset || total > SECTION_BYTES_MAX) {
      throw new MalformedFrameError('a chunk of a section out of turn');
    }
    const target = this.#bytes ?? new Uint8Array(total);
    const chunk = reader.view(reader.remaining);
    if (total !== target.length || chunk.length > total - offset) {
      throw new MalformedFrameError('a chunk beyond its section');
    }
    if (chunk.length === 0 && total > 0) throw new MalformedFrameError('an empty chunk');
    target.set(chunk, offset);
    this.#bytes = target;
    this.#offset = offset + chunk.length;
    this.#quietMs = 0;
    if (this.#offset === total) void this.#store(target);
  }

  async #store(bytes: Uint8Array): Promise<void> {
    const sink = this.#sink;
    this.#state = 'storing';
    this.#bytes = undefined;
    this.#offset = 0;
    if (sink === undefined) return;
    try {
      await sink.section(bytes);
    } catch {
      // The sink knows why; the sender only needs to hear that it must begin anew.
      this.#refuse('a section was refused');
      return;
    }
    this.#section += 1;
    this.#quietMs = 0;
    this.#continue(sink);
  }

  /** Asks for the next section, or finishes. */
  #continue(sink: SnapshotSink): void {
    if (this.#sink === undefined) return;
    if (this.#section === this.#sections) {
      void this.#finish(sink);
      return;
    }
    this.#state = 'receiving';
    const section = this.#section;
    this.#connection.write(FRAME_KIND.snapshotNext, (writer) => writer.u32(section));
  }

  async #finish(sink: SnapshotSink): Promise<void> {
    this.#state = 'storing';
    try {
      await sink.finish();
    } catch {
      this.#refuse('the snapshot was refused');
      return;
    }
    // From here on it belongs to the protocol, whatever becomes of the connection.
    this.#sink = undefined;
    this.#state = 'done';
    this.#connection.write(FRAME_KIND.snapshotDone, () => undefined);
    this.#connection.end('the transfer is complete');
  }

  #refuse(reason: string): void {
    this.#giveUp();
    this.#connection.write(FRAME_KIND.refusal, (writer) => writeRefusal(writer, reason));
    this.#connection.end(reason);
  }

  #giveUp(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    this.#bytes = undefined;
    this.#state = 'done';
    sink?.abandon();
  }

  #close(reason: string): void {
    this.#giveUp();
    this.#closed(reason);
  }
}
