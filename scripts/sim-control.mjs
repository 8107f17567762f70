// `npm run sim:control`: simulated control planes of three replicas, many seeds, every processor.
//
//   --seeds N        how many seeds (default 200)
//   --from S         the first of them (default 1)
//   --statements M   statements that callers send in each run (default 200)
//   --seed S         replays one seed; of a failure the end of its course is printed
//   --workers W      processes (default one for each processor)

import { spawn } from 'node:child_process';
import path from 'node:path';
import { BootstrapError, bootstrap, childEnvironment, main, root } from './bootstrap.mjs';
import { simOptions } from './sim-options.mjs';

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const TEST = 'packages/server/test/control-plane/cluster.sim.test.ts';

/** Runs consecutive seeds in a process of their own; resolves with what they came to. */
function run({ from, seeds, statements }) {
  const env = childEnvironment({
    SIM_SEED: String(from),
    SIM_SEEDS: String(seeds),
    SIM_STATEMENTS: String(statements),
  });
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'server', TEST], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const line = text.split('\n').find((each) => each.startsWith('{"seeds"'));
      if (code !== 0) process.stdout.write(text);
      if (line === undefined) reject(new BootstrapError('a worker ended without a result'));
      else resolve({ summary: JSON.parse(line), isPassed: code === 0 });
    });
  });
}

/** Consecutive seeds for each worker; one that is replayed has its own. */
function sharesOf(args) {
  const { values, number } = simOptions(args, { statements: '200' });
  const statements = number('statements');
  if (values.seed !== undefined) return [{ from: number('seed'), seeds: 1, statements }];
  const [from, seeds, workers] = [number('from'), number('seeds'), number('workers')];
  const share = Math.ceil(seeds / workers);
  const shares = Array.from({ length: workers }, (_, index) => ({
    from: from + index * share,
    seeds: Math.min(share, seeds - index * share),
    statements,
  }));
  return shares.filter((each) => each.seeds > 0);
}

await main(async (args) => {
  const shares = sharesOf(args);
  await bootstrap('built');
  const started = performance.now();
  const results = await Promise.all(shares.map(run));
  const totals = new Map();
  for (const { summary } of results) {
    for (const [name, count] of Object.entries(summary)) {
      totals.set(name, (totals.get(name) ?? 0) + count);
    }
  }
  for (const [name, count] of totals) process.stdout.write(`${name}: ${count}\n`);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  process.stdout.write(
    `${totals.get('seeds')} runs in ${seconds} s; ${totals.get('failures')} failed\n`,
  );
  return results.every(({ isPassed }) => isPassed) ? 0 : 1;
});
