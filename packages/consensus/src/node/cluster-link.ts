import { isRaftError, RaftError } from '../errors.ts';
import type { Configuration, MemberChange } from '../raft/configuration.ts';
import {
  activationProblem,
  type FeatureLevels,
  supportsLevel,
  unsupportedLevel,
} from '../raft/feature-levels.ts';
import { isSameMember, type MemberId, memberKey } from '../raft/member-id.ts';
import { membersOf } from '../raft/membership.ts';
import type { PeerMessage } from '../raft/message.ts';
import type { LogStorage, SnapshotManifest, SnapshotReceipt } from '../storage/log-storage.ts';
import type {
  PeerIdentity,
  SnapshotSink,
  TransportPeer,
  TransportReceiver,
} from '../transport/transport.ts';
import { callSafely } from './change-feed.ts';
import { MembershipLoop } from './membership-loop.ts';
import type { ClusterOptions, RaftNodeOptions } from './raft-node-options.ts';
import type { Replica } from './replica.ts';
import type { StoreTurns } from './store-turns.ts';

/** What the link is made of. */
export interface ClusterLinkParts {
  readonly cluster: ClusterOptions;
  readonly storage: LogStorage;
  readonly epoch: string;
  /** Feature levels that this release supports. */
  readonly levels: FeatureLevels;
  readonly turns: StoreTurns;
  readonly observe: NonNullable<RaftNodeOptions['observe']>;
}

/** How long a process that introduced itself counts as present after it was last seen. */
const CANDIDATE_MS = 10_000;

interface Candidate {
  readonly peer: PeerIdentity;
  readonly seenAt: number;
}

/** Joins a replica to the transport: messages, snapshots, and who introduced themselves. */
export class ClusterLink {
  readonly #parts: ClusterLinkParts;
  readonly #candidates = new Map<string, Candidate>();
  #replica: Replica | undefined;
  #membership: MembershipLoop | undefined;
  /** The one that the transport's peers are of. */
  #configuration: Configuration | undefined;
  #peers = '';
  /** Newest generation of which a section could not be read whole. */
  #damaged: bigint | undefined;

  constructor(parts: ClusterLinkParts) {
    this.#parts = parts;
  }

  start(replica: Replica): void {
    const { cluster, observe } = this.#parts;
    this.#replica = replica;
    cluster.transport.start(() => this.identity, this.#receiver(replica));
    cluster.transport.setContacts(cluster.contacts ?? []);
    this.membersChanged(replica);
    this.#membership = new MembershipLoop({
      replica,
      observe,
      candidates: () => this.#present(),
      isConnected: (member) => this.#isConnected(member),
    });
    this.#membership.start();
  }

  /** What this process tells the others of itself. */
  get identity(): PeerIdentity {
    const { storage, epoch, levels, cluster } = this.#parts;
    const { clusterId, nodeId, storeId } = storage.identity;
    const clusterUid = this.#replica?.clusterUid ?? storage.clusterUid;
    const { endpoint } = cluster.transport;
    return {
      clusterId,
      clusterUid,
      nodeId,
      storeId,
      epoch,
      endpoint,
      incarnation: storage.incarnation,
      levels,
      level: clusterUid === undefined ? undefined : storage.level,
    };
  }

  /** A transport that throws has a defect, but none that may leave a step of the replica half done. */
  send(to: MemberId, message: PeerMessage): void {
    callSafely(() => this.#parts.cluster.transport.send(to, message));
  }

  /** Sends the snapshot if it is still there, and tells the replica how it went. */
  async sendSnapshot(to: MemberId, term: bigint, generation: bigint): Promise<void> {
    const isTaken = await this.#transfer(to, term, generation);
    this.#replica?.snapshotSent(to, isTaken, this.#damaged);
  }

  /** Keeps the transport's peers in step with the members. */
  membersChanged(replica: Replica): void {
    const record = replica.configuration;
    // Asked after every write, while a configuration stays in force for long.
    if (record === undefined || record.configuration === this.#configuration) return;
    this.#configuration = record.configuration;
    const { voters, outgoing, learners } = record.configuration;
    const peers = new Map<string, TransportPeer>();
    const { nodeId, storeId } = this.#parts.storage.identity;
    for (const member of [...outgoing, ...voters, ...learners]) {
      if (member.nodeId !== nodeId || member.storeId !== storeId) {
        peers.set(memberKey(member), member);
      }
    }
    const names = JSON.stringify([...peers.values()].map((it) => [it.storeId, it.endpoint]));
    if (names === this.#peers) return;
    this.#peers = names;
    this.#parts.cluster.transport.setPeers([...peers.values()]);
    // A member reaches the others by itself.
    this.#parts.cluster.transport.setContacts([]);
  }

  /** Why a level of these changes cannot be activated yet: a member that stays runs without it. */
  levelProblem(changes: readonly MemberChange[]): string | undefined {
    const members = this.#configuration === undefined ? [] : membersOf(this.#configuration);
    const staying = members.filter((member) => !isRemoved(member, changes));
    const connected = this.#parts.cluster.transport
      .connectedPeers()
      .filter((it) => staying.some((member) => isSameMember(member, it)));
    for (const change of changes) {
      if (change.kind !== 'activate') continue;
      const unfit = connected.find(({ levels }) => !supportsLevel(levels, change.level));
      if (unfit !== undefined) return activationProblem(change.level, unfit);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#membership?.stop();
    await this.#parts.cluster.transport.close();
  }

  async #transfer(to: MemberId, term: bigint, generation: bigint): Promise<boolean> {
    const { storage, cluster } = this.#parts;
    const manifest = storage.snapshot;
    if (manifest?.generation !== generation || generation === this.#damaged) return false;
    const unpin = storage.pinSnapshot(generation);
    try {
      return await cluster.transport.sendSnapshot(to, {
        term,
        manifest,
        section: (section) => this.#section(generation, section),
      });
    } catch {
      // The transfer failed; the core decides when to begin another one.
      return false;
    } finally {
      unpin();
    }
  }

  async #section(generation: bigint, section: number): Promise<Uint8Array> {
    try {
      return await this.#parts.storage.snapshotSection(generation, section);
    } catch (error) {
      if (isRaftError(error, 'RAFT_STORAGE_CORRUPT')) this.#damaged = generation;
      throw error;
    }
  }

  #present(): readonly PeerIdentity[] {
    const { admits } = this.#parts.cluster;
    const connected = this.#parts.cluster.transport.connectedPeers();
    const now = performance.now();
    for (const peer of connected) this.#candidates.set(memberKey(peer), { peer, seenAt: now });
    const present: PeerIdentity[] = [];
    for (const [key, { peer, seenAt }] of this.#candidates) {
      if (now - seenAt > CANDIDATE_MS) this.#candidates.delete(key);
      else if (admits?.(peer) ?? true) present.push(peer);
    }
    return [...present, this.identity];
  }

  #isConnected(member: MemberId): boolean {
    const connected = [...this.#parts.cluster.transport.connectedPeers(), this.identity];
    return connected.some((it) => isSameMember(it, member));
  }

  #receiver(replica: Replica): TransportReceiver {
    const { nodeId, storeId } = this.#parts.storage.identity;
    const self: MemberId = { nodeId, storeId };
    const { observe } = this.#parts;
    return {
      message: (from, message, clusterUid) => {
        replica.receive({ from, to: self, clusterUid, message });
      },
      unreachable: (peer) => replica.peerUnreachable(peer),
      connected: (peer) => observe({ kind: 'connected', peer }),
      refused: (peer, reason) => observe({ kind: 'refused', peer, reason }),
      snapshot: (from, term, manifest) => this.#beginSnapshot(replica, from, term, manifest),
    };
  }

  /** `undefined` when the store cannot take it; what another member says must not end this one. */
  #beginReceipt(
    from: MemberId,
    term: bigint,
    manifest: SnapshotManifest,
  ): SnapshotReceipt | undefined {
    const { turns, observe, storage, levels } = this.#parts;
    const { level } = manifest.configuration;
    const { nodeId } = storage.identity;
    try {
      if (!supportsLevel(levels, level)) {
        throw new RaftError('RAFT_SNAPSHOT_INVALID', {
          problem: unsupportedLevel({ nodeId, levels }, level),
        });
      }
      if (manifest.term <= term) return turns.beginReceipt(manifest);
      throw new RaftError('RAFT_SNAPSHOT_INVALID', { problem: 'it is newer than its sender' });
    } catch (error) {
      if (!(error instanceof RaftError)) throw error;
      if (error.code === 'RAFT_SNAPSHOT_INVALID') {
        observe({ kind: 'refused', peer: from, reason: error.message });
      }
      return undefined;
    }
  }

  #beginSnapshot(
    replica: Replica,
    from: MemberId,
    term: bigint,
    manifest: SnapshotManifest,
  ): SnapshotSink | undefined {
    const isUseful = manifest.index > replica.core.commit && term >= replica.core.term;
    // The leader learns from the answer that this member is further than the snapshot.
    if (!isUseful && !replica.isInstalling) replica.snapshotArrived(from, term, manifest);
    if (!isUseful || replica.isInstalling || replica.failure !== undefined) return undefined;
    const { turns } = this.#parts;
    const receipt = this.#beginReceipt(from, term, manifest);
    if (receipt === undefined) return undefined;
    return {
      section: (bytes) => {
        if (replica.isInstalling) return Promise.reject(new Error('another one is installed'));
        const stored = turns.queueSection(receipt, bytes);
        replica.sectionArrived();
        return stored;
      },
      finish: async () => {
        if (turns.isCurrent(receipt)) replica.snapshotArrived(from, term, manifest);
        // Another leader, or a commit index that has passed it: nobody else would give it up.
        if (!replica.isInstalling) turns.abandon(receipt);
      },
      abandon: () => turns.abandon(receipt),
    };
  }
}

/** Whether a member is none any more after these changes; one that is added again stays. */
function isRemoved(member: MemberId, changes: readonly MemberChange[]): boolean {
  const last = changes.findLast(
    (change) => change.kind !== 'activate' && isSameMember(change.member, member),
  );
  return last?.kind === 'remove';
}
