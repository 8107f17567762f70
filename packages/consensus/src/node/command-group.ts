import { present } from '../assert.ts';
import type { Entry } from '../raft/entry.ts';
import type { RawRaft } from '../raft/raw-raft.ts';
import { ENTRY_OVERHEAD_BYTES } from '../storage/entry-codec.ts';
import type { AppliedEntry, Applier } from './applier.ts';
import type { Proposal, ProposalQueue } from './proposal-queue.ts';
import type { RaftNodeLimits } from './raft-node-options.ts';

interface Member {
  readonly proposal: Proposal;
  readonly entry: Entry;
  applied: AppliedEntry | undefined;
}

/** The commands that share one durable write, from the queue to their outcomes. */
export class CommandGroup {
  readonly #queue: ProposalQueue;
  readonly #members: Member[] = [];

  constructor(queue: ProposalQueue) {
    this.#queue = queue;
  }

  /**
   * Takes commands from the queue into the log and runs each through the state machine, until the
   * group is full. The first command is taken whatever its size, and none is ever divided. Throws
   * `RAFT_APPLY_FAILED`; the commands taken so far are then members of the group.
   */
  fill(core: RawRaft, applier: Applier, limits: RaftNodeLimits): void {
    let payloadBytes = 0;
    this.#queue.takeWhile((proposal) => {
      const bytes = payloadBytes + proposal.payload.length + ENTRY_OVERHEAD_BYTES;
      const isFull =
        this.#members.length + applier.operations >= limits.groupOperationsMax ||
        bytes + applier.bytes > limits.groupBytesMax;
      if (isFull && this.#members.length > 0) return false;
      const outcome = core.propose(proposal.payload);
      if (outcome.kind === 'dropped') return false;
      payloadBytes = bytes;
      const member: Member = { proposal, entry: outcome.entry, applied: undefined };
      this.#members.push(member);
      member.applied = applier.apply(outcome.entry);
      return true;
    });
  }

  /** Answers every command, in the order of the log. */
  resolve(): void {
    for (const { proposal, entry, applied } of this.#members) {
      this.#queue.release(proposal);
      const { index, term } = entry;
      proposal.resolve({ index, term, ...present(applied, 'every command was applied') });
    }
  }

  /** Fails every command, in the order of the log. */
  reject(error: unknown): void {
    for (const { proposal } of this.#members) {
      this.#queue.release(proposal);
      proposal.reject(error);
    }
  }
}
