import { RaftError } from '../errors.ts';
import type { Configuration } from '../raft/configuration.ts';
import { isSameMember, type MemberId, memberKey } from '../raft/member-id.ts';
import { majorityOf } from '../raft/quorum.ts';
import type { ProposalQueue } from './proposal-queue.ts';
import type { RetentionPolicy } from './raft-node-options.ts';

/**
 * Whether the leader may take commands: not while its log holds more than it may, and not while
 * its disk, or the disks of so many voters that the rest is no quorum, are nearly full.
 */
export class LogAdmission {
  readonly #retainedBytesMax: number;
  readonly #waitTicks: number;
  readonly #lowPeers = new Set<string>();
  /** Free space of this node as text while there is too little of it. */
  lowSpace: string | undefined;
  #now = 0;

  constructor(policy: RetentionPolicy) {
    this.#retainedBytesMax = policy.retainedBytesMax;
    this.#waitTicks = policy.admissionTicks;
  }

  /** Ticks since the start. */
  get now(): number {
    return this.#now;
  }

  tick(): void {
    this.#now += 1;
  }

  peerIsLow(peer: MemberId, isLow: boolean): void {
    if (isLow) this.#lowPeers.add(memberKey(peer));
    else this.#lowPeers.delete(memberKey(peer));
  }

  isLogFull(retainedBytes: number): boolean {
    return retainedBytes > this.#retainedBytesMax;
  }

  /** Refuses commands that have waited too long for the log to shrink; returns whether there were any. */
  expire(queue: ProposalQueue, retainedBytes: number): boolean {
    if (!this.isLogFull(retainedBytes)) return false;
    const late = queue.takeOlder(this.#now - this.#waitTicks);
    const details = { retainedBytes, retainedBytesMax: this.#retainedBytesMax };
    queue.reject(late, new RaftError('RAFT_LOG_FULL', details));
    return late.length > 0;
  }

  /** Why commands are refused, if they are, by the leader `self`. */
  refusal(configuration: Configuration | undefined, self: MemberId): RaftError | undefined {
    if (this.lowSpace !== undefined) return new RaftError('RAFT_DISK_LOW', { free: this.lowSpace });
    if (this.#lowPeers.size === 0 || configuration === undefined) return undefined;
    const { voters, outgoing } = configuration;
    const isEnough = [voters, outgoing].every((half) => {
      const roomy = half.filter(
        (voter) => isSameMember(voter, self) || !this.#lowPeers.has(memberKey(voter)),
      );
      return half.length === 0 || roomy.length >= majorityOf(half.length);
    });
    return isEnough ? undefined : new RaftError('RAFT_DISK_LOW', { free: undefined });
  }
}
