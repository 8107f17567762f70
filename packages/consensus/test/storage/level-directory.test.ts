import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  inspectDirectory,
  openDatabase,
  writeAheadFiles,
} from '../../src/storage/level-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test.each([
  [[], []],
  [['CURRENT', 'LOG', '000012.ldb', 'JOURNAL-0'], []],
  [
    ['000009.log', '000010.log', '000003.log'],
    ['000003.log', '000009.log', '000010.log'],
  ],
  [
    ['1000000.log', '9999999.log', '10000000.log', '999999.log'],
    ['999999.log', '1000000.log', '9999999.log', '10000000.log'],
  ],
])('CS-76 the write-ahead files among %j are %j', async (names, ordered) => {
  const directory = temporaryDirectory();
  for (const name of names) writeFileSync(path.join(directory, name), '');
  expect(await writeAheadFiles(directory)).toEqual(ordered);
});

test('a new store is made among nothing but what an interrupted one left', async () => {
  const directory = temporaryDirectory();
  for (const name of ['LOCK', 'LOG', 'LOG.old', 'MANIFEST-000001', '000001.dbtmp', 'lost+found']) {
    writeFileSync(path.join(directory, name), '');
  }
  const absent = { hasAnchor: false, hasDatabase: false };
  expect(await inspectDirectory(directory)).toEqual(absent);
  expect(await inspectDirectory(path.join(directory, 'none'))).toEqual(absent);
  writeFileSync(path.join(directory, 'notes.txt'), '');
  await expect(inspectDirectory(directory)).rejects.toMatchObject({
    code: 'RAFT_INVALID_OPTION',
    details: { option: 'directory', problem: expect.stringContaining("holds 'notes.txt'") },
  });
});

test('the folders above a new store are made, and where that is impossible it ends', async () => {
  const database = await openDatabase(path.join(temporaryDirectory(), 'a', 'b', 'c'), true);
  await database.close();
  await expect(openDatabase('/proc/nervix/a/b', true)).rejects.toMatchObject({ code: 'ENOENT' });
  const file = path.join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  await expect(openDatabase(path.join(file, 'a'), true)).rejects.toMatchObject({ code: 'ENOTDIR' });
});
