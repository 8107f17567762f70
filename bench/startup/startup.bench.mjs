// What a node costs before it does anything: time from the spawn of nervixd to its ready line, and
// resident memory after it has been idle. `node -e 0` beside it is the part that Node itself takes.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = path.join(import.meta.dirname, '..', '..');
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const idleSeconds = Number(process.env.BENCH_SECONDS ?? 5);
const START_GOAL_MS = 1_500;
const MEMORY_GOAL_MB = 120;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Resident memory of a process in MB (10^6 bytes). */
function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024) / 1e6;
}

async function readyLine(child) {
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (/^nervixd ready: /m.test(output)) return;
  }
  throw new Error(`nervixd ended before it was ready: ${output}`);
}

async function measureNode() {
  const dbPath = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
  const any = '127.0.0.1:0';
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'apps/nervixd/bin/nervixd.js'),
      ...['--db-path', dbPath, '--addr', any, '--http-listen-addr', any],
      ...['--observability-listen-addr', any],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    await readyLine(child);
    const readyMs = performance.now() - startedAt;
    await delay(idleSeconds * 1_000);
    return { readyMs, memoryMb: residentMb(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(dbPath, { recursive: true, force: true });
  }
}

/** Time of a Node process that does nothing, and the memory of one that is idle. */
async function measurePeer() {
  const startedAt = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  const ms = performance.now() - startedAt;
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'ignore' });
  const exited = new Promise((resolve) => idle.once('exit', resolve));
  await delay(500);
  const memoryMb = residentMb(idle.pid);
  idle.kill('SIGKILL');
  await exited;
  return { ms, memoryMb };
}

const nodes = [];
const peers = [];
for (let round = 0; round < rounds; round += 1) {
  peers.push(await measurePeer());
  nodes.push(await measureNode());
}

function report({ bench, unit, goal, values, peerValues, digits }) {
  const rounded = (number) => Number(number.toFixed(digits));
  const value = rounded(median(values));
  const peerValue = rounded(median(peerValues));
  const ratio = Number((value / peerValue).toFixed(3));
  const facts = { bench, value, unit, peer: 'node -e 0', peer_value: peerValue, ratio, goal };
  const range = `${rounded(Math.min(...values))}..${rounded(Math.max(...values))}`;
  console.log(`${bench}: ${range} ${unit} in ${rounds} rounds`);
  return { ...facts, holds: value <= goal };
}

const figures = [
  report({
    bench: 'nervixd.start-to-ready',
    unit: 'ms',
    goal: START_GOAL_MS,
    digits: 0,
    values: nodes.map(({ readyMs }) => readyMs),
    peerValues: peers.map(({ ms }) => ms),
  }),
  report({
    bench: 'nervixd.idle-rss',
    unit: 'MB',
    goal: MEMORY_GOAL_MB,
    digits: 1,
    values: nodes.map(({ memoryMb }) => memoryMb),
    peerValues: peers.map(({ memoryMb }) => memoryMb),
  }),
];
for (const figure of figures) console.log(JSON.stringify(figure));
