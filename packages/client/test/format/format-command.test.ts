import { closeSync, createReadStream, openSync } from 'node:fs';
import { chmod, readdir, stat, utimes } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runFormat } from '../../src/cli/format/format-command.js';
import { Output } from '../../src/cli/output.js';
import { type NervixOptions, type NervixResult, runNervix } from '../support/run-nervix.js';
import { ScriptFolder } from '../support/script-folder.js';

const ODD = 'begin;// a\nuse  D ;';
const FORMATTED = 'BEGIN; // a\nUSE d;\n';
const offline = { NERVIX_SERVER: 'http://127.0.0.1:1', NERVIX_PASSWORD: '' };
const brokenPrinter = new URL('../support/broken-printer-hooks.mjs', import.meta.url).href;

/** Runs `nervix format` in a folder, without a server and without a password. */
function runIn(
  folder: ScriptFolder,
  args: readonly string[],
  options: NervixOptions = {},
): Promise<NervixResult> {
  return runNervix(args, { cwd: folder.root, env: offline, ...options });
}

describe('CL-89: files in place', () => {
  test('are rewritten where they differ, each told by its path', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': ODD,
      'sub/b.nspl': 'create schema s (a u32);\nbegin',
      'sub/c.nspl': FORMATTED,
      'd.txt': ODD,
    });
    await chmod(folder.path('a.nspl'), 0o600);
    const past = new Date('2020-01-01T00:00:00Z');
    await utimes(folder.path('sub/c.nspl'), past, past);
    const before = await stat(folder.path('sub/c.nspl'));
    const result = await runIn(folder, ['format', 'd.txt', '.']);
    expect(result).toEqual({
      code: 0,
      stdout: 'd.txt\na.nspl\nsub/b.nspl\n',
      stderr: '4 files: 3 formatted, 1 unchanged\n',
    });
    expect(await folder.read('a.nspl')).toBe(FORMATTED);
    expect(await folder.read('sub/b.nspl')).toBe('CREATE SCHEMA s (\n  a U32\n);\n\nBEGIN;\n');
    expect(await folder.read('d.txt')).toBe(FORMATTED);
    expect((await stat(folder.path('a.nspl'))).mode & 0o777).toBe(0o600);
    const after = await stat(folder.path('sub/c.nspl'));
    expect([after.mtimeMs, after.ino]).toEqual([before.mtimeMs, before.ino]);
    expect(await readdir(folder.root)).toEqual(['a.nspl', 'd.txt', 'sub']);

    const again = await runIn(folder, ['format', '.']);
    expect(again).toEqual({ code: 0, stdout: '', stderr: '3 files: 3 unchanged\n' });
  });

  test('behind a symbolic link that is named keep the link', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD });
    await folder.link('link.nspl', 'a.nspl');
    expect((await runIn(folder, ['format', 'link.nspl'])).stdout).toBe('link.nspl\n');
    expect(await folder.read('a.nspl')).toBe(FORMATTED);
    expect(await folder.read('link.nspl')).toBe(FORMATTED);
  });
});

describe('CL-89: other ways', () => {
  test('--check prints the paths of what is not formatted and writes nothing', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD, 'b.nspl': FORMATTED, 'c.nspl': ODD });
    expect(await runIn(folder, ['format', '--check', '.'])).toEqual({
      code: 1,
      stdout: 'a.nspl\nc.nspl\n',
      stderr: '3 files: 2 not formatted, 1 formatted\n',
    });
    expect(await folder.read('a.nspl')).toBe(ODD);
    expect(await runIn(folder, ['format', '--check', 'b.nspl'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 file: 1 formatted\n',
    });
  });

  test('--stdout prints the texts and writes nothing', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD, 'b.nspl': FORMATTED });
    expect(await runIn(folder, ['format', '--stdout', 'a.nspl', 'b.nspl'])).toEqual({
      code: 0,
      stdout: FORMATTED + FORMATTED,
      stderr: '',
    });
    expect(await folder.read('a.nspl')).toBe(ODD);
  });

  test.each([
    ['is printed', ['-'], ODD, { code: 0, stdout: FORMATTED, stderr: '' }],
    [
      'is checked',
      ['--check', '-'],
      ODD,
      { code: 1, stdout: 'stdin\n', stderr: '1 file: 1 not formatted\n' },
    ],
    [
      'is refused as a file is',
      ['-'],
      'begin; use;',
      {
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/^stdin:1:11: expected .*\n {2}1 \| begin; use;\n.*\^\n$/),
      },
    ],
  ])('standard input %s', async (_name, args, stdin, expected) => {
    const folder = await ScriptFolder.create({});
    expect(await runIn(folder, ['format', ...args], { stdin })).toEqual(expected);
  });
});

describe('BC-03: nothing to do', () => {
  test('an empty script and comments alone are no success of a check, and stay as they are', async () => {
    const comments = '  // a\r\n\n\n// b';
    const folder = await ScriptFolder.create({ 'a.nspl': '', 'b.nspl': comments });
    const said =
      'a.nspl: nothing to do, it has no statements\nb.nspl: nothing to do, it has no statements\n';
    const result = { code: 0, stdout: '', stderr: `${said}2 files: 2 without statements\n` };
    expect(await runIn(folder, ['format', '--check', '.'])).toEqual(result);
    expect(await runIn(folder, ['format', '.'])).toEqual(result);
    const printed = await runIn(folder, ['format', '--stdout', 'a.nspl', 'b.nspl']);
    expect(printed).toEqual({ code: 0, stdout: comments, stderr: said });
    expect(await folder.read('b.nspl')).toBe(comments);
  });

  test('a pattern that matches nothing is a usage error, before anything is written', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD });
    expect(await runIn(folder, ['format', '--check', 'a.nspl', 'x/*.nspl'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: nothing to format: x/*.nspl matches no file\n',
    });
    const asJson = await runIn(folder, ['--format', 'json', 'format', 'a.nspl', 'x/*.nspl']);
    expect(asJson.code).toBe(2);
    expect(JSON.parse(asJson.stdout)).toEqual({
      error: {
        code: 'INVALID_ARGUMENTS',
        message: 'nothing to format: x/*.nspl matches no file',
      },
    });
    expect(await folder.read('a.nspl')).toBe(ODD);
  });
});

describe('CL-90: exit codes', () => {
  test.each([
    ['no path', []],
    ['two ways', ['--check', '--stdout', 'a.nspl']],
    ['standard input and a file', ['-', 'a.nspl']],
    ['an unknown flag', ['--write', 'a.nspl']],
  ])('2: %s', async (_name, args) => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD });
    const result = await runIn(folder, ['format', ...args], { stdin: ODD });
    expect(result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: /),
    });
    expect(await folder.read('a.nspl')).toBe(ODD);
  });

  test('3: errors are told at their places and keep no other file from being formatted', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': '// x\nbegin;\nuse a b;\nuse cd e;',
      'b.nspl': '\ufeffBEGIN;',
      'c.nspl': ODD,
    });
    expect(await runIn(folder, ['format', '.'])).toEqual({
      code: 3,
      stdout: 'c.nspl\n',
      stderr: [
        'a.nspl:3:7: expected ;, found b',
        '  3 | use a b;',
        '    |       ^',
        'a.nspl:4:8: expected ;, found e',
        '  4 | use cd e;',
        '    |        ^',
        "b.nspl:1:1: unexpected character '<U+FEFF>'",
        '  1 | <U+FEFF>BEGIN;',
        '    | ^^^^^^^^',
        '3 files: 1 formatted, 2 not readable as NSPL',
        '',
      ].join('\n'),
    });
    expect(await folder.read('c.nspl')).toBe(FORMATTED);
    expect(await folder.read('b.nspl')).toBe('\ufeffBEGIN;');
  });

  test('3: a password near an error is not shown (CL-83)', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': "create user a with password\n'b' 'hunter2';",
    });
    const result = await runIn(folder, ['format', 'a.nspl']);
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/^a\.nspl:2:5: .*found a string\n1 file: /);
  });

  test('3: a file longer than any script is not read', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': Buffer.alloc(2 ** 24 + 1, ' ') });
    const result = await runIn(folder, ['format', 'a.nspl']);
    expect(result).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a.nspl:1:1: text exceeds 16777216 bytes'),
    });
  });

  test('4: what is not UTF-8 and what cannot be written', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': Buffer.from([0x2f, 0x2f, 0xe9]),
      'c.nspl': ODD,
    });
    // There is room for the file's path, but not for the longer one of a temporary file.
    const room = 4085 - folder.root.length - '/a.nspl'.length;
    const deep = Array.from({ length: room }, (_, at) => (at % 200 === 0 ? '/' : 'x')).join('');
    await folder.write(`${deep}/a.nspl`, ODD);
    const result = await runIn(folder, ['format', '.']);
    expect(result).toMatchObject({ code: 4, stdout: 'c.nspl\n' });
    expect(result.stderr).toContain('error: cannot read a.nspl: byte 2 is not valid UTF-8\n');
    expect(result.stderr).toMatch(/error: cannot write x.*a\.nspl: ENAMETOOLONG/);
    expect(result.stderr).toMatch(/3 files: 1 formatted, 2 failed\n$/);
    expect(await folder.read(`${deep}/a.nspl`)).toBe(ODD);
    expect(await readdir(folder.path(deep))).toEqual(['a.nspl']);
  });

  test('4: an output that cannot be written', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD });
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const result = await runIn(folder, ['format', '--stdout', 'a.nspl'], { stdout: full });
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('ENOSPC') });
  });

  test('5: a text that would say something else is not written', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD, 'b.nspl': 'stop' });
    const result = await runIn(folder, ['format', '.'], { imports: [brokenPrinter] });
    expect(result).toEqual({
      code: 5,
      stdout: 'b.nspl\n',
      stderr:
        'error: a.nspl: defect of the formatter, nothing was written: ' +
        'the statement in line 1 is not kept\n' +
        '2 files: 1 formatted, 1 not formatted because of a defect\n',
    });
    expect(await folder.read('a.nspl')).toBe(ODD);
    expect(await folder.read('b.nspl')).toBe('STOP;\n');
  });

  test('of several failures the highest code counts', async () => {
    const folder = await ScriptFolder.create({
      '1/unformatted.nspl': 'stop',
      '2/refused.nspl': 'use;',
      '3/failed.nspl': Buffer.from([0xff]),
      '4/defect.nspl': 'begin',
    });
    const codes: (number | null)[] = [];
    for (const folders of ['2 1', '3 2 1', '4 3 2 1']) {
      const args = ['format', '--check', ...folders.split(' ')];
      const result = await runIn(folder, args, { imports: [brokenPrinter] });
      expect(result.stdout).toBe('1/unformatted.nspl\n');
      codes.push(result.code);
    }
    expect(codes).toEqual([3, 4, 5]);
  });
});

describe('CL-85: one JSON document', () => {
  test('of all files', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD, 'b.nspl': FORMATTED, 'c.nspl': '' });
    const counts = { statements: 2, comments: 1 };
    const unformatted = [
      { path: 'a.nspl', outcome: 'unformatted', ...counts },
      { path: 'b.nspl', outcome: 'unchanged', ...counts },
      { path: 'c.nspl', outcome: 'nothing_to_do', statements: 0, comments: 0 },
    ];
    const checked = await runIn(folder, ['--format', 'json', 'format', '--check', '.']);
    expect(checked).toEqual({
      code: 1,
      stdout: `${JSON.stringify({ files: unformatted })}\n`,
      stderr: '',
    });
    const written = await runIn(folder, ['format', '.'], {
      env: { ...offline, NERVIX_FORMAT: 'json' },
    });
    expect(written.code).toBe(0);
    expect(JSON.parse(written.stdout).files[0]).toEqual({
      ...unformatted[0],
      outcome: 'formatted',
    });
    const input = await runIn(folder, ['--format', 'json', 'format', '-'], { stdin: ODD });
    expect(JSON.parse(input.stdout)).toEqual({
      files: [{ path: 'stdin', outcome: 'formatted', ...counts, text: FORMATTED }],
    });
  });

  test('of a failure, with what became of every file', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': 'use a b',
      'b.nspl': Buffer.from([0xff]),
      'c.nspl': ODD,
    });
    const { code, stdout, stderr } = await runIn(folder, ['--format', 'json', 'format', '.']);
    expect(code).toBe(4);
    const message = 'cannot read b.nspl: byte 0 is not valid UTF-8';
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'CLIENT_CONFIGURATION',
        message,
        report: {
          files: [
            {
              path: 'a.nspl',
              outcome: 'refused',
              diagnostics: [
                {
                  code: 'NSPL_SYNTAX',
                  stage: 'parse',
                  message: 'expected ;, found b',
                  source: 'a.nspl',
                  span: { start: 6, end: 7 },
                  start: { line: 1, column: 7 },
                  end: { line: 1, column: 8 },
                },
              ],
            },
            { path: 'b.nspl', outcome: 'failed', message },
            { path: 'c.nspl', outcome: 'formatted', statements: 2, comments: 1 },
          ],
        },
      },
    });
    expect(stderr).toContain('a.nspl:1:7: expected ;, found b\n');
    const parsing = await runIn(folder, ['--format', 'json', 'format', 'a.nspl']);
    expect(parsing.code).toBe(3);
    expect(JSON.parse(parsing.stdout).error).toMatchObject({
      code: 'PARSE_FAILED',
      message: 'a.nspl: parse error: expected ;, found b',
    });
  });
});

describe('CL-87: an interruption', () => {
  const silent = new Output('text', {
    out: () => undefined,
    err: () => undefined,
    hasColor: false,
  });

  test('leaves the files alone that have not been formatted', async () => {
    const folder = await ScriptFolder.create({ 'a.nspl': ODD });
    const context = { output: silent, input: new PassThrough(), signal: AbortSignal.abort() };
    expect(await runFormat({ paths: [folder.root], mode: 'write' }, context)).toBe(130);
    expect(await folder.read('a.nspl')).toBe(ODD);
  });

  test('ends the wait for standard input', async () => {
    const interruption = new AbortController();
    const context = { output: silent, input: new PassThrough(), signal: interruption.signal };
    const ended = runFormat({ paths: ['-'], mode: 'write' }, context);
    setImmediate(() => interruption.abort());
    expect(await ended).toBe(130);
  });
});

test('CL-90: an endless standard input is not read to its end', async () => {
  const errors: string[] = [];
  const output = new Output('text', {
    out: () => undefined,
    err: (text) => void errors.push(text),
    hasColor: false,
  });
  const context = {
    output,
    input: createReadStream('/dev/zero'),
    signal: new AbortController().signal,
  };
  expect(await runFormat({ paths: ['-'], mode: 'write' }, context)).toBe(3);
  expect(errors.join('')).toContain('text exceeds 16777216 bytes');
});
