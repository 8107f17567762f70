// `npm run sim:consensus`: simulated clusters, many seeds, every processor.
//
//   --seeds N     how many seeds (default 200)
//   --from S      the first of them (default 1)
//   --steps M     events with faults in each run (default 5000)
//   --class C     one class of seeds instead of all in turn
//   --seed S      replays one seed and prints the last of its course
//   --workers W   processes (default one for each processor)

import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { BootstrapError, bootstrap, main, root, runNode } from './bootstrap.mjs';
import { simOptions } from './sim-options.mjs';

const DIGEST_EVERY = 50;
const worker = path.join(root, 'packages/consensus/test/support/simulation-worker.ts');
const source = path.join(root, 'packages/consensus/src');

/** Runs one worker and gives every record that it prints to `onRecord`. */
function run(assignment, onRecord) {
  const child = spawn(
    process.execPath,
    ['--no-warnings', worker, JSON.stringify({ source, ...assignment })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => onRecord(JSON.parse(line)));
  const end = new Promise((resolve) => lines.once('close', resolve));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', async (code) => {
      await end;
      if (code === 0) resolve();
      else reject(new BootstrapError(`a worker ended with exit code ${code}`));
    });
  });
}

/** Deals the seeds to the workers; `offset` gives each the share of another one. */
function shares(seeds, count, offset) {
  return Array.from({ length: count }, (_, i) =>
    seeds.filter((_seed, at) => at % count === (i + offset) % count),
  );
}

/** Runs all seeds, then a sample of them again in other processes: their courses must be equal. */
async function runAll({ seeds, steps, seedClass, workers }) {
  const digests = new Map();
  const coverage = new Map();
  const totals = { runs: 0, failures: 0, events: 0, differences: 0 };
  const take = (record) => {
    if (record.kind === 'failure') process.stdout.write(`${JSON.stringify(record)}\n`);
    if (record.kind === 'digest') {
      const known = digests.get(record.seed);
      digests.set(record.seed, record.digest);
      if (known === undefined || known === record.digest) return;
      totals.differences += 1;
      process.stdout.write(`seed ${record.seed} has two courses\n`);
    }
    if (record.kind !== 'summary') return;
    totals.runs += record.runs;
    totals.failures += record.failures;
    totals.events += record.events;
    for (const [name, count] of Object.entries(record.coverage)) {
      coverage.set(name, (coverage.get(name) ?? 0) + count);
    }
  };
  const assignment = { steps, seedClass, digestEvery: DIGEST_EVERY };
  await Promise.all(
    shares(seeds, workers, 0).map((own) => run({ ...assignment, seeds: own }, take)),
  );
  const sample = seeds.filter((seed) => seed % DIGEST_EVERY === 0);
  const again = ({ kind, ...record }) => {
    if (kind === 'digest') take({ kind, ...record });
  };
  await Promise.all(
    shares(sample, workers, 1).map((own) => run({ ...assignment, seeds: own }, again)),
  );
  return { totals, coverage };
}

async function sweep(args) {
  const { values, number } = simOptions(args, { steps: '5000', class: 'mixed' });
  const steps = number('steps');
  if (values.seed !== undefined) {
    let failures = 0;
    await run({ seeds: [number('seed')], steps, seedClass: values.class, lines: 200 }, (record) => {
      if (record.kind === 'failure') failures += 1;
      process.stdout.write(`${JSON.stringify(record, undefined, 2)}\n`);
    });
    return failures;
  }
  const from = number('from');
  const seeds = Array.from({ length: number('seeds') }, (_, i) => from + i);
  const started = performance.now();
  const plan = { seeds, steps, seedClass: values.class, workers: number('workers') };
  process.stdout.write(`seeds ${from} to ${seeds.at(-1)}, ${values.class}, ${steps} steps\n`);
  const { totals, coverage } = await runAll(plan);
  const seconds = (performance.now() - started) / 1_000;
  for (const [name, count] of coverage) process.stdout.write(`${name}: ${count}\n`);
  const missing = [...coverage].filter(([, count]) => count === 0).map(([name]) => name);
  const isWide = values.class === 'mixed' && seeds.length >= 100;
  if (isWide && missing.length > 0) process.stdout.write(`never seen: ${missing.join(', ')}\n`);
  const rate = Math.round(totals.events / seconds);
  process.stdout.write(
    `${totals.runs} runs, ${totals.events} events in ${seconds.toFixed(1)} s, ${rate}/s; ` +
      `${totals.failures} failed, ${totals.differences} not repeatable\n`,
  );
  return totals.failures + totals.differences + (isWide ? missing.length : 0);
}

await main(async (args) => {
  if (args[0] === '--inside') process.exitCode = (await sweep(args.slice(1))) > 0 ? 1 : 0;
  else {
    await bootstrap('sources');
    return runNode([import.meta.filename, '--inside', ...args]);
  }
});
