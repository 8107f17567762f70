import type { PeerMessage } from '../raft/message.ts';
import type { Envelope } from './replica-ports.ts';

/** What only a member says that leads or wants to, so never one without a cluster. */
const OF_LEADERS: ReadonlySet<PeerMessage['kind']> = new Set<PeerMessage['kind']>([
  'append',
  'heartbeat',
  'preVote',
  'storeLost',
  'timeoutNow',
  'vote',
]);

/** Which cluster the store belongs to: none at first, and then for ever the same. */
export class ClusterIdentity {
  #uid: string | undefined;
  #isStored: boolean;

  constructor(stored: string | undefined) {
    this.#uid = stored;
    this.#isStored = stored !== undefined;
  }

  get uid(): string | undefined {
    return this.#uid;
  }

  /** The uid while it still has to be stored. */
  get unstored(): string | undefined {
    return this.#isStored ? undefined : this.#uid;
  }

  stored(): void {
    this.#isStored = true;
  }

  /** The store holds this uid, which came with an installed snapshot. */
  installed(uid: string): void {
    this.#uid = uid;
    this.#isStored = true;
  }

  /** Whether something of the cluster `uid` may be taken in here. */
  isOf(uid: string): boolean {
    return this.#uid === undefined || this.#uid === uid;
  }

  /**
   * Whether the message comes from this cluster. A store without a cluster takes over that of the
   * first leader that addresses it. One that has not told its peers yet which it took over, or that
   * is asked for its vote before any leader came, answers without one: whoever asked it named its
   * store, so the answer is let through, but nothing else.
   */
  admits({ clusterUid, message }: Envelope): boolean {
    if (clusterUid === this.#uid) return true;
    if (clusterUid === undefined) return !OF_LEADERS.has(message.kind);
    if (this.#uid !== undefined) return false;
    if (message.kind === 'append' || message.kind === 'heartbeat') this.#uid = clusterUid;
    return true;
  }
}
