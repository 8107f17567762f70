// Runs one installed command (tsc, biome, vitest ...) under the pinned Node: run.mjs <command> <args>

import path from 'node:path';
import { BootstrapError, bootstrap, childEnvironment, main, root, run } from './bootstrap.mjs';

await main(async ([command, ...args]) => {
  if (!command) throw new BootstrapError('usage: run.mjs <command> [arguments]');
  await bootstrap('installed');
  const file = path.join(root, 'node_modules', '.bin', command);
  const isWindows = process.platform === 'win32';
  return run(isWindows ? `"${file}.cmd"` : file, args, {
    env: childEnvironment(),
    shell: isWindows,
  });
});
