// Joins the compiled modules, and the parser library, into one file for each entry point. Node takes
// most of a first parse to look up and read the more than two hundred modules one by one.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const dist = path.join(import.meta.dirname, '..', 'dist');
const outdir = path.join(dist, 'bundle');

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['index', 'documentation', 'grammar'].map((name) => path.join(dist, `${name}.js`)),
  outdir,
  bundle: true,
  // What the entry points share stands once, in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2024',
  external: ['@nervix/*'],
  legalComments: 'eof',
  logLevel: 'warning',
});
