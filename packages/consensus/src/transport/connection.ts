import type { Socket } from 'node:net';
import {
  FRAME_BYTES_MAX,
  FRAME_KIND,
  type Frame,
  type FrameKind,
  SETUP_FRAME_BYTES_MAX,
  type TrafficClass,
  writeFrame,
} from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import type { TransportLimits, TransportTiming } from './transport-options.ts';
import { MalformedFrameError, WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** What a connection tells its owner. */
export interface ConnectionEvents {
  /** A frame that is neither credit nor ping. */
  frame(frame: Frame): void;
  /** The connection is gone. Called once, never from inside of a call of the owner. */
  closed(reason: string): void;
  /** The other end has read more. */
  credited?(): void;
}

interface Segment {
  readonly bytes: Uint8Array;
  readonly messages: number;
}

/** How many bytes are handed to a socket that asks for patience, before it is heard. */
const BURST_BYTES = 256 * 1_024;
const CREDIT_BYTES = 64 * 1_024;

/**
 * One socket with frames both ways. Each end tells the other by credit how many bytes it has read
 * and how many frames it has taken: that bounds what is under way and shows that a slow connection
 * moves. What is written within one turn of the event loop leaves in one piece.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #isOpener: boolean;
  readonly #timing: TransportTiming;
  readonly #windowBytesMax: number;
  readonly #reader = new FrameReader(SETUP_FRAME_BYTES_MAX);
  readonly #writer = new WireWriter();
  readonly #urgent = new WireWriter();
  #events: ConnectionEvents;
  #frameBytesMax = SETUP_FRAME_BYTES_MAX;
  #segments: Segment[] = [];
  #segmentBytes = 0;
  #segmentMessages = 0;
  #openMessages = 0;
  #isFlushQueued = false;
  #isBlocked = false;
  #isHeld = false;
  #isPaused = false;
  #isDraining = false;
  #state: 'open' | 'ending' | 'closed' = 'open';
  #reason = 'closed by the other end';
  /** All bytes for the other end, and how many of them it has read. */
  #framedBytes = 0;
  #creditedBytes = 0;
  /** The same for frames, credit aside, because nobody answers credit with credit. */
  #framedFrames = 0;
  #creditedFrames = 0;
  /** What came from the other end, and how much of it was reported. */
  #readBytes = 0;
  #reportedBytes = 0;
  #takenFrames = 0;
  #reportedFrames = 0;
  #readQuietMs = 0;
  #pausedMs = 0;
  #pingQuietMs = 0;
  #endingMs = 0;

  constructor(
    socket: Socket,
    isOpener: boolean,
    settings: { readonly timing: TransportTiming; readonly limits: TransportLimits },
    events: ConnectionEvents,
  ) {
    this.#socket = socket;
    this.#isOpener = isOpener;
    this.#timing = settings.timing;
    this.#windowBytesMax = settings.limits.windowBytesMax;
    this.#events = events;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => {
      this.#isBlocked = false;
      this.#flush();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#state === 'open') this.#reason = error.code ?? error.message;
    });
    socket.on('close', () => this.#close());
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Whether the other end gave a sign of life lately. */
  get isLive(): boolean {
    const { pingMs, stallMs } = this.#timing;
    // While nothing is read, nothing can show itself; that must not shut a successor out for ever.
    const isQuiet = this.#readQuietMs >= 3 * pingMs || this.#pausedMs >= stallMs;
    return this.#state === 'open' && !isQuiet;
  }

  get queuedBytes(): number {
    return this.#segmentBytes + this.#writer.pendingBytes;
  }

  get queuedMessages(): number {
    return this.#segmentMessages + this.#openMessages;
  }

  /** How many bytes the other end has read in all. */
  get creditedBytes(): number {
    return this.#creditedBytes;
  }

  /** How many bytes were written for the other end in all. */
  get framedBytes(): number {
    return this.#framedBytes;
  }

  /** Whether the other end has taken everything that was written. */
  get isTaken(): boolean {
    return this.#creditedFrames === this.#framedFrames;
  }

  /** Changes owner and bounds once both ends know each other. */
  establish(trafficClass: TrafficClass, events: ConnectionEvents): void {
    this.#events = events;
    this.#frameBytesMax = FRAME_BYTES_MAX[trafficClass];
    this.#reader.bytesMax = this.#frameBytesMax;
  }

  /** Queues a frame. Throws `RangeError` when it has no encoding. */
  write(kind: FrameKind, writeBody: (writer: WireWriter) => void): void {
    if (this.#isGone) return;
    this.#framedBytes += writeFrame(this.#writer, kind, this.#frameBytesMax, writeBody);
    this.#framedFrames += 1;
    this.#openMessages += 1;
    this.#pingQuietMs = 0;
    if (this.#isFlushQueued) return;
    this.#isFlushQueued = true;
    // Whatever one input makes leaves together.
    queueMicrotask(() => {
      this.#isFlushQueued = false;
      this.#flush();
    });
  }

  /** Sends a frame in front of everything that is queued. */
  writeUrgent(kind: FrameKind, writeBody: (writer: WireWriter) => void): void {
    if (this.#isGone) return;
    this.#framedBytes += writeFrame(this.#urgent, kind, this.#frameBytesMax, writeBody);
    if (kind !== FRAME_KIND.credit) this.#framedFrames += 1;
    for (const piece of this.#urgent.take()) this.#socket.write(piece);
  }

  /** Asks for the credit of everything written so far. */
  ping(): void {
    this.#pingQuietMs = 0;
    this.writeUrgent(FRAME_KIND.ping, () => undefined);
  }

  /** Keeps what is queued from leaving until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#flush();
  }

  /** Stops to take frames, and with them bytes, until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  /** Takes frames again, in a later turn. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    queueMicrotask(() => {
      if (this.#isPaused || this.#isGone) return;
      this.#socket.resume();
      this.#drain();
    });
  }

  /** Closes after everything queued has left, or after the setup deadline. */
  end(reason: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#reason = reason;
    this.#isHeld = false;
    this.#flush();
  }

  /** Closes at once. */
  destroy(reason: string): void {
    if (this.#state === 'open') this.#reason = reason;
    if (this.#state !== 'closed') this.#state = 'ending';
    this.#socket.destroy();
  }

  /** Measures silence. `elapsedMs` has passed since the last call, stalls of our own aside. */
  sweep(elapsedMs: number): void {
    if (this.#state === 'closed') return;
    const { stallMs, pingMs, setupMs } = this.#timing;
    if (this.#state === 'ending') {
      this.#endingMs += elapsedMs;
      if (this.#endingMs >= setupMs) this.#socket.destroy();
      return;
    }
    if (!this.#isPaused) this.#readQuietMs += elapsedMs;
    this.#pausedMs = this.#isPaused ? this.#pausedMs + elapsedMs : 0;
    this.#pingQuietMs += elapsedMs;
    // Credit may be late behind what else comes from there, so any byte is a sign of life.
    if (this.#readQuietMs >= (this.isTaken ? 2 * stallMs : stallMs)) {
      this.destroy('stalled: no sign of life');
      return;
    }
    const isInsideFrame = this.#reader.isInsideFrame && this.#readBytes > this.#reportedBytes;
    if (isInsideFrame || this.#takenFrames > this.#reportedFrames) this.#sendCredit();
    // Who reads nothing learns of the other's end only by writing.
    if ((this.#isOpener || this.#isPaused) && this.#pingQuietMs >= pingMs) this.ping();
  }

  get #isGone(): boolean {
    return this.#state === 'closed' || this.#socket.destroyed;
  }

  #receive(chunk: Buffer): void {
    this.#readBytes += chunk.length;
    this.#readQuietMs = 0;
    this.#reader.push(chunk);
    this.#drain();
    if (this.#readBytes - this.#reportedBytes >= CREDIT_BYTES) this.#sendCredit();
  }

  #drain(): void {
    // An owner may resume from inside of a frame.
    if (this.#isDraining) return;
    this.#isDraining = true;
    try {
      while (!this.#isPaused && !this.#isGone) {
        const frame = this.#reader.next();
        if (frame === undefined) break;
        if (frame.kind === FRAME_KIND.credit) {
          this.#takeCredit(frame);
          continue;
        }
        this.#takenFrames += 1;
        if (frame.kind === FRAME_KIND.ping) this.#sendCredit();
        else this.#events.frame(frame);
      }
    } catch (error) {
      if (!(error instanceof MalformedFrameError)) throw error;
      this.destroy(`malformed frame: ${error.message}`);
    } finally {
      this.#isDraining = false;
    }
  }

  #takeCredit(frame: Frame): void {
    const reader = new WireReader(frame.body);
    const bytes = Number(reader.u64());
    const frames = Number(reader.u64());
    reader.finish();
    if (bytes < this.#creditedBytes || bytes > this.#framedBytes) {
      throw new MalformedFrameError('credit for bytes that were not sent');
    }
    if (frames < this.#creditedFrames || frames > this.#framedFrames) {
      throw new MalformedFrameError('credit for frames that were not sent');
    }
    this.#creditedBytes = bytes;
    this.#creditedFrames = frames;
    this.#events.credited?.();
    this.#flush();
  }

  #sendCredit(): void {
    this.#reportedBytes = this.#readBytes;
    this.#reportedFrames = this.#takenFrames;
    this.writeUrgent(FRAME_KIND.credit, (writer) => {
      writer.u64(BigInt(this.#readBytes)).u64(BigInt(this.#takenFrames));
    });
  }

  #flush(): void {
    if (this.#isGone || this.#isHeld) return;
    this.#takeOpen();
    const fits = (): boolean =>
      this.#framedBytes - this.#creditedBytes - this.#segmentBytes < this.#windowBytesMax;
    let burst = 0;
    const isCorked = this.#segments.length > 1;
    if (isCorked) this.#socket.cork();
    let segment = this.#segments[0];
    while (segment !== undefined && !this.#isBlocked && fits()) {
      this.#segments.shift();
      this.#segmentBytes -= segment.bytes.length;
      this.#segmentMessages -= segment.messages;
      burst += segment.bytes.length;
      if (!this.#socket.write(segment.bytes) && burst >= BURST_BYTES) this.#isBlocked = true;
      segment = this.#segments[0];
    }
    if (isCorked) this.#socket.uncork();
    if (this.#isBlocked && !this.#socket.writableNeedDrain) this.#isBlocked = false;
    if (this.#state === 'ending' && segment === undefined) this.#socket.end();
  }

  #takeOpen(): void {
    const pieces = this.#writer.take();
    pieces.forEach((bytes, index) => {
      // Messages count until the last of what was taken with them has left.
      const messages = index === pieces.length - 1 ? this.#openMessages : 0;
      this.#segments.push({ bytes, messages });
      this.#segmentBytes += bytes.length;
      this.#segmentMessages += messages;
    });
    if (pieces.length > 0) this.#openMessages = 0;
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#segments = [];
    this.#segmentBytes = 0;
    this.#segmentMessages = 0;
    this.#openMessages = 0;
    this.#writer.take();
    this.#events.closed(this.#reason);
  }
}
