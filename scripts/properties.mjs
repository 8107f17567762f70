// `npm run test:properties`: the long mode of the property suites of types, expressions, engine and
// codecs, each suite in a process of its own, with the seconds that each took.
//
//   --runs N         cases of each property (default 100000)
//   --jobs N         suites at once (default 1)
//   [path ...]       suites whose path contains one of these; all without

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BootstrapError, bootstrap, childEnvironment, main, root } from './bootstrap.mjs';

const FOLDERS = [
  'model/test',
  'planner/test/expression',
  'planner/test/planner.prop.test.ts',
  ...['aggregate', 'arrow', 'batch', 'codec', 'column', 'datetime'].map(runtimeFolder),
  ...['function', 'json', 'key', 'program', 'udf'].map(runtimeFolder),
  runtimeFolder('node/window-limits.test.ts'),
];

function runtimeFolder(name) {
  return `runtime/test/${name}`;
}

/** Test files of a folder of `packages` that hold properties. */
function suitesIn(folder) {
  const base = path.join(root, 'packages');
  const found = folder.endsWith('.ts')
    ? [folder]
    : readdirSync(path.join(base, folder), { recursive: true }).map((file) =>
        path.posix.join(folder, file.replaceAll(path.sep, '/')),
      );
  return found.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      /numRuns|expectResilience/.test(readFileSync(path.join(base, file), 'utf8')),
  );
}

/** Runs one suite in a process of its own; resolves with whether it passed. */
function run(file, runs) {
  const vitest = path.join(root, 'node_modules', '.bin', 'vitest');
  const isWindows = process.platform === 'win32';
  const args = ['run', '--project', file.split('/')[0], `packages/${file}`];
  // The command itself finds the pinned Node, whatever Node this script runs on.
  const child = spawn(isWindows ? `"${vitest}.cmd"` : vitest, args, {
    cwd: root,
    env: childEnvironment({ PROP_RUNS: String(runs) }),
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stdout.write(text);
      resolve(code === 0);
    });
  });
}

function countOf(name, text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new BootstrapError(`--${name} is no count`);
  return count;
}

await main(async (args) => {
  const options = {
    runs: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '1' },
  };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const runs = countOf('runs', values.runs);
  const jobs = countOf('jobs', values.jobs);
  const suites = FOLDERS.flatMap(suitesIn)
    .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
    .sort();
  await bootstrap('installed');
  let failed = 0;
  const beganAt = performance.now();
  const waiting = suites.values();
  const work = async () => {
    for (const file of waiting) {
      const startedAt = performance.now();
      const isPassed = await run(file, runs);
      if (!isPassed) failed += 1;
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7);
      process.stdout.write(`${seconds} s  ${isPassed ? 'passed' : 'FAILED'}  ${file}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const minutes = ((performance.now() - beganAt) / 60_000).toFixed(1);
  process.stdout.write(`${suites.length} suites in ${minutes} min; ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
});
