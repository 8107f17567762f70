import { RaftError } from '../errors.ts';
import { isSameMember, type MemberId } from '../raft/member-id.ts';
import type { PeerMessage } from '../raft/message.ts';
import type { Raft } from '../raft/raft.ts';
import { DivergenceWatch } from './divergence-watch.ts';
import type { ReplicaEvent } from './replica-ports.ts';

/** What the comparison of records needs of its replica. */
export interface ComparisonContext {
  readonly self: MemberId;
  readonly core: Raft;
  send(to: MemberId, message: PeerMessage): void;
  event(event: ReplicaEvent): void;
  fail(error: Error): void;
}

/**
 * Compares the records of the members at equal indexes: every member reports to the leader, who
 * tells those that differ from most; they and a leader that differs stop for good.
 */
export class StateComparison {
  readonly #context: ComparisonContext;
  readonly #watch: DivergenceWatch;

  constructor(context: ComparisonContext) {
    this.#context = context;
    this.#watch = new DivergenceWatch(context.self);
  }

  /** Whether records are compared right after the entry at `index`. */
  static isDue(index: bigint): boolean {
    return DivergenceWatch.isCompared(index);
  }

  /** The own records up to `index` are durable and have this digest. */
  applied(index: bigint, digest: string): void {
    const { core, self } = this.#context;
    const { leader } = core;
    this.#watch.own(index, digest);
    if (leader === undefined) return;
    if (isSameMember(leader, self)) this.#judge(index);
    else this.#context.send(leader, { kind: 'stateDigest', index, digest });
  }

  /** Another member reports its digest, or the leader says what that of most members is. */
  reported(from: MemberId, index: bigint, digest: string): void {
    const { core, self } = this.#context;
    const { leader } = core;
    if (leader !== undefined && isSameMember(leader, self)) {
      this.#watch.reported(from, index, digest);
      this.#judge(index);
      return;
    }
    // Whoever still takes this member for the leader reports to it, and may itself be wrong.
    if (leader === undefined || !isSameMember(leader, from)) return;
    const own = this.#watch.ownAt(index);
    if (own !== undefined && own !== digest) this.#diverged(index);
  }

  #judge(index: bigint): void {
    const { core, self } = this.#context;
    const { configuration } = core;
    if (configuration === undefined) return;
    const { differing, digest } = this.#watch.judge(index, configuration);
    for (const member of differing) {
      this.#context.event({ kind: 'stateDivergence', member, index });
      if (isSameMember(member, self)) this.#diverged(index);
      else if (digest !== undefined) {
        this.#context.send(member, { kind: 'stateDigest', index, digest });
      }
    }
  }

  #diverged(index: bigint): void {
    this.#context.fail(new RaftError('RAFT_STATE_DIVERGED', { index }));
  }
}
