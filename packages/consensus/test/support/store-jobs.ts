import type { Configuration } from '../../src/raft/configuration.ts';
import { encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import { type Entry, ZERO_CHAIN } from '../../src/raft/entry.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import type { HardState } from '../../src/raft/hard-state.ts';
import { chainOf } from '../../src/storage/digests.ts';
import type { AppliedPosition, StoreJob } from '../../src/storage/log-storage.ts';

/** Chain values of the entries of {@link entry}, by payload and term of each in order. */
const chains = new Map<string, Uint8Array>([['0', ZERO_CHAIN]]);

/** An entry of a log in which entry `i` has the payload `payload i` and, up to here, one term. */
export function entry(index: number, term = 1, payload = `payload ${index}`): Entry {
  return entryBehind(index === 1 ? ZERO_CHAIN : chainAt(index - 1), index, term, payload);
}

/** An entry behind one with this chain value. */
export function entryBehind(
  previous: Uint8Array,
  index: number,
  term = 1,
  payload = `payload ${index}`,
): Entry {
  const fields = {
    index: BigInt(index),
    term: BigInt(term),
    kind: 'normal' as const,
    payload: new TextEncoder().encode(payload),
  };
  return { ...fields, chain: chainOf(previous, fields) };
}

/** Chain value at the end of a log of plain entries of term 1. */
export function chainAt(index: number): Uint8Array {
  const known = chains.get(String(index));
  if (known !== undefined) return known;
  let chain = ZERO_CHAIN;
  for (let i = 1; i <= index; i += 1) {
    chain = chains.get(String(i)) ?? entryBehind(chain, i).chain;
    chains.set(String(i), chain);
  }
  return chain;
}

/** Entries that follow each other; those before are plain entries of term 1. */
export function entries(from: number, through: number, term = 1): Entry[] {
  return entriesBehind(chainAt(from - 1), from, through, term);
}

/** Entries that follow each other behind one with this chain value. */
export function entriesBehind(
  previous: Uint8Array,
  from: number,
  through: number,
  term = 1,
): Entry[] {
  let chain = previous;
  return Array.from({ length: Math.max(0, through - from + 1) }, (_, i) => {
    const made = entryBehind(chain, from + i, term);
    chain = made.chain;
    return made;
  });
}

export const CLUSTER_UID = 'c0'.repeat(16);

/** A configuration with these nodes as voters. */
export function configuration(...nodeIds: readonly string[]): Configuration {
  const voters = nodeIds.map((nodeId) => ({
    nodeId,
    storeId: 'aa'.repeat(16),
    incarnation: 1n,
    endpoint: `${nodeId}:1`,
    levels: FIRST_LEVELS,
  }));
  return { clusterUid: CLUSTER_UID, level: 1, voters, outgoing: [], learners: [] };
}

/** An entry that introduces a configuration. */
export function configurationEntry(
  previous: Uint8Array,
  index: number,
  introduced: Configuration,
  term = 1,
): Entry {
  const fields = {
    index: BigInt(index),
    term: BigInt(term),
    kind: 'configuration' as const,
    payload: encodeConfiguration(introduced),
  };
  return { ...fields, chain: chainOf(previous, fields) };
}

export function applied(index: number, term = 1, revision = index): AppliedPosition {
  return { index: BigInt(index), term: BigInt(term), revision: BigInt(revision) };
}

export function job(parts: Partial<StoreJob>): StoreJob {
  return { entries: [], writes: [], ...parts };
}

export function vote(term: number, commit = 0): HardState {
  const votedFor = { nodeId: 'n1', storeId: '00'.repeat(16) };
  return { term: BigInt(term), votedFor, commit: BigInt(commit) };
}

/** A job that stores and applies `count` entries from `from` on, each putting one record. */
export function applyingJob(from: number, count: number): StoreJob {
  const last = from + count - 1;
  return job({
    hardState: from === 1 ? vote(1) : undefined,
    entries: entries(from, last),
    applied: applied(last),
    writes: entries(from, last).map(({ index, payload }) => ({
      key: new TextEncoder().encode(`k${index % 7n}`),
      value: payload,
    })),
  });
}
