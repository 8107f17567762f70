// How long a store takes to open that holds a log of a million entries of 256 bytes: everything is
// read and verified. Beside it LevelDB alone, which reads the same keys and values and looks at
// none. Each opening happens in a process of its own. BENCH_BYTES sets the length of the log in
// bytes of payload, BENCH_ROUNDS the number of openings.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ENTRY_BYTES = 256;
const ENTRIES = Math.ceil(Number(process.env.BENCH_BYTES ?? 256_000_000) / ENTRY_BYTES);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const GOAL_S = 5;
const ENTRIES_PER_BATCH = 250;
const identity = { clusterId: 'bench', nodeId: 'node-1' };
const built = path.join(import.meta.dirname, '../../packages/consensus/dist');

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value, digits) => Number(value.toFixed(digits));

const roles = {
  async fill(directory) {
    const { LevelLogStorage } = await import(path.join(built, 'storage/level-log-storage.js'));
    const { chainOf } = await import(path.join(built, 'storage/digests.js'));
    const store = await LevelLogStorage.open({ ...identity, directory });
    let { index, chain } = store.bounds.last;
    for (let written = 0; written < ENTRIES; written += ENTRIES_PER_BATCH) {
      const entries = [];
      for (let i = written; i < Math.min(ENTRIES, written + ENTRIES_PER_BATCH); i += 1) {
        index += 1n;
        const payload = new Uint8Array(ENTRY_BYTES).fill(i % 251);
        const entry = { index, term: 1n, kind: 'normal', payload };
        chain = chainOf(chain, entry);
        entries.push({ ...entry, chain });
      }
      const hardState = { term: 1n, commit: index, votedFor: undefined };
      await store.write({ entries, writes: [], hardState });
    }
    await store.close();
    return {};
  },

  async open(directory) {
    const { LevelLogStorage } = await import(path.join(built, 'storage/level-log-storage.js'));
    const startedAt = performance.now();
    const store = await LevelLogStorage.open({ ...identity, directory });
    const seconds = (performance.now() - startedAt) / 1_000;
    const { retainedEntries } = store.bounds;
    if (retainedEntries !== ENTRIES) throw new Error(`${retainedEntries} entries are there`);
    const residentMb = process.resourceUsage().maxRSS / 1_000;
    await store.close();
    return { seconds, residentMb };
  },

  async read(directory) {
    const { ClassicLevel } = createRequire(path.join(built, 'index.js'))('classic-level');
    const options = { keyEncoding: 'view', valueEncoding: 'view', compression: false };
    const database = new ClassicLevel(directory, options);
    const startedAt = performance.now();
    await database.open();
    const iterator = database.iterator({ fillCache: false, highWaterMarkBytes: 256 * 1_024 });
    let bytes = 0;
    for (;;) {
      const page = await iterator.nextv(1_000);
      if (page.length === 0) break;
      for (const [, value] of page) bytes += value.length;
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    if (bytes < ENTRIES * ENTRY_BYTES) throw new Error(`${bytes} bytes are there`);
    await database.close();
    return { seconds, residentMb: process.resourceUsage().maxRSS / 1_000 };
  },
};

/** Plays one role in a process of its own and gives what it measured. */
async function play(role, directory) {
  const child = spawn(process.execPath, [import.meta.filename, role, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${role} ended with ${code}`);
  return JSON.parse(output);
}

function report({ bench, unit, digits, goal, values, peerValues }) {
  const range = `${rounded(Math.min(...values), digits)}..${rounded(Math.max(...values), digits)}`;
  console.log(`${bench}: ${range} ${unit} in ${ROUNDS} rounds`);
  const value = rounded(median(values), digits);
  const peerValue = rounded(median(peerValues), digits);
  const ratio = rounded(value / peerValue, 3);
  const peer = 'LevelDB reads the same, unverified';
  const facts = { bench, value, unit, peer, peer_value: peerValue, ratio, goal };
  return { ...facts, holds: value <= goal };
}

async function measure() {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
  const directory = path.join(folder, 'store');
  const opened = [];
  const read = [];
  try {
    await play('fill', directory);
    for (let round = 0; round < ROUNDS; round += 1) {
      opened.push(await play('open', directory));
      read.push(await play('read', directory));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const figures = [
    report({
      bench: 'consensus.recovery-1m',
      unit: 's',
      digits: 4,
      goal: GOAL_S,
      values: opened.map(({ seconds }) => seconds),
      peerValues: read.map(({ seconds }) => seconds),
    }),
    report({
      bench: 'consensus.recovery-1m-peak-rss',
      unit: 'MB',
      digits: 0,
      goal: 700,
      values: opened.map(({ residentMb }) => residentMb),
      peerValues: read.map(({ residentMb }) => residentMb),
    }),
  ];
  for (const figure of figures) console.log(JSON.stringify(figure));
}

const [role, directory] = process.argv.slice(2);
if (role === undefined) await measure();
else console.log(JSON.stringify(await roles[role](directory)));
