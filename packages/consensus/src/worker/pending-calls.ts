import { RaftError } from '../errors.ts';
import type { RaftNodeLimits } from '../node/raft-node-options.ts';

/** Whoever waits for an answer. */
export interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Entry {
  readonly call: PendingCall;
  /** Payload size of a command. */
  readonly bytes: number | undefined;
}

/** Numbers of calls begin anew here. */
const IDS = 2 ** 32;

/**
 * Calls that were made to a worker and are not answered, by number. The limits of the node hold here
 * already, because a worker that is busy would refuse too late, when everything waits at its port.
 */
export class PendingCalls {
  readonly #limits: RaftNodeLimits;
  readonly #entries = new Map<number, Entry>();
  #nextId = 0;
  #commands = 0;
  #bytes = 0;

  constructor(limits: RaftNodeLimits) {
    this.#limits = limits;
  }

  /** The number of the next call. */
  get nextId(): number {
    return this.#nextId;
  }

  /** Commands without an outcome. */
  get commands(): number {
    return this.#commands;
  }

  /** Their payload size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a command. Throws `RAFT_ENTRY_TOO_LARGE` or, at either bound, `RAFT_OVERLOADED`. */
  addCommand(bytes: number, call: PendingCall): number {
    const { payloadBytesMax, queuedProposalsMax, queuedBytesMax } = this.#limits;
    if (bytes > payloadBytesMax) {
      throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes, bytesMax: payloadBytesMax });
    }
    const isFull = this.#commands >= queuedProposalsMax || this.#bytes + bytes > queuedBytesMax;
    if (this.#commands > 0 && isFull) {
      throw new RaftError('RAFT_OVERLOADED', { queued: this.#commands, queuedBytes: this.#bytes });
    }
    this.#commands += 1;
    this.#bytes += bytes;
    return this.#add({ call, bytes });
  }

  /** Takes any other call. Throws `RAFT_OVERLOADED` when too many of them wait. */
  addRequest(call: PendingCall): number {
    const queuedReads = this.#entries.size - this.#commands;
    if (queuedReads >= this.#limits.queuedReadsMax) {
      throw new RaftError('RAFT_OVERLOADED', { queued: queuedReads, queuedBytes: 0, queuedReads });
    }
    return this.#add({ call, bytes: undefined });
  }

  /** Takes the call that ends all, whatever waits. */
  addLast(call: PendingCall): number {
    return this.#add({ call, bytes: undefined });
  }

  /** Ends a call; `undefined` when it has ended before. */
  take(id: number): PendingCall | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    if (entry.bytes !== undefined) {
      this.#commands -= 1;
      this.#bytes -= entry.bytes;
    }
    return entry.call;
  }

  /** Ends all calls. */
  takeAll(): readonly PendingCall[] {
    const calls = [...this.#entries.values()].map(({ call }) => call);
    this.#entries.clear();
    this.#commands = 0;
    this.#bytes = 0;
    return calls;
  }

  #add(entry: Entry): number {
    const id = this.#nextId;
    this.#nextId = (id + 1) % IDS;
    this.#entries.set(id, entry);
    return id;
  }
}
