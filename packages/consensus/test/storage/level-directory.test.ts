import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newestJournal } from '../../src/storage/level-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test.each([
  [[], undefined],
  [['CURRENT', 'LOG', '000012.ldb'], undefined],
  [['000009.log', '000010.log', '000003.log'], '000010.log'],
  [['999999.log', '1000000.log'], '1000000.log'],
  [['1000000.log', '9999999.log', '10000000.log', '999999.log'], '10000000.log'],
])('CS-76 of the write-ahead files %j the newest is %s', (names, newest) => {
  const directory = temporaryDirectory();
  for (const name of names) writeFileSync(path.join(directory, name), '');
  expect(newestJournal(directory)).toBe(newest);
});
