// Body of scripts/pnpm: keeps the caller's folder, so that `--filter` and plain runs act there.

import { bootstrap, main, runPnpm } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('toolchain');
  return runPnpm(args, { cwd: process.cwd() });
});
