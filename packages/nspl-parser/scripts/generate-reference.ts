// Writes docs/nspl, the reference of the language, from the grammar and its documentation. With
// `--check` it changes nothing and fails when the files there are not what it would write.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renderReference } from './reference/reference.ts';

const folder = path.resolve(import.meta.dirname, '../../../docs/nspl');

/** The files below the folder, as paths relative to it with `/` between. */
async function existingFiles(): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, '/');
    files.set(name, await readFile(file, 'utf8'));
  }
  return files;
}

const existing = await existingFiles();
const wanted = renderReference();
const written = [...wanted].filter(([file, text]) => existing.get(file) !== text);
const removed = [...existing.keys()].filter((file) => !wanted.has(file));
if (process.argv.includes('--check')) {
  const stale = [...written.map(([file]) => file), ...removed];
  for (const file of stale) process.stderr.write(`docs/nspl/${file} is not up to date\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [file, text] of written) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  for (const file of removed) await rm(path.join(folder, file));
  const counts = `${written.length} written, ${removed.length} removed`;
  process.stdout.write(`docs/nspl: ${wanted.size} files, ${counts}\n`);
}
