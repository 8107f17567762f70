import { isRaftError } from '../errors.ts';
import type { ConfigurationRecord } from '../raft/entry.ts';
import { type MemberId, memberKey } from '../raft/member-id.ts';
import type { PeerIdentity } from '../transport/transport.ts';
import { nextReconciliation, type ReconciliationStep } from './membership-reconciler.ts';
import type { RaftNodeOptions } from './raft-node-options.ts';
import type { Replica } from './replica.ts';

/** What the loop looks at and acts on. */
export interface MembershipLoopParts {
  readonly replica: Replica;
  /** Processes that are present and may be members. */
  readonly candidates: () => readonly PeerIdentity[];
  /** Whether a process of the member is connected, or is this one. */
  readonly isConnected: (member: MemberId) => boolean;
  readonly observe: NonNullable<RaftNodeOptions['observe']>;
}

/** How often the leader looks at its members. */
const INTERVAL_MS = 1_000;
/** How long one change is waited for. Afterwards it may still be committed. */
const CHANGE_TIMEOUT_MS = 10_000;
/** How many looks a node is left out after its step failed once more: doubled up to this. */
const POSTPONED_LOOKS_MAX = 64;
/** In place of an outcome when the loop ends first. */
const NOT_AWAITED = Symbol('not awaited');

/**
 * While this member leads, makes those who introduced themselves members: as learners first, as
 * voters once they have caught up. One change at a time. A change that takes too long is not
 * waited for and nothing is concluded from that: the next look sees what became of it. A node for
 * which a step failed is left out for a while, longer each time, so that it holds nobody else up.
 */
export class MembershipLoop {
  readonly #parts: MembershipLoopParts;
  readonly #failures = new Map<string, { readonly count: number; readonly look: number }>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #changing: Promise<void> | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #endWait: (() => void) | undefined;

  constructor(parts: MembershipLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#deadline);
    this.#endWait?.();
    await this.#changing;
  }

  #look(): void {
    const { replica } = this.#parts;
    const { core } = replica;
    const record = replica.configuration;
    this.#looks += 1;
    // What failed under another leadership says nothing about a candidate.
    if (core.role !== 'leader') this.#failures.clear();
    if (this.#changing !== undefined || core.role !== 'leader' || record === undefined) return;
    if (!this.#isSettled(record)) return;
    const step = nextReconciliation({
      configuration: record.configuration,
      candidates: this.#parts.candidates(),
      isCaughtUp: (member) => core.isCaughtUp(memberKey(member)),
      isPresent: (member) => this.#parts.isConnected(member) || core.isAlive(member),
      isPostponed: (nodeId) => this.#isPostponed(nodeId),
    });
    if (step === undefined) return;
    this.#changing = this.#change(step).finally(() => {
      this.#changing = undefined;
    });
  }

  #isPostponed(nodeId: string): boolean {
    const failure = this.#failures.get(nodeId);
    if (failure === undefined) return false;
    return this.#looks <= failure.look + Math.min(POSTPONED_LOOKS_MAX, 2 ** failure.count);
  }

  /** What was decided before must be applied here, or it would be decided again. */
  #isSettled(record: ConfigurationRecord): boolean {
    const { core, applied } = this.#parts.replica;
    return core.hasCommittedOwnTerm && applied.index >= record.index;
  }

  async #change(step: ReconciliationStep): Promise<void> {
    const { replica, observe } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#endWait = () => resolve(NOT_AWAITED);
    this.#deadline = setTimeout(() => {
      const seconds = CHANGE_TIMEOUT_MS / 1_000;
      reject(new Error(`timed out changing raft membership after ${seconds}s: ${step.step}`));
    }, CHANGE_TIMEOUT_MS);
    replica.changeMembers(step.changes, { resolve, reject });
    try {
      if ((await promise) === NOT_AWAITED) return;
      this.#failures.delete(step.nodeId);
      observe({ kind: 'membership', step: step.step, nodeId: step.nodeId });
    } catch (error) {
      if (replica.core.role === 'leader' && !isRaftError(error, 'RAFT_CHANGE_PENDING')) {
        const count = (this.#failures.get(step.nodeId)?.count ?? 0) + 1;
        this.#failures.set(step.nodeId, { count, look: this.#looks });
      }
      observe({ kind: 'membershipFailed', nodeId: step.nodeId, error });
    } finally {
      clearTimeout(this.#deadline);
    }
  }
}
