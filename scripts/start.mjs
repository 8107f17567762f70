// `npm start`: bring the tree up, then run the first example. Arguments after `--` go to it.

import path from 'node:path';
import { bootstrap, main, root, runNode } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('built');
  return runNode([path.join(root, 'examples', 'flights', 'run.mjs'), ...args]);
});
