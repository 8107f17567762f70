// `npm run bench:<name>`: one comparison from bench/, under the pinned Node. `a/b` is `b.bench.mjs` of
// the folder `a`, `a` alone its `a.bench.mjs`.

import path from 'node:path';
import { BootstrapError, bootstrap, main, root, runNode } from './bootstrap.mjs';

await main(async ([name, ...args]) => {
  if (!name) throw new BootstrapError('usage: bench.mjs <name> [arguments]');
  await bootstrap('built');
  const [folder, file = folder] = name.split('/');
  // Memory figures collect garbage before they are read.
  return runNode(['--expose-gc', path.join(root, 'bench', folder, `${file}.bench.mjs`), ...args]);
});
