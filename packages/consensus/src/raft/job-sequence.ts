import { assert } from '../assert.ts';
import { type HardState, isSameVote } from './hard-state.ts';
import type { MemberId } from './member-id.ts';
import type { Outbox } from './outbox.ts';
import type { CoreStoreJob } from './output.ts';
import type { RaftLog } from './raft-log.ts';

/** What a job made durable, as far as the protocol is concerned. */
export interface PersistedJob {
  /** Where the log ended with it. */
  readonly lastIndex: bigint;
  readonly lastTerm: bigint;
  /** The term that it stored, when it stored a term or vote. */
  readonly votedTerm: bigint | undefined;
  /** Whether its entries are committed by that alone. */
  readonly isCommitting: boolean;
}

/** Numbers the store jobs and remembers what the outstanding ones will have made durable. */
export class JobSequence {
  readonly #outstanding: (PersistedJob & { readonly seq: bigint })[] = [];
  #queued: HardState;
  #seq = 0n;

  constructor(stored: HardState) {
    this.#queued = stored;
  }

  /** Number of the newest job. */
  get seq(): bigint {
    return this.#seq;
  }

  /** Whether this very vote is in a job or was stored before. */
  holdsVote(term: bigint, votedFor: MemberId | undefined): boolean {
    return this.#queued.term === term && this.#queued.votedFor === votedFor;
  }

  /**
   * The job for what one step did, if that is anything durable. A newer commit index alone is no
   * reason to write, and goes along with what is.
   */
  next(
    outbox: Outbox,
    hardState: HardState,
    log: RaftLog,
    isCommitting: boolean,
  ): CoreStoreJob | undefined {
    const { commit } = this.#queued;
    const isVote = !isSameVote(hardState, this.#queued);
    if (!isVote && !outbox.hasStoreWork) return undefined;
    const isChanged = isVote || hardState.commit !== commit;
    this.#queued = hardState;
    this.#seq += 1n;
    const { lastIndex, lastTerm } = log;
    const votedTerm = isVote ? hardState.term : undefined;
    const { truncateFrom, entries, configurations, installSnapshot } = outbox;
    const isDecisive = isCommitting && entries.length > 0;
    const effect = { lastIndex, lastTerm, votedTerm, isCommitting: isDecisive };
    this.#outstanding.push({ seq: this.#seq, ...effect });
    return {
      seq: this.#seq,
      truncateFrom,
      entries,
      configurations,
      hardState: isChanged ? hardState : undefined,
      commitOnPersist: isDecisive ? lastIndex : undefined,
      installSnapshot,
    };
  }

  /** Takes the jobs up to `seq`, oldest first: they are durable. */
  persisted(seq: bigint): readonly PersistedJob[] {
    const kept = this.#outstanding.findIndex((job) => job.seq > seq);
    const count = kept < 0 ? this.#outstanding.length : kept;
    assert(seq <= this.#seq, 'only jobs that were given out become durable');
    return this.#outstanding.splice(0, count);
  }
}
