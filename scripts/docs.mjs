// `npm run docs:nspl` and `npm run docs:api`: what of the documentation is generated, under the
// pinned Node. More arguments go on to the generator.

import path from 'node:path';
import {
  BootstrapError,
  bootstrap,
  childEnvironment,
  main,
  root,
  run,
  runNode,
} from './bootstrap.mjs';

/** Runs a command that is installed for a folder, in it. */
function runInstalled(folder, command, args) {
  const file = path.join(folder, 'node_modules', '.bin', command);
  const isWindows = process.platform === 'win32';
  const options = { cwd: folder, env: childEnvironment(), shell: isWindows };
  return run(isWindows ? `"${file}.cmd"` : file, args, options);
}

const generators = {
  /** The reference of the language, which is committed. */
  async nspl(args) {
    const scripts = path.join(root, 'packages', 'nspl-parser', 'scripts');
    const compiled = await runInstalled(root, 'tsc', ['-b', 'packages/nspl-parser']);
    if (compiled !== 0) return compiled;
    const bundled = await runNode([path.join(scripts, 'bundle.mjs')]);
    if (bundled !== 0) return bundled;
    return runNode([path.join(scripts, 'generate-reference.ts'), ...args]);
  },
  /** The reference of the libraries, in docs/dist/api; fails on what is not documented. */
  api: (args) => runInstalled(path.join(root, 'docs'), 'typedoc', args),
};

await main(async ([name, ...args]) => {
  const generator = generators[name];
  if (!generator) throw new BootstrapError('usage: docs.mjs nspl|api [arguments]');
  await bootstrap('installed');
  return generator(args);
});
