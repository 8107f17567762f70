import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';

const folder = path.join(import.meta.dirname, '..');
const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');

/** Writes an example to a folder, with the package in place of its name. */
function place(cwd: string, name: string, example: string, entry: string): void {
  const source = pathToFileURL(path.join(folder, entry)).href;
  writeFileSync(path.join(cwd, name), example.replace('@nervix/consensus', source));
}

/** What a file of an example prints. */
async function outputOf(cwd: string, name: string): Promise<string> {
  const run = promisify(execFile);
  return (await run(process.execPath, ['--no-warnings', name], { cwd })).stdout;
}

test('the example of the README runs', async () => {
  const cwd = temporaryDirectory();
  place(cwd, 'example.mts', readme.match(/```ts\n([\s\S]*?)```/)![1]!, 'src/index.ts');
  expect(await outputOf(cwd, 'example.mts')).toBe('entry 3, revision 1, apples: 1 = 1\n');
  expect(await outputOf(cwd, 'example.mts')).toBe('entry 5, revision 2, apples: 2 = 2\n');
});

test('the example of a node in a worker runs, whatever names its module', async () => {
  const cwd = temporaryDirectory();
  const files = [...readme.matchAll(/```js\n\/\/ (\S+\.mjs)\n([\s\S]*?)```/g)];
  expect(files.map(([, name]) => name)).toEqual(['tally.mjs', 'main.mjs']);
  // A worker is there only once the package is built.
  for (const [, name, example] of files) place(cwd, name!, example!, 'dist/index.js');
  expect(await outputOf(cwd, 'main.mjs')).toBe('41 commands, 41 in the mirror\n');
  const main = readFileSync(path.join(cwd, 'main.mjs'), 'utf8');
  for (const url of ["'./tally.mjs'", "'tally.mjs'"]) {
    writeFileSync(
      path.join(cwd, 'again.mjs'),
      main.replace("new URL('./tally.mjs', import.meta.url)", url),
    );
    expect(await outputOf(cwd, 'again.mjs')).toMatch(/^4[23] commands, 4[23] in the mirror\n$/);
  }
});
