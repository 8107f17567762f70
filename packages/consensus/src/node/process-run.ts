import { randomBytes } from 'node:crypto';
import { RaftError } from '../errors.ts';
import type { FeatureLevels } from '../raft/feature-levels.ts';
import type { LogStorage } from '../storage/log-storage.ts';
import type { PeerIdentity } from '../transport/transport.ts';
import { foundingJob, isUnfounded } from './founding.ts';
import { nextIncarnation } from './incarnation.ts';
import type { ClusterOptions } from './raft-node-options.ts';

/** What tells one process on a store from those before and after it. */
export interface ProcessRun {
  /** 16 random bytes as hexadecimal digits. */
  readonly epoch: string;
  /** `host:port`, empty without a cluster. */
  readonly endpoint: string;
  readonly levels: FeatureLevels;
}

/**
 * Makes durable what others are told of this process, and the cluster if this node founds it.
 * Rejects with `RAFT_ALREADY_FOUNDED` when a contact has the cluster that was to be founded.
 */
export async function storeRun(
  storage: LogStorage,
  cluster: ClusterOptions | undefined,
  { epoch, endpoint, levels }: ProcessRun,
): Promise<void> {
  const incarnation = nextIncarnation(storage, cluster?.incarnation ?? BigInt(Date.now()));
  if (!isUnfounded(storage) || !(cluster?.bootstrap ?? true)) {
    if (cluster !== undefined) await storage.write({ entries: [], writes: [], incarnation });
    return;
  }
  const { clusterId, nodeId, storeId } = storage.identity;
  const founder = { nodeId, storeId, incarnation, endpoint, levels };
  if (cluster !== undefined) {
    const own = { ...founder, clusterId, clusterUid: undefined, level: undefined, epoch };
    await refuseSecondCluster(cluster, own);
  }
  const founding = foundingJob(founder, randomBytes(16).toString('hex'));
  await storage.write({ ...founding, incarnation });
}

/** A founder whose disk was lost looks like one that begins: only the others know better. */
async function refuseSecondCluster(cluster: ClusterOptions, own: PeerIdentity): Promise<void> {
  const { transport, contacts = [] } = cluster;
  const others = contacts.filter((it) => it !== own.endpoint);
  const problems = await Promise.all(
    others.map(async (endpoint) => {
      const answer = await transport.ask(endpoint, own);
      if (answer.kind === 'refused') return { endpoint, problem: answer.reason };
      if (answer.kind === 'silent' || answer.peer.clusterUid === undefined) return undefined;
      const { nodeId, clusterId } = answer.peer;
      return { endpoint, problem: `node '${nodeId}' is a member of cluster '${clusterId}'` };
    }),
  );
  const details = problems.find((it) => it !== undefined);
  if (details !== undefined) throw new RaftError('RAFT_ALREADY_FOUNDED', details);
}
