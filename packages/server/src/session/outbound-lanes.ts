import { LANE_FRAMES_MAX } from '@nervix/protocol/session';

/** The transport of frames. */
export interface FrameSocket {
  /** Bytes that the transport holds because the peer does not read. */
  readonly bufferedAmount: number;
  /** @param done called when the bytes have left, or never will */
  send(bytes: Uint8Array, done: () => void): void;
}

interface Queued {
  readonly frame: Uint8Array;
  /** Whose frame it is, where that may take it back. */
  readonly owner: object | undefined;
}

interface Waiting extends Queued {
  readonly placed: () => void;
}

/** Frames of one kind that wait for the transport, and those that wait for a place among them. */
class Lane {
  #frames: Queued[] = [];
  #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#frames.length === 0 && this.#waiting.length === 0;
  }

  get hasRoom(): boolean {
    return this.#frames.length < LANE_FRAMES_MAX;
  }

  /** Resolves when the frame has a place; at once while there is room. */
  put(frame: Uint8Array, owner?: object): Promise<void> {
    if (this.hasRoom) {
      this.#frames.push({ frame, owner });
      return Promise.resolve();
    }
    return new Promise((placed) => this.#waiting.push({ frame, owner, placed }));
  }

  take(): Uint8Array | undefined {
    const taken = this.#frames.shift();
    this.#refill();
    return taken?.frame;
  }

  /** Takes back every frame of an owner. */
  drop(owner: object): void {
    this.#frames = this.#frames.filter((each) => each.owner !== owner);
    for (const each of this.#waiting) if (each.owner === owner) each.placed();
    this.#waiting = this.#waiting.filter((each) => each.owner !== owner);
    this.#refill();
  }

  clear(): void {
    this.#frames.length = 0;
    for (const { placed } of this.#waiting.splice(0)) placed();
  }

  #refill(): void {
    while (this.hasRoom) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#frames.push(next);
      next.placed();
    }
  }
}

/**
 * What a session sends: replies and events on one lane, rows on another that waits for the first.
 * The transport is given nothing more while it holds a whole frame, so that a peer that reads
 * nothing costs these lanes and no more.
 */
export class OutboundLanes {
  readonly #socket: FrameSocket;
  readonly #bufferedMax: number;
  readonly #control = new Lane();
  readonly #rows = new Lane();
  #isClosed = false;
  #drained: PromiseWithResolvers<void> | undefined;

  /** @param bufferedMax bytes that the transport may hold before it is given more */
  constructor(socket: FrameSocket, bufferedMax: number) {
    this.#socket = socket;
    this.#bufferedMax = bufferedMax;
  }

  /** Whether nothing waits to be handed over. */
  get isEmpty(): boolean {
    return this.#control.isEmpty && this.#rows.isEmpty;
  }

  get hasRowRoom(): boolean {
    return this.#rows.hasRoom;
  }

  /** Sends a reply or an event; resolves when it has a place. */
  control(frame: Uint8Array): Promise<void> {
    return this.#put(this.#control, frame);
  }

  /** Sends rows or what is said about them; resolves when they have a place. */
  rows(frame: Uint8Array, owner: object): Promise<void> {
    return this.#put(this.#rows, frame, owner);
  }

  /** Takes back what waits of an owner's rows. */
  dropRowsOf(owner: object): void {
    this.#rows.drop(owner);
  }

  /** Resolves when everything on the control lane was handed over. */
  controlDrained(): Promise<void> {
    if (this.#isClosed || this.#control.isEmpty) return Promise.resolve();
    this.#drained ??= Promise.withResolvers<void>();
    return this.#drained.promise;
  }

  /** Drops everything: nobody is there any more. */
  close(): void {
    this.#isClosed = true;
    this.#control.clear();
    this.#rows.clear();
    this.#drained?.resolve();
  }

  #put(lane: Lane, frame: Uint8Array, owner?: object): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const placed = lane.put(frame, owner);
    this.#pump();
    return placed;
  }

  #pump(): void {
    while (!this.#isClosed && this.#socket.bufferedAmount <= this.#bufferedMax) {
      const frame = this.#control.take() ?? this.#rows.take();
      if (frame === undefined) break;
      this.#socket.send(frame, () => this.#pump());
    }
    if (!this.#control.isEmpty) return;
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}
