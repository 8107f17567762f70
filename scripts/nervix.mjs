// `npm run -s nervix -- <arguments>`: the terminal client under the pinned Node.

import path from 'node:path';
import { bootstrap, main, root, runNode } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('built');
  return runNode([path.join(root, 'packages', 'client', 'bin', 'nervix.js'), ...args]);
});
