import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';

test('the example of the README runs', async () => {
  const folder = path.join(import.meta.dirname, '..');
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const example = readme.match(/```ts\n([\s\S]*?)```/)![1]!;
  const source = pathToFileURL(path.join(folder, 'src', 'index.ts')).href;
  const cwd = temporaryDirectory();
  writeFileSync(path.join(cwd, 'example.mts'), example.replace('@nervix/consensus', source));
  const run = promisify(execFile);
  const args = ['--no-warnings', 'example.mts'];
  const first = await run(process.execPath, args, { cwd });
  expect(first.stdout).toBe('entry 3, revision 1, apples: 1 = 1\n');
  const second = await run(process.execPath, args, { cwd });
  expect(second.stdout).toBe('entry 5, revision 2, apples: 2 = 2\n');
});
