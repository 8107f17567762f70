// Acknowledged commands of 256 bytes through clusters of one and of three processes on loopback and
// one disk, every write synced, beside etcd on the same disk in the same run: a closed loop of 1, 16,
// 128 and 1,024 clients over one connection to the leader. The two sides take turns; figures are
// medians of the rounds. Also: what three cores agree on in memory, and what an idle cluster costs.
// BENCH_ROUNDS, BENCH_SECONDS, BENCH_NODES (1,3) and BENCH_CLIENTS (1,16,…) shorten it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { startEtcd } from './etcd-cluster.mjs';
import { startNervix } from './nervix-cluster.mjs';
import { residentMb, usageDuring } from './process-usage.mjs';

const numbers = (text) => text.split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const nodeCounts = numbers(process.env.BENCH_NODES ?? '1,3');
const clientCounts = numbers(process.env.BENCH_CLIENTS ?? '1,16,128,1024');
const VALUE_BYTES = 256;
const warmUpSeconds = Math.min(3, seconds);
/** What the rate is to be in units of etcd's, by nodes and clients. */
const GOALS = {
  1: { 1: 1, 16: 1.8, 128: 2.5, 1024: 2.5 },
  3: { 1: 1.2, 16: 2, 128: 3, 1024: 3 },
};
const CORE_GOAL = 100_000;
const IDLE_GOAL_PERCENT = 2;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value, digits) => Number(value.toFixed(digits));
const spread = (values, digits) =>
  `${rounded(Math.min(...values), digits)}..${rounded(Math.max(...values), digits)}`;

function figure({ bench, unit, digits, peer, goal, values, peerValues, isLessBetter = false }) {
  const value = rounded(median(values), digits);
  const peerValue = rounded(median(peerValues), digits);
  const ratio = rounded(median(values.map((it, round) => it / peerValues[round])), 3);
  const holds = isLessBetter ? ratio <= goal : ratio >= goal;
  return { bench, value, unit, peer, peer_value: peerValue, ratio, goal, holds };
}

/** One side under one load, with what it and everything else used meanwhile. */
async function measure(cluster, clients) {
  const {
    result,
    used,
    others,
    seconds: took,
  } = await usageDuring(cluster.pids, () => cluster.load(clients, seconds, VALUE_BYTES));
  const rss = cluster.pids.map((pid) => residentMb(pid).now);
  return {
    ...result,
    cpuMicros: (used * 1e6) / result.count,
    othersShare: others / (took * cpus().length),
    rssMb: Math.max(...rss),
  };
}

function describe(name, runs) {
  const of = (field, digits) =>
    spread(
      runs.map((run) => run[field]),
      digits,
    );
  const cpu = rounded(median(runs.map(({ cpuMicros }) => cpuMicros)), 0);
  const others = rounded(100 * median(runs.map(({ othersShare }) => othersShare)), 0);
  const rss = rounded(median(runs.map(({ rssMb }) => rssMb)), 0);
  return (
    `  ${name}: ${of('rate', 0)}/s, p50 ${of('p50', 2)} ms, p99 ${of('p99', 2)} ms; ` +
    `${cpu} us of CPU a command, ${rss} MB a node; client and other processes ${others} % of the machine`
  );
}

async function compare(clusters, nodes, clients) {
  const runs = new Map(clusters.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const cluster of clusters) runs.get(cluster.name).push(await measure(cluster, clients));
  }
  const [ours, theirs] = [runs.get('nervix'), runs.get('etcd')];
  console.log(`${nodes} nodes, ${clients} clients, ${rounds} rounds of ${seconds} s`);
  console.log(describe('nervix', ours));
  console.log(describe('etcd', theirs));
  const name = `consensus.put256.${nodes}-nodes.${clients}-clients`;
  const of = (list, field) => list.map((run) => run[field]);
  return [
    figure({
      ...{ bench: name, unit: 'commands/s', digits: 0, peer: 'etcd 3.4' },
      ...{ goal: GOALS[nodes]?.[clients] ?? 1 },
      ...{ values: of(ours, 'rate'), peerValues: of(theirs, 'rate') },
    }),
    figure({
      ...{ bench: `${name}.p99`, unit: 'ms', digits: 2, peer: 'etcd 3.4', goal: 1 },
      ...{ values: of(ours, 'p99'), peerValues: of(theirs, 'p99'), isLessBetter: true },
    }),
  ];
}

/** Percent of one processor that a node uses while nobody asks for anything. */
async function idlePercent({ pids }) {
  const idleSeconds = 2 * seconds;
  const pause = () => new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const { used } = await usageDuring(pids, pause);
  return (100 * used) / idleSeconds / pids.length;
}

async function compareClusters(nodes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
  const clusters = [];
  try {
    clusters.push(await startNervix(folder, nodes));
    clusters.push(await startEtcd(folder, nodes));
    // Both have to have their code and files in place.
    for (const cluster of clusters) await cluster.load(128, warmUpSeconds, VALUE_BYTES);
    const figures = [];
    for (const clients of clientCounts) {
      figures.push(...(await compare(clusters, nodes, clients)));
    }
    const [ours, theirs] = [await idlePercent(clusters[0]), await idlePercent(clusters[1])];
    console.log(`${nodes} nodes, idle: ${rounded(ours, 2)} % of a processor a node`);
    const value = Math.max(rounded(ours, 2), 0.01);
    const peerValue = Math.max(rounded(theirs, 2), 0.01);
    figures.push({
      ...{ bench: `consensus.idle-cpu.${nodes}-nodes`, value, unit: '%', peer: 'etcd 3.4' },
      ...{ peer_value: peerValue, ratio: rounded(value / peerValue, 3) },
      ...{ goal: IDLE_GOAL_PERCENT, holds: value <= IDLE_GOAL_PERCENT },
    });
    return figures;
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Entries a second of three cores on one thread, with commands proposed one by one and together. */
function coreFigures() {
  const script = path.join(import.meta.dirname, 'core-throughput.mjs');
  const run = (group) => {
    const args = [script, `${seconds}`, `${group}`];
    const { stdout, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`the cores ended with ${status}`);
    return Number(stdout);
  };
  const single = Array.from({ length: rounds }, () => run(1));
  const grouped = Array.from({ length: rounds }, () => run(16));
  console.log(`core, one by one: ${spread(single, 0)}/s; 16 together: ${spread(grouped, 0)}/s`);
  const value = median(single);
  const peerValue = median(grouped);
  return {
    ...{ bench: 'consensus.core', value, unit: 'entries/s', peer: '16 proposed together' },
    ...{ peer_value: peerValue, ratio: rounded(value / peerValue, 3) },
    ...{ goal: CORE_GOAL, holds: value >= CORE_GOAL },
  };
}

const { model } = cpus()[0];
console.log(`${cpus().length} processors, ${model}; load before: ${loadavg()[0].toFixed(2)}`);
const figures = [coreFigures()];
for (const nodes of nodeCounts) figures.push(...(await compareClusters(nodes)));
for (const line of figures) console.log(JSON.stringify(line));
