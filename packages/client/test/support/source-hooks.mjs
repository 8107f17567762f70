// Lets a child process run the sources of the workspace without a build: `--import` this module.
// A `.js` import of ours that does not exist names the `.ts` file beside it, and a package of ours
// is its `src/index.ts`; a subpath of one is the file of that name.

import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = new URL('../../../', import.meta.url);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [, name, subpath = 'index'] = /^@nervix\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
    if (name !== undefined) {
      return { url: new URL(`${name}/src/${subpath}.ts`, packages).href, shortCircuit: true };
    }
    if (/^\.\.?\/.*\.js$/.test(specifier) && context.parentURL?.startsWith('file:')) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(fileURLToPath(source))) return { url: source.href, shortCircuit: true };
    }
    return nextResolve(specifier, context);
  },
});
