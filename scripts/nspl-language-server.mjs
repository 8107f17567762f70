// `node scripts/nspl-language-server.mjs --stdio`: the language server under the pinned Node, for
// editors. Nothing but the server may write to standard output; the build reports on standard error.

import path from 'node:path';
import { bootstrap, callerFolder, main, root, runNode } from './bootstrap.mjs';

await main(async (args) => {
  await bootstrap('built');
  const folder = path.join(root, 'packages', 'nspl-language-server');
  const program = path.join(folder, 'bin', 'nspl-language-server.js');
  return runNode([program, ...args], { cwd: callerFolder() });
});
