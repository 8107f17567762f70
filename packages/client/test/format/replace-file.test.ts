import { access, chmod, constants, readdir, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { replaceFile } from '../../src/cli/format/replace-file.js';
import { ScriptFolder } from '../support/script-folder.js';

test.each([0o644, 0o640, 0o755, 0o2664])('CL-90: mode %o is kept', async (mode) => {
  const folder = await ScriptFolder.create({ 'a.nspl': 'old' });
  const file = folder.path('a.nspl');
  await chmod(file, mode);
  const seen = await stat(file);
  await replaceFile(file, 'new', seen);
  const now = await stat(file);
  expect(await folder.read('a.nspl')).toBe('new');
  expect((now.mode & 0o7777).toString(8)).toBe(mode.toString(8));
  expect([now.uid, now.gid]).toEqual([seen.uid, seen.gid]);
  // Another file took its place; it was not written into.
  expect(now.ino).not.toBe(seen.ino);
  expect(await readdir(folder.root)).toEqual(['a.nspl']);
});

test('CL-90: a file that was changed meanwhile is left as it is', async () => {
  const folder = await ScriptFolder.create({ 'a.nspl': 'old' });
  const file = folder.path('a.nspl');
  const seen = await stat(file);
  await folder.write('a.nspl', 'edited');
  await expect(replaceFile(file, 'new', seen)).rejects.toThrow('changed while it was formatted');
  expect(await folder.read('a.nspl')).toBe('edited');
  expect(await readdir(folder.root)).toEqual(['a.nspl']);
});

test('CL-90: a file that is gone is not made again', async () => {
  const folder = await ScriptFolder.create({ 'a.nspl': 'old' });
  const seen = await stat(folder.path('a.nspl'));
  await expect(replaceFile(folder.path('b.nspl'), 'new', seen)).rejects.toThrow('ENOENT');
  expect(await readdir(folder.root)).toEqual(['a.nspl']);
});

test('CL-90: a file is replaced exactly when it may be written', async () => {
  const folder = await ScriptFolder.create({ 'a.nspl': 'old' });
  const file = folder.path('a.nspl');
  await chmod(file, 0o444);
  const mayWrite = await access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
  const replaced = replaceFile(file, 'new', await stat(file));
  if (mayWrite) await replaced;
  else await expect(replaced).rejects.toThrow('EACCES');
  expect(await folder.read('a.nspl')).toBe(mayWrite ? 'new' : 'old');
});

test('CL-90: names as long as the file system takes are no obstacle', async () => {
  const name = `${'x'.repeat(250)}.nspl`;
  const folder = await ScriptFolder.create({ [name]: 'old' });
  await replaceFile(folder.path(name), 'new', await stat(folder.path(name)));
  expect(await folder.read(name)).toBe('new');
});
