import { assert } from '../assert.ts';
import type { Entry, EntryKind } from './entry.ts';
import { type HardState, isSameHardState } from './hard-state.ts';
import { isSameMember, type MemberId } from './member-id.ts';
import type { CoreStoreJob, ProposalOutcome, ReadState, Ready, Role, SoftState } from './ready.ts';

/** What the core needs to know of the stored state when it is constructed. */
export interface RawRaftState {
  readonly hardState: HardState;
  /** Index and term of the newest stored entry; both 0 for an empty log. */
  readonly lastIndex: bigint;
  readonly lastTerm: bigint;
  /** Index of the newest entry whose effects are durable. */
  readonly applied: bigint;
}

interface OutstandingJob {
  readonly seq: bigint;
  readonly lastIndex: bigint;
  readonly lastTerm: bigint;
}

const NO_PAYLOAD = new Uint8Array(0);

/**
 * The protocol of a cluster with exactly one voter, this member, as a synchronous state machine.
 * It reads no clock, no randomness and no storage: inputs are method calls, and everything to be
 * done comes out of {@link RawRaft.ready}.
 *
 * The caller's duties, in this order:
 * 1. call `ready` after inputs, and write `storeJob` as one durable unit, in order of `seq`;
 * 2. report it with `persisted`, or report `storeFailed` and write nothing more;
 * 3. apply entries up to `commit` in order and report `appliedTo`.
 */
export class RawRaft {
  readonly #self: MemberId;
  #term: bigint;
  #votedFor: MemberId | undefined;
  #commit: bigint;
  #applied: bigint;
  #lastIndex: bigint;
  #lastTerm: bigint;
  #role: Role = 'follower';
  #leader: MemberId | undefined;
  #condition: 'running' | 'storeFailed' | 'stopped' = 'running';
  #seq = 0n;
  /** Job whose durability makes the vote of the present candidacy count. */
  #voteSeq: bigint | undefined;
  /** Index of the empty entry that began the present leadership. */
  #ownTermIndex: bigint | undefined;
  #unstable: Entry[] = [];
  readonly #outstanding: OutstandingJob[] = [];
  #hardStateHandedOut: HardState;
  #softStateHandedOut: SoftState;
  #waitingReads: bigint[] = [];
  #readStates: ReadState[] = [];
  #readsRejected: bigint[] = [];

  constructor(self: MemberId, state: RawRaftState) {
    assert(state.applied <= state.lastIndex, 'applied entries are in the log or compacted from it');
    assert(state.lastTerm <= state.hardState.term, 'no entry is newer than the term');
    assert(state.hardState.commit <= state.lastIndex, 'committed entries are in the log');
    this.#self = self;
    this.#term = state.hardState.term;
    this.#votedFor = state.hardState.votedFor;
    this.#commit = max(state.hardState.commit, state.applied);
    this.#applied = state.applied;
    this.#lastIndex = state.lastIndex;
    this.#lastTerm = state.lastTerm;
    this.#hardStateHandedOut = state.hardState;
    this.#softStateHandedOut = this.softState;
  }

  /** Role, term and leader as of now. */
  get softState(): SoftState {
    return { role: this.#role, term: this.#term, leader: this.#leader };
  }

  /** Newest index known to be committed. */
  get commit(): bigint {
    return this.#commit;
  }

  /** Newest index reported as applied. */
  get applied(): bigint {
    return this.#applied;
  }

  /** Newest index in the log, durable or not. */
  get lastIndex(): bigint {
    return this.#lastIndex;
  }

  /** Whether the next {@link ready} would contain anything to do. */
  get hasReady(): boolean {
    return (
      this.#isStoreJobDue() ||
      this.#readStates.length > 0 ||
      this.#readsRejected.length > 0 ||
      !isSameSoftState(this.softState, this.#softStateHandedOut)
    );
  }

  /**
   * Starts an election: a new term with the own vote. The vote counts, and so leadership begins,
   * only when the job that stores it is persisted; otherwise a crash could let this member lead
   * one term twice with different entries. Does nothing for a leader, a candidate or a stopped
   * member.
   */
  campaign(): void {
    if (this.#condition !== 'running' || this.#role !== 'follower') return;
    this.#role = 'candidate';
    this.#leader = undefined;
    this.#term += 1n;
    this.#votedFor = this.#self;
    this.#voteSeq = this.#seq + 1n;
  }

  /** Appends a command to the log when this member leads. `payload` is not copied. */
  propose(payload: Uint8Array): ProposalOutcome {
    if (this.#condition !== 'running') {
      return { kind: 'dropped', reason: this.#condition, leader: this.#leader };
    }
    if (this.#role !== 'leader') {
      return { kind: 'dropped', reason: 'notLeader', leader: this.#leader };
    }
    return { kind: 'accepted', entry: this.#append('normal', payload) };
  }

  /**
   * Asks for a linearizable read. The only voter needs no round of heartbeats, but an entry of its
   * own term must be committed first; until then the read waits.
   */
  readIndex(context: bigint): void {
    if (this.#condition !== 'running' || this.#role !== 'leader') {
      this.#readsRejected.push(context);
      return;
    }
    this.#waitingReads.push(context);
    this.#releaseReads();
  }

  /** Reports that the job `seq`, and with it every job before, is durable. */
  persisted(seq: bigint): void {
    const job = this.#outstanding.shift();
    assert(job !== undefined && job.seq === seq, 'jobs become durable in their order');
    if (this.#condition === 'storeFailed') return;
    if (this.#role === 'candidate' && this.#voteSeq === seq) this.#lead();
    else if (this.#role === 'leader' && job.lastTerm === this.#term) {
      this.#commit = max(this.#commit, job.lastIndex);
      this.#releaseReads();
    }
  }

  /** Reports that the effects of all entries up to `index` are durable. */
  appliedTo(index: bigint): void {
    assert(index >= this.#applied, 'the applied index never goes back');
    assert(index <= this.#commit, 'only committed entries are applied');
    this.#applied = index;
  }

  /**
   * Reports a failed write. The member leaves leadership, and for the rest of its life neither
   * campaigns nor accepts or confirms anything.
   */
  storeFailed(): void {
    this.#halt('storeFailed');
  }

  /** Ends participation. Like {@link storeFailed}, but not a fault. */
  stop(): void {
    this.#halt('stopped');
  }

  /** Takes everything there is to do; the same work is handed out once. */
  ready(): Ready {
    const softState = this.softState;
    const previous = this.#softStateHandedOut;
    this.#softStateHandedOut = softState;
    const ready: Ready = {
      storeJob: this.#takeStoreJob(),
      commit: this.#commit,
      readStates: this.#readStates,
      readsRejected: this.#readsRejected,
      softState: isSameSoftState(softState, previous) ? undefined : softState,
    };
    this.#readStates = [];
    this.#readsRejected = [];
    return ready;
  }

  #takeStoreJob(): CoreStoreJob | undefined {
    if (!this.#isStoreJobDue()) return undefined;
    const hardState = this.#hardState();
    this.#seq += 1n;
    const entries = this.#unstable;
    this.#unstable = [];
    const isChanged = !isSameHardState(hardState, this.#hardStateHandedOut);
    this.#hardStateHandedOut = hardState;
    this.#outstanding.push({
      seq: this.#seq,
      lastIndex: this.#lastIndex,
      lastTerm: this.#lastTerm,
    });
    const isCommitting = this.#role === 'leader' && entries.length > 0;
    return {
      seq: this.#seq,
      hardState: isChanged ? hardState : undefined,
      entries,
      commitOnPersist: isCommitting ? this.#lastIndex : undefined,
    };
  }

  /** A commit index alone never causes a write. */
  #isStoreJobDue(): boolean {
    if (this.#condition !== 'running') return false;
    if (this.#unstable.length > 0) return true;
    const { commit } = this.#hardStateHandedOut;
    return !isSameHardState({ ...this.#hardState(), commit }, this.#hardStateHandedOut);
  }

  #hardState(): HardState {
    return { term: this.#term, votedFor: this.#votedFor, commit: this.#commit };
  }

  #lead(): void {
    this.#role = 'leader';
    this.#leader = this.#self;
    this.#voteSeq = undefined;
    this.#ownTermIndex = this.#append('empty', NO_PAYLOAD).index;
  }

  #append(kind: EntryKind, payload: Uint8Array): Entry {
    const entry: Entry = { index: this.#lastIndex + 1n, term: this.#term, kind, payload };
    this.#unstable.push(entry);
    this.#lastIndex = entry.index;
    this.#lastTerm = entry.term;
    return entry;
  }

  #releaseReads(): void {
    if (this.#waitingReads.length === 0 || !this.#hasCommittedOwnTerm()) return;
    const index = this.#commit;
    this.#readStates.push(...this.#waitingReads.map((context) => ({ context, index })));
    this.#waitingReads = [];
  }

  #hasCommittedOwnTerm(): boolean {
    return this.#ownTermIndex !== undefined && this.#commit >= this.#ownTermIndex;
  }

  #halt(condition: 'storeFailed' | 'stopped'): void {
    if (this.#condition !== 'running') return;
    this.#condition = condition;
    this.#role = 'follower';
    this.#leader = undefined;
    this.#unstable = [];
    this.#readsRejected.push(...this.#waitingReads);
    this.#waitingReads = [];
  }
}

function isSameSoftState(left: SoftState, right: SoftState): boolean {
  if (left.role !== right.role || left.term !== right.term) return false;
  if (left.leader === undefined || right.leader === undefined) return left.leader === right.leader;
  return isSameMember(left.leader, right.leader);
}

function max(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}
