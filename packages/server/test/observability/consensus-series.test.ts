import { MemoryDisk, MemoryLogStorage } from '@nervix/consensus';
import { describe, expect, onTestFinished, test } from 'vitest';
import { metricsText, samplesText } from '../../src/control-plane/reads/metrics-text.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { ConsensusCounts } from '../../src/observability/consensus-counts.ts';
import { ConsensusRecords } from '../../src/observability/consensus-records.ts';
import { ReplicatedLog } from '../../src/replicated-state/replicated-log.ts';
import { parsePrometheusText } from '../support/prometheus-text.ts';

type Event = Parameters<ConsensusCounts['observe']>[0];

const member = { nodeId: 'n2', storeId: 'ab'.repeat(16) };
const leaderEvent = (nodeId: string | undefined, term: bigint): Event => ({
  kind: 'softState',
  softState: {
    role: 'follower',
    term,
    leader: nodeId === undefined ? undefined : { ...member, nodeId },
  },
});

/** Value of a series without labels, or with these. */
function seriesOf(text: string, name: string, labels: Record<string, string> = {}) {
  const samples = [...parsePrometheusText(text).values()].flatMap((family) => family.samples);
  const wanted = Object.entries(labels);
  return samples.find(
    (sample) =>
      sample.name === name && wanted.every(([key, value]) => sample.labels.get(key) === value),
  )?.value;
}

async function openLog() {
  const counts = new ConsensusCounts();
  const storage = await MemoryLogStorage.open({
    disk: new MemoryDisk(),
    clusterId: 'c',
    nodeId: 'n1',
  });
  const log = await ReplicatedLog.open(
    { storage, observe: (event) => counts.observe(event) },
    counts,
  );
  onTestFinished(() => log.close());
  return { log, counts };
}

describe('CS-190 CS-191: series of the log', () => {
  test('its positions, and -1 for what there is not', async () => {
    const { log } = await openLog();
    await log.write({ put: [{ kind: 'user', name: 'ada', incarnation: 'i', passwordHash: 'x' }] });
    const text = metricsText([], log.status());
    const { lastIndex, commitIndex, appliedIndex } = log.status();
    const at = (name: string, labels = {}) => seriesOf(text, `nervix_consensus_${name}`, labels);
    expect(at('log_last_index')).toBe(Number(lastIndex));
    expect(at('commit_index')).toBe(Number(commitIndex));
    expect(at('applied_index')).toBe(Number(appliedIndex));
    expect([at('log_snapshot_index'), at('log_purged_index')]).toEqual([-1, -1]);
    expect(at('log_retained_bytes')).toBeGreaterThan(0);
    expect([at('term'), at('role'), at('store_failed'), at('inflight_batches')]).toEqual([
      Number(log.status().term),
      3,
      0,
      0,
    ]);
    expect(at('feature_level', { kind: 'activated' })).toBe(1);
    expect(at('feature_level', { kind: 'supported' })).toBe(1);
  });

  test('what became of commands and reads, and what each batch took', async () => {
    const { log, counts } = await openLog();
    await log.write({ put: [{ kind: 'user', name: 'ada', incarnation: 'i', passwordHash: 'x' }] });
    await log.read();
    await log.close();
    await expect(log.write({})).rejects.toMatchObject({ code: 'RAFT_CLOSED' });
    await expect(log.read()).rejects.toMatchObject({ code: 'RAFT_CLOSED' });
    const text = samplesText(counts.samples());
    const at = (name: string, labels = {}) => seriesOf(text, `nervix_consensus_${name}`, labels);
    expect(at('proposals_total', { outcome: 'done' })).toBe(1);
    expect(at('proposals_total', { outcome: 'refused' })).toBe(1);
    expect(at('proposals_total', { outcome: 'unknown' })).toBe(0);
    expect(at('read_index_total', { outcome: 'done' })).toBe(1);
    expect(at('read_index_total', { outcome: 'refused' })).toBe(1);
    expect(at('elections_total', { result: 'won' })).toBe(1);
    expect(at('leader_changes_total')).toBe(1);
    expect(at('fsync_seconds_count')).toBeGreaterThan(0);
    expect(at('fsync_seconds_bucket', { le: '+Inf' })).toBe(at('fsync_seconds_count'));
    expect(at('batch_operations_sum')).toBeGreaterThan(0);
    expect(at('batch_bytes_sum')).toBeGreaterThan(0);
    expect(at('disk_free_bytes')).toBe(-1);
  });

  test('what goes wrong, each under a label of few values', () => {
    const counts = new ConsensusCounts();
    const events: readonly Event[] = [
      { kind: 'stalled', lostTicks: 5 },
      { kind: 'stalled', lostTicks: 2 },
      { kind: 'stateDivergence', member, index: 1_000n },
      { kind: 'campaignFailed', phase: 'preVote', term: 2n, reason: '' },
      { kind: 'campaignFailed', phase: 'vote', term: 2n, reason: '' },
      { kind: 'diskSpace', freeBytes: 77, isLow: true },
      leaderEvent('n1', 1n),
      leaderEvent(undefined, 2n),
      leaderEvent('n1', 2n),
      leaderEvent('n2', 3n),
    ];
    for (const event of events) counts.observe(event);
    const text = samplesText(counts.samples());
    const at = (name: string, labels = {}) => seriesOf(text, `nervix_consensus_${name}`, labels);
    expect(at('tick_stall_total')).toBe(7);
    expect(at('state_divergence_total')).toBe(1);
    expect(at('elections_total', { result: 'lost' })).toBe(1);
    expect(at('disk_free_bytes')).toBe(77);
    expect(at('leader_changes_total')).toBe(2);
    const labels = [...parsePrometheusText(text).values()]
      .flatMap(({ samples }) => samples)
      .flatMap((sample) => [...sample.labels.keys()]);
    expect(new Set(labels)).toEqual(new Set(['result', 'outcome', 'le']));
  });
});

test('CS-192: records of membership, snapshots and leaders are info, purges debug, none holds payloads', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    node: 'n',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const records = new ConsensusRecords(logger);
  const told = (event: Event): unknown => {
    lines.length = 0;
    records.observe(event);
    return lines.map(({ level, message }) => `${level} ${message}`);
  };
  expect(told({ kind: 'membership', step: 'promote voter', nodeId: 'n2' })).toEqual([
    'info raft membership updated',
  ]);
  expect(lines[0]).toMatchObject({ step: 'promote voter', member: 'n2' });
  expect(told({ kind: 'membershipFailed', nodeId: 'n2', error: new Error('late') })).toEqual([
    'warn raft membership reconciliation failed',
  ]);
  expect(told({ kind: 'snapshot', phase: 'begun' })).toEqual(['info raft snapshot']);
  expect(told({ kind: 'purged', through: 9n })).toEqual(['debug raft log purged']);
  expect(told(leaderEvent('n1', 1n))).toEqual(['info raft leader changed']);
  expect(told(leaderEvent('n1', 1n))).toEqual([]);
  expect(told(leaderEvent(undefined, 2n))).toEqual([]);
  expect(told(leaderEvent('n2', 3n))).toEqual(['info raft leader changed']);
  expect(told({ kind: 'stateDivergence', member, index: 1_000n })).toEqual([
    'error state divergence',
  ]);
  expect(told({ kind: 'memberLostEntries', member, match: 5n })).toEqual([
    "error member 'n2' lost durable log entries",
  ]);
  expect(told({ kind: 'diskSpace', freeBytes: 5, isLow: true })).toEqual([
    'warn consensus storage is low on disk space',
  ]);
  expect(told({ kind: 'write', milliseconds: 1, operations: 1, bytes: 1 })).toEqual([]);
});
