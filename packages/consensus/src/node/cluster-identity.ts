import type { Envelope } from './replica-ports.ts';

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

  /**
   * Whether the message comes from this cluster, or from a process that belongs to none yet. A
   * store without a cluster takes over that of the first leader that addresses it.
   */
  admits({ clusterUid, message }: Envelope): boolean {
    if (clusterUid === this.#uid || clusterUid === undefined) return true;
    if (this.#uid !== undefined) return false;
    if (message.kind === 'append' || message.kind === 'heartbeat') this.#uid = clusterUid;
    return true;
  }
}
