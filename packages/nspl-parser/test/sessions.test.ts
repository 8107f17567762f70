import { fc, test as property } from '@fast-check/vitest';
import type { Statement } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { parseScript, parseStatement, printStatement } from '../src/index.ts';
import { serverArchiveStatement } from './support/arbitraries/sessions.ts';
import { expectRefusal, plain, read } from './support/reading.ts';

const digest = '0123456789abcdef'.repeat(4);

/** The statement that a node reads in a text. */
function readAsNode(text: string): Statement {
  const result = parseStatement(text, { grammar: 'server' });
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.errors));
  return result.parsed.statement;
}

describe('NSPL 4, 9.3: statements of a session and their canonical text', () => {
  test.each([
    ['use TO', 'USE to;'],
    ['attach domain clock', 'ATTACH DOMAIN CLOCK;'],
    ['DETACH DOMAIN CLOCK', 'DETACH DOMAIN CLOCK;'],
    ["ATTACH TRANSACTION 'A-1'", "ATTACH TRANSACTION 'A-1';"],
    ['COMMIT', 'COMMIT;'],
    [
      `COMMIT expect "it's" position 0 basis '${digest}'`,
      `COMMIT EXPECT "it's" POSITION 0 BASIS '${digest}';`,
    ],
    ["UPLOAD RESOURCE Version VERSION './a b'", "UPLOAD RESOURCE version VERSION './a b';"],
    ["BACKUP CLUSTER TO 'f'", "BACKUP CLUSTER TO 'f';"],
    ["BACKUP DOMAIN TO 'f'", "BACKUP DOMAIN TO 'f';"],
    ["BACKUP DOMAIN to TO 'f'", "BACKUP DOMAIN to TO 'f';"],
    [
      "BACKUP DOMAIN D TO 'f' WITHOUT RESOURCES WITHOUT STATE",
      "BACKUP DOMAIN d TO 'f' WITHOUT RESOURCES WITHOUT STATE;",
    ],
    ["BACKUP DOMAIN d TO 'f' WITHOUT PAUSE", "BACKUP DOMAIN d TO 'f' WITHOUT PAUSE;"],
    ["BACKUP CLUSTER TO 'f' TIMEOUT 60s", "BACKUP CLUSTER TO 'f' TIMEOUT 1m;"],
    ["BACKUP CLUSTER TO 'f' TIMEOUT 0ms", "BACKUP CLUSTER TO 'f' TIMEOUT 0s;"],
    ["RESTORE CLUSTER FROM 'f'", "RESTORE CLUSTER FROM 'f';"],
    [
      "RESTORE CLUSTER FROM 'f' RESUME ON EXISTING USER FAIL DRY RUN WITHOUT SOURCE OFFSETS",
      "RESTORE CLUSTER FROM 'f' RESUME DRY RUN WITHOUT SOURCE OFFSETS;",
    ],
    [
      "RESTORE CLUSTER FROM 'f' ON EXISTING USER SKIP",
      "RESTORE CLUSTER FROM 'f' ON EXISTING USER SKIP;",
    ],
    [
      "RESTORE CLUSTER FROM 'f' ON EXISTING USER REPLACE WITHOUT STATE",
      "RESTORE CLUSTER FROM 'f' ON EXISTING USER REPLACE WITHOUT STATE;",
    ],
    ["RESTORE DOMAIN as AS from FROM 'f'", "RESTORE DOMAIN as AS from FROM 'f';"],
    ["RESTORE DOMAIN from FROM 'f' RESUME", "RESTORE DOMAIN from FROM 'f' RESUME;"],
    ["DESCRIBE BACKUP 'f' FORMAT TEXT", "DESCRIBE BACKUP 'f';"],
    ["describe backup 'f' format json", "DESCRIBE BACKUP 'f' FORMAT JSON;"],
    ['START AT NOW TIME RATE 3', 'START AT NOW TIME RATE 3.0;'],
    ['ALTER DOMAIN SET CLASS Prod', 'ALTER DOMAIN SET CLASS prod;'],
    ['ALTER DOMAIN SET ON OWNER LOSS hold', 'ALTER DOMAIN SET ON OWNER LOSS HOLD;'],
    ['DROP DOMAIN cascade', 'DROP DOMAIN cascade;'],
    ['DROP DOMAIN cascade CASCADE', 'DROP DOMAIN cascade CASCADE;'],
    ['PROMOTE DOMAIN to TO d', 'PROMOTE DOMAIN to TO d;'],
    ['DROP USER User', 'DROP USER user;'],
  ])('%s', (text, expected) => {
    const printed = printStatement(read(text));
    expect(printed).toBe(expected);
    expect(printStatement(read(printed))).toBe(printed);
  });
});

describe('NSPL 4, 15.2: BACKUP and RESTORE as a client sends them to a node', () => {
  test.each([
    ['BACKUP CLUSTER', 'BACKUP CLUSTER;'],
    ['BACKUP DOMAIN to TIMEOUT 1500ms', 'BACKUP DOMAIN to TIMEOUT 1500ms;'],
    ['RESTORE DOMAIN a AS b RESUME DRY RUN', 'RESTORE DOMAIN a AS b RESUME DRY RUN;'],
    [
      'RESTORE CLUSTER ON EXISTING USER SKIP WITHOUT STATE ACCEPT STATE LOSS WAIT 5s',
      'RESTORE CLUSTER ON EXISTING USER SKIP WITHOUT STATE ACCEPT STATE LOSS WAIT 5s;',
    ],
  ])('%s', (text, expected) => {
    expect(printStatement(readAsNode(text))).toBe(expected);
  });

  test.each([
    [
      "BACKUP CLUSTER TO 'f'",
      'WITHOUT RESOURCES | WITHOUT STATE | WITHOUT PAUSE | TIMEOUT | ;',
      'TO',
    ],
    [
      "BACKUP DOMAIN TO 'f'",
      'WITHOUT RESOURCES | WITHOUT STATE | WITHOUT PAUSE | TIMEOUT | ;',
      '"f"',
    ],
    ['BACKUP DOMAIN', 'ref:domain', 'end of input'],
    [
      "RESTORE DOMAIN d FROM 'f'",
      'AS | RESUME | DRY RUN | WITHOUT STATE | WITHOUT SOURCE OFFSETS | ACCEPT STATE LOSS | WAIT | ;',
      'FROM',
    ],
  ])('a node refuses %s', (text, expected, found) => {
    const { errors } = parseScript(text, { grammar: 'server' });
    expect(errors.map(({ message }) => message)).toEqual([`expected ${expected}, found ${found}`]);
  });

  test.each([
    ['BACKUP CLUSTER', 'expected TO, found end of input'],
    ['BACKUP DOMAIN d', 'expected TO, found end of input'],
    ['RESTORE DOMAIN d', 'expected AS | FROM, found end of input'],
  ])('a client refuses %s', (text, message) => {
    expectRefusal(text, message, '');
  });

  test('everything else is alike', () => {
    for (const text of ['USE d', "DESCRIBE BACKUP 'f'", 'COMMIT WAIT 5s', 'PLAN STOP']) {
      expect(readAsNode(text)).toEqual(read(text));
    }
  });

  property.prop([serverArchiveStatement])('read back as themselves', (original) => {
    const printed = printStatement(original);
    const again = readAsNode(printed);
    expect(plain(again)).toEqual(plain(original));
    expect(printStatement(again)).toBe(printed);
  });

  property.prop([fc.constantFrom('BACKUP', 'RESTORE'), fc.constantFrom('CLUSTER', 'DOMAIN d')])(
    'neither side takes the form of the other',
    (head, subject) => {
      const bare = `${head} ${subject}`;
      expect(parseScript(bare).errors).toHaveLength(1);
      const path = head === 'BACKUP' ? "TO 'f'" : "FROM 'f'";
      expect(parseScript(`${bare} ${path}`, { grammar: 'server' }).errors).toHaveLength(1);
    },
  );
});

describe('NSPL 4, 10: what was expected', () => {
  test.each([
    ['ATTACH x', 'DOMAIN | TRANSACTION', 'x'],
    ['ATTACH DOMAIN x', 'CLOCK', 'x'],
    ['DETACH TRANSACTION', 'DOMAIN', 'TRANSACTION'],
    ['ATTACH TRANSACTION x', 'transaction_id', 'x'],
    ['COMMIT x', 'EXPECT | ACCEPT STATE LOSS | WAIT | ;', 'x'],
    ["COMMIT EXPECT 'a' x", 'POSITION', 'x'],
    ["COMMIT EXPECT 'a' POSITION 'x'", 'number_literal', "'x'"],
    ["COMMIT EXPECT 'a' POSITION 1 x", 'BASIS', 'x'],
    ['UPLOAD RESOURCE r VERSION 1', 'local_path', '1'],
    ['BACKUP x', 'CLUSTER | DOMAIN', 'x'],
    ['BACKUP DOMAIN 1', 'ref:domain | TO', '1'],
    ['BACKUP CLUSTER TO f', 'local_path', 'f'],
    ["BACKUP CLUSTER TO 'f' WITHOUT STATE WITHOUT RESOURCES", ';', 'WITHOUT'],
    ["BACKUP CLUSTER TO 'f' WITHOUT SOURCE", 'RESOURCES | STATE | PAUSE', 'SOURCE'],
    [
      "BACKUP CLUSTER TO 'f' WITHOUT RESOURCES x",
      'WITHOUT STATE | WITHOUT PAUSE | TIMEOUT | ;',
      'x',
    ],
    ['RESTORE DOMAIN FROM', 'AS | FROM', ''],
    [
      "RESTORE DOMAIN d FROM 'f' ON",
      'RESUME | DRY RUN | WITHOUT STATE | WITHOUT SOURCE OFFSETS | ' +
        'ACCEPT STATE LOSS | WAIT | ;',
      'ON',
    ],
    ["RESTORE CLUSTER FROM 'f' ON EXISTING USER x", 'FAIL | SKIP | REPLACE', 'x'],
    ["RESTORE CLUSTER FROM 'f' WITHOUT PAUSE", 'STATE | SOURCE', 'PAUSE'],
    [
      "RESTORE CLUSTER FROM 'f' DRY RUN RESUME",
      'WITHOUT STATE | WITHOUT SOURCE OFFSETS | ' + 'ACCEPT STATE LOSS | WAIT | ;',
      'RESUME',
    ],
    ["DESCRIBE BACKUP 'f' x", 'FORMAT | ;', 'x'],
    ['ALTER DOMAIN SET x', 'PLACEMENT | CLASS | ON', 'x'],
    ['ALTER DOMAIN SET ON x', 'OWNER LOSS', 'x'],
    ['ALTER DOMAIN SET ON OWNER LOSS x', 'RECOVER | HOLD', 'x'],
    ['DROP DOMAIN d x', 'CASCADE | WAIT | ;', 'x'],
    ['PROMOTE DOMAIN d x', 'TO', 'x'],
    ['PROMOTE DOMAIN d TO', 'ref:domain', ''],
    ['ALTER USER u x', 'SET', 'x'],
    ['DROP USER', 'ref:user', ''],
  ])('%s', (text, expected, found) => {
    const shown = found === '' ? 'end of input' : found === "'x'" ? '"x"' : found;
    expectRefusal(text, `expected ${expected}, found ${shown}`, found);
  });
});

describe('NSPL 1.4, 4, 5, 14.2: refusals with their own message', () => {
  const basis = 'preview basis must be 64 lower-case hexadecimal digits';
  test.each([
    ["UPLOAD RESOURCE r VERSION ''", 'local_path must not be empty', "''"],
    ["BACKUP DOMAIN TO ''", 'local_path must not be empty', "''"],
    ["RESTORE CLUSTER FROM ''", 'local_path must not be empty', "''"],
    ["DESCRIBE BACKUP ''", 'local_path must not be empty', "''"],
    ["ATTACH TRANSACTION ''", 'transaction_id must not be empty', "''"],
    ["COMMIT EXPECT '' POSITION", 'transaction_id must not be empty', "''"],
    ["COMMIT EXPECT 'a' POSITION x", "invalid integer 'x'", 'x'],
    [
      `COMMIT EXPECT 'a' POSITION 1 BASIS '${digest.toUpperCase()}'`,
      basis,
      `'${digest.toUpperCase()}'`,
    ],
    [`COMMIT EXPECT 'a' POSITION 1 BASIS '${digest}0'`, basis, `'${digest}0'`],
    ["COMMIT EXPECT 'a' POSITION 1 BASIS ''", basis, "''"],
    ["BACKUP CLUSTER TO 'f' TIMEOUT soon", "invalid duration 'soon': number expected", 'soon'],
    [
      "BACKUP CLUSTER TO 'f' TIMEOUT 1000y",
      "invalid duration '1000y': it exceeds 64-bit nanoseconds",
      '1000y',
    ],
    ['START AT NOW TIME RATE 0', "invalid time rate '0': it must be greater than zero", '0'],
    ['START AT NOW TIME RATE 1e999', "invalid time rate '1e999': it is not finite", '1e999'],
  ])('%s', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });
});
