import { RaftError } from '../errors.ts';
import type { RaftNodeLimits } from './raft-node-options.ts';

/** Where a command landed and what the state machine answered. */
export interface ProposalResult {
  /** Index of its entry. */
  readonly index: bigint;
  /** Term of its entry. */
  readonly term: bigint;
  /** State revision after it. */
  readonly revision: bigint;
  /** Answer of the state machine. */
  readonly result: Uint8Array;
}

/** A command that waits for its outcome. */
export interface Proposal {
  readonly payload: Uint8Array;
  readonly resolve: (result: ProposalResult) => void;
  readonly reject: (error: unknown) => void;
}

interface QueuedProposal {
  readonly proposal: Proposal;
  readonly queuedAt: number;
}

/**
 * Commands from `propose` until their outcome, bounded by count and bytes. Those that are being
 * written still count, because they still occupy memory.
 */
export class ProposalQueue {
  readonly #countMax: number;
  readonly #bytesMax: number;
  readonly #groupCountMax: number;
  readonly #groupBytesMax: number;
  #waiting: QueuedProposal[] = [];
  #count = 0;
  #bytes = 0;

  constructor(limits: RaftNodeLimits) {
    this.#countMax = limits.queuedProposalsMax;
    this.#bytesMax = limits.queuedBytesMax;
    this.#groupCountMax = limits.groupOperationsMax;
    this.#groupBytesMax = limits.groupBytesMax;
  }

  /** Commands without an outcome. */
  get count(): number {
    return this.#count;
  }

  /** Their payload size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Commands that nobody has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a command at the time `queuedAt`, in ticks. Throws `RAFT_OVERLOADED` at either bound; an
   * empty queue admits any one.
   */
  add(proposal: Proposal, queuedAt: number): void {
    const bytes = this.#bytes + proposal.payload.length;
    const isFull = this.#count >= this.#countMax || bytes > this.#bytesMax;
    if (this.#count > 0 && isFull) {
      throw new RaftError('RAFT_OVERLOADED', { queued: this.#count, queuedBytes: this.#bytes });
    }
    this.#count += 1;
    this.#bytes = bytes;
    this.#waiting.push({ proposal, queuedAt });
  }

  /**
   * Takes commands in order for as long as `accept` takes them; it returns `false` to leave its
   * command, and all behind it, in the queue. The command on which it throws is taken.
   */
  takeWhile(accept: (proposal: Proposal) => boolean): void {
    let taken = 0;
    try {
      for (const { proposal } of this.#waiting) {
        taken += 1;
        if (accept(proposal)) continue;
        taken -= 1;
        break;
      }
    } finally {
      this.#waiting = this.#waiting.slice(taken);
    }
  }

  /** Takes commands that share a group: up to its limits, but at least one. */
  takeGroup(): readonly Proposal[] {
    const group: Proposal[] = [];
    let bytes = 0;
    this.takeWhile((proposal) => {
      bytes += proposal.payload.length;
      const isFull = group.length >= this.#groupCountMax || bytes > this.#groupBytesMax;
      if (isFull && group.length > 0) return false;
      group.push(proposal);
      return true;
    });
    return group;
  }

  /** Rejects every command that nobody has taken yet. */
  rejectWaiting(error: Error): void {
    const waiting = this.#waiting.map(({ proposal }) => proposal);
    this.#waiting = [];
    this.reject(waiting, error);
  }

  /** Rejects commands that were taken. */
  reject(proposals: readonly Proposal[], error: Error): void {
    for (const proposal of proposals) {
      this.release(proposal);
      proposal.reject(error);
    }
  }

  /** Takes the commands that were added before the time `deadline`. */
  takeOlder(deadline: number): readonly Proposal[] {
    const firstKept = this.#waiting.findIndex(({ queuedAt }) => queuedAt >= deadline);
    const older = firstKept < 0 ? this.#waiting : this.#waiting.slice(0, firstKept);
    this.#waiting = firstKept < 0 ? [] : this.#waiting.slice(firstKept);
    return older.map(({ proposal }) => proposal);
  }

  /** Ends the accounting of a taken command, before or after its promise is settled. */
  release(proposal: Proposal): void {
    this.#count -= 1;
    this.#bytes -= proposal.payload.length;
  }
}
