// `npm run -s nervix -- <arguments>`: the terminal client under the pinned Node.

import path from 'node:path';
import { bootstrap, callerFolder, main, root, runNode } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('built');
  const program = path.join(root, 'packages', 'client', 'bin', 'nervix.js');
  return runNode([program, ...args], { cwd: callerFolder() });
});
