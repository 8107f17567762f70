/** Intervals without a sign of life after which a peer counts as lost. */
const SILENT_INTERVALS_MAX = 3;

/** What a {@link Keepalive} watches. */
export interface WatchedTransport {
  /** Bytes that ever came in. */
  received(): number;
  /** Whether this side does not read at the moment, so that silence says nothing. */
  isPaused(): boolean;
  ping(): void;
  /** The peer gave no sign of life. */
  lost(): void;
}

/** Pings a peer that is silent, and gives it up when it stays so. */
export class Keepalive {
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #transport: WatchedTransport;
  #received = 0;
  #silent = 0;

  /** @param intervalMs 0 for none */
  constructor(transport: WatchedTransport, intervalMs: number) {
    this.#transport = transport;
    if (intervalMs === 0) return;
    this.#timer = setInterval(() => this.#check(), intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const received = this.#transport.received();
    const isAlive = received !== this.#received || this.#transport.isPaused();
    this.#received = received;
    this.#silent = isAlive ? 0 : this.#silent + 1;
    if (this.#silent >= SILENT_INTERVALS_MAX) {
      this.stop();
      this.#transport.lost();
    } else if (this.#silent > 0) {
      this.#transport.ping();
    }
  }
}
