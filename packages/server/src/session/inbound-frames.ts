/** What an {@link InboundFrames} may ask of its transport. */
export interface PausableSocket {
  pause(): void;
  resume(): void;
}

/**
 * Frames as they are taken, one after another. While one of them waits, the transport is not read:
 * only what it had already taken apart is kept here.
 */
export class InboundFrames {
  readonly #socket: PausableSocket;
  readonly #take: (frame: Uint8Array) => Promise<void> | undefined;
  readonly #waiting: Uint8Array[] = [];
  #isBusy = false;
  #isClosed = false;

  /** @param take says by a promise that no other frame may follow yet; does not reject */
  constructor(socket: PausableSocket, take: (frame: Uint8Array) => Promise<void> | undefined) {
    this.#socket = socket;
    this.#take = take;
  }

  get isPaused(): boolean {
    return this.#isBusy;
  }

  /** Whether there are frames that nobody has looked at. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(frame: Uint8Array): void {
    if (this.#isClosed) return;
    this.#waiting.push(frame);
    this.#drain();
  }

  /** Takes no further frame. */
  close(): void {
    this.#isClosed = true;
  }

  #drain(): void {
    while (!this.#isBusy && !this.#isClosed) {
      const frame = this.#waiting.shift();
      if (frame === undefined) return;
      const pending = this.#take(frame);
      if (pending !== undefined) this.#pauseFor(pending);
    }
  }

  #pauseFor(pending: Promise<void>): void {
    this.#isBusy = true;
    this.#socket.pause();
    void pending.then(() => {
      this.#isBusy = false;
      if (this.#isClosed) return;
      this.#socket.resume();
      this.#drain();
    });
  }
}
