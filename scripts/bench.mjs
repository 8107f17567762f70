// `npm run bench:<name>`: one comparison from bench/, under the pinned Node.

import path from 'node:path';
import { BootstrapError, bootstrap, main, root, runNode } from './bootstrap.mjs';

await main(async ([name, ...args]) => {
  if (!name) throw new BootstrapError('usage: bench.mjs <name> [arguments]');
  await bootstrap('built');
  // Memory figures collect garbage before they are read.
  return runNode(['--expose-gc', path.join(root, 'bench', name, `${name}.bench.mjs`), ...args]);
});
