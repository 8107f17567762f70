// `npm run verify`: every check of the repository, one after the other, with a table at the end.
// With `--no-tests` it leaves the tests out. All checks run even when an early one fails.

import path from 'node:path';
import { bootstrap, childEnvironment, main, root, run, runNode } from './bootstrap.mjs';

const checks = [
  { name: 'format', command: ['biome', 'format', '.'] },
  { name: 'lint', command: ['biome', 'lint', '--error-on-warnings', '.'] },
  {
    name: 'boundaries',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
      'apps',
      'examples',
      'bench',
    ],
  },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.tests.json'] },
  { name: 'build', command: ['turbo', 'run', 'build'] },
  { name: 'exports', command: ['turbo', 'run', 'check:exports', '--output-logs=errors-only'] },
  { name: 'unused', command: ['knip', '--no-config-hints'] },
];

function runInstalled([command, ...args]) {
  const file = path.join(root, 'node_modules', '.bin', command);
  const isWindows = process.platform === 'win32';
  return run(isWindows ? `"${file}.cmd"` : file, args, {
    env: childEnvironment(),
    shell: isWindows,
  });
}

await main(async (args) => {
  await bootstrap('installed');
  const rows = [];
  const measure = async (name, work) => {
    process.stdout.write(`\n== ${name}\n`);
    const startedMs = Date.now();
    const code = await work();
    rows.push({ name, code, seconds: ((Date.now() - startedMs) / 1000).toFixed(1) });
  };
  for (const check of checks) await measure(check.name, () => runInstalled(check.command));
  await measure('api', () => runNode([path.join(root, 'scripts', 'docs.mjs'), 'api']));
  const printRows = () => {
    process.stdout.write('\n');
    for (const { name, code, seconds } of rows) {
      process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
    }
  };
  printRows();
  const hasFailed = rows.some(({ code }) => code !== 0);
  if (args.includes('--no-tests')) return hasFailed ? 1 : 0;
  // The tests come last, since their closing line is to be the last one of the whole run.
  const testCode = await runNode([path.join(root, 'scripts', 'test.mjs')]);
  return hasFailed || testCode !== 0 ? 1 : 0;
});
