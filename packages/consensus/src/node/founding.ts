import type { Configuration, Member } from '../raft/configuration.ts';
import { encodeConfiguration } from '../raft/configuration-codec.ts';
import { LOG_START } from '../raft/entry.ts';
import { chainOf } from '../storage/digests.ts';
import type { LogStorage, StoreJob } from '../storage/log-storage.ts';

/** Whether the store has never belonged to a cluster. */
export function isUnfounded(storage: LogStorage): boolean {
  return (
    storage.clusterUid === undefined &&
    storage.configurations.length === 0 &&
    storage.bounds.last.index === 0n &&
    storage.hardState.term === 0n
  );
}

/**
 * The job that makes an empty store a cluster of one voter. Its first entry says so; it is of term
 * 1, for which the founder has voted. The cluster begins at the founder's newest feature level.
 */
export function foundingJob(founder: Member, clusterUid: string): StoreJob {
  const configuration: Configuration = {
    clusterUid,
    level: founder.levels.newest,
    voters: [founder],
    outgoing: [],
    learners: [],
  };
  const entry = {
    index: 1n,
    term: 1n,
    kind: 'configuration' as const,
    payload: encodeConfiguration(configuration),
  };
  const { nodeId, storeId } = founder;
  return {
    clusterUid,
    entries: [{ ...entry, chain: chainOf(LOG_START.chain, entry) }],
    configurations: [{ index: 1n, configuration }],
    hardState: { term: 1n, votedFor: { nodeId, storeId }, commit: 0n },
    writes: [],
  };
}
