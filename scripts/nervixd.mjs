// `npm run -s nervixd -- <flags>`: the daemon under the pinned Node.

import path from 'node:path';
import { bootstrap, main, root, runNode } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('built');
  return runNode([path.join(root, 'apps', 'nervixd', 'bin', 'nervixd.js'), ...args]);
});
