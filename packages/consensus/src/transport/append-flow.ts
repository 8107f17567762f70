import type { PeerMessage } from '../raft/message.ts';
import type { Connection } from './connection.ts';

interface ResidentAppend {
  readonly connection: Connection;
  readonly term: bigint;
  readonly generation: bigint;
  readonly batch: bigint;
}

/**
 * The appends of one member that are decoded and not answered. At the bound their connection is
 * read no further, so that what a slow disk cannot take stays in the sender's memory.
 */
export class ResidentAppends {
  readonly #appendsMax: number;
  #appends: ResidentAppend[] = [];

  constructor(appendsMax: number) {
    this.#appendsMax = appendsMax;
  }

  get count(): number {
    return this.#appends.length;
  }

  received(connection: Connection, message: Extract<PeerMessage, { kind: 'append' }>): void {
    const { term, generation, batch } = message;
    // The sender has given up what it sent in older generations; nobody will answer it.
    this.#keep((it) => it.term === term && it.generation === generation);
    this.#appends.push({ connection, term, generation, batch });
    if (this.#countOf(connection) >= this.#appendsMax) connection.pause();
  }

  /** Accounts for a message to the member. */
  answered(message: PeerMessage): void {
    if (this.#appends.length === 0) return;
    if (message.kind === 'termNotice') {
      this.#keep((it) => it.term >= message.term);
    } else if (message.kind === 'appendRejected') {
      this.#keep((it) => it.generation > message.generation);
    } else if (message.kind === 'appendAccepted') {
      const { generation, batch } = message;
      this.#keep(
        (it) => it.generation > generation || (it.generation === generation && it.batch > batch),
      );
    }
  }

  /** Forgets what came over a connection that is gone. */
  closed(connection: Connection): void {
    this.#keep((it) => it.connection !== connection);
  }

  #countOf(connection: Connection): number {
    return this.#appends.reduce((count, it) => count + (it.connection === connection ? 1 : 0), 0);
  }

  #keep(isKept: (append: ResidentAppend) => boolean): void {
    const before = this.#appends;
    this.#appends = before.filter(isKept);
    if (this.#appends.length === before.length) return;
    for (const connection of new Set(before.map((it) => it.connection))) {
      if (this.#countOf(connection) < this.#appendsMax) connection.resume();
    }
  }
}

/**
 * Watches that appends to one member are answered, or at least read. A member that installs a
 * snapshot answers none before it is done, which shows nothing of its stream.
 */
export class AppendWatch {
  readonly #stallMs: number;
  #newest: { readonly generation: bigint; readonly batch: bigint } | undefined;
  #framedBytes = 0;
  #creditedBytes = 0;
  #quietMs = 0;
  /** For how long the member may still be installing a snapshot. */
  #installingMs = 0;

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  /** Whether an append was sent whose answer is missing. */
  get isOutstanding(): boolean {
    return this.#newest !== undefined;
  }

  /** `framedBytes` is how much was written to the connection in all, the append included. */
  sent({ generation, batch }: Extract<PeerMessage, { kind: 'append' }>, framedBytes: number): void {
    if (this.#newest === undefined) this.#quietMs = 0;
    this.#newest = { generation, batch };
    this.#framedBytes = framedBytes;
  }

  /** The member has taken a snapshot, whose installation may last so long. */
  snapshotTaken(limitMs: number): void {
    this.#installingMs = limitMs;
  }

  /** Another process took the place of the one that had taken a snapshot. */
  processChanged(): void {
    this.#installingMs = 0;
  }

  /** Accounts for a message of the member. */
  received(message: PeerMessage): void {
    if (isAnswer(message)) this.#installingMs = 0;
    if (this.#newest === undefined) return;
    const { generation, batch } = this.#newest;
    switch (message.kind) {
      case 'termNotice':
        this.#newest = undefined;
        return;
      case 'appendRejected':
        this.#quietMs = 0;
        if (message.generation >= generation) this.#newest = undefined;
        return;
      case 'appendAccepted': {
        this.#quietMs = 0;
        const isNewest = message.generation === generation && message.batch >= batch;
        if (isNewest || message.generation > generation) this.#newest = undefined;
        return;
      }
      default:
    }
  }

  /** The stream ended; nothing is waited for any more. */
  reset(): void {
    this.#newest = undefined;
  }

  /** Whether the stream has stalled. Takes the credit of its connection into account. */
  sweep(elapsedMs: number, creditedBytes: number): boolean {
    // Once the newest append is read, only pings are, and they prove nothing about appends.
    const isReading = this.#creditedBytes < this.#framedBytes;
    if (isReading && creditedBytes !== this.#creditedBytes) this.#quietMs = 0;
    else this.#quietMs += elapsedMs;
    this.#creditedBytes = creditedBytes;
    if (this.#installingMs > 0) {
      this.#installingMs -= elapsedMs;
      this.#quietMs = 0;
    }
    return this.#newest !== undefined && this.#quietMs >= this.#stallMs;
  }
}

function isAnswer({ kind }: PeerMessage): boolean {
  return kind === 'appendAccepted' || kind === 'appendRejected' || kind === 'termNotice';
}
