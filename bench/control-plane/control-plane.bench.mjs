// One ALTER over HTTP in a domain of 10,000 models, and one in a tenth of it: what a nervixd process
// computes for each of many in turn, in processor time, from the request to its durable answer; then the
// same while the domain runs, so that the data plane takes every change.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from '@nervix/client';
import { printLimitFigure } from '../limit-figure.mjs';

const here = import.meta.dirname;
const root = path.join(here, '..', '..');
const rounds = Number(process.env.BENCH_ROUNDS ?? 5) * 8;
const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 10_000);
const password = 'bench-password';
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function fill(dbPath, entities) {
  const script = path.join(here, 'fill-store.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, dbPath, String(entities)]);
  if (status !== 0) throw new Error(String(stderr));
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`nervixd ended with code ${code}`)));
  });
}

async function startNervixd(dbPath) {
  const addresses = ['--addr', '--http-listen-addr', '--observability-listen-addr'];
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'apps/nervixd/bin/nervixd.js'),
      ...['--db-path', dbPath, '--log', 'warn'],
      ...addresses.flatMap((flag) => [flag, '127.0.0.1:0']),
    ],
    {
      env: { ...process.env, NERVIX_INIT_DEFAULT_USER_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ready = await firstLine(child);
  const address = (name) => new RegExp(`${name} (http://\\S+)`).exec(ready)?.[1];
  const client = await connect({ server: address('session'), user: 'default', password });
  return { child, client };
}

async function stop(child) {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

/** Milliseconds of processor time that the threads of a process have used, as Linux counts them. */
function cpuMs({ pid }) {
  const tasks = `/proc/${pid}/task`;
  const used = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

async function alter({ client }, turn, chains) {
  const text = `ALTER RELAY raw_${turn % chains} SET CAPACITY ${100 + turn}`;
  await client.execute(text, { domain: 'shop' });
}

/** Milliseconds of each of so many changes in turn. */
async function inTurn(nervixd, from, count, chains) {
  const times = [];
  for (let turn = from; turn < from + count; turn += 1) {
    const before = cpuMs(nervixd.child);
    await alter(nervixd, turn, chains);
    times.push(cpuMs(nervixd.child) - before);
  }
  return times;
}

async function measured(entities) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
  let nervixd;
  try {
    fill(folder, entities);
    nervixd = await startNervixd(folder);
    const chains = Math.floor((entities - 1) / 5);
    const [first, ...rest] = await inTurn(nervixd, 0, rounds, chains);
    await nervixd.client.execute('START', { domain: 'shop' });
    const [, ...running] = await inTurn(nervixd, rounds, Math.max(4, rounds / 4), chains);
    return { first, one: median(rest), running: median(running) };
  } finally {
    if (nervixd !== undefined) await stop(nervixd.child);
    rmSync(folder, { recursive: true, force: true });
  }
}

const tenth = await measured(ENTITIES / 10);
const whole = await measured(ENTITIES);
for (const [size, times] of [
  [ENTITIES / 10, tenth],
  [ENTITIES, whole],
]) {
  const texts = [times.first, times.one, times.running].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(`${String(size).padStart(6)} models: ${texts.join(', ')}`);
}

printLimitFigure('control-plane.first-alter', whole.first, 'ms', 1_000);
printLimitFigure('control-plane.one-alter', whole.one, 'ms', 30);
printLimitFigure('control-plane.running-alter', whole.running, 'ms', 300);
printLimitFigure(
  'control-plane.growth',
  whole.one / tenth.one,
  'x',
  12,
  'a tenth of the domain',
  10,
);
