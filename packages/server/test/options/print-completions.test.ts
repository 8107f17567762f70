import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPTION_SPECS } from '../../src/options/option-table.ts';
import { COMPLETION_SHELLS, printCompletions } from '../../src/options/print-completions.ts';

function script(shell: string): string {
  const text = printCompletions(shell, 'nervixd', [{ name: 'version', help: "the program's own" }]);
  if (text === undefined) throw new Error(`no completions for ${shell}`);
  return text;
}

test.each(['elvish', 'powershell', 'sh', '', 'constructor'])('there are none for %j', (shell) => {
  expect(printCompletions(shell, 'nervixd', [])).toBeUndefined();
});

describe.each(COMPLETION_SHELLS)('CL-106: completions of %s', (shell) => {
  test('hold every flag that is no secret', () => {
    const text = script(shell);
    for (const { name, isSecret } of OPTION_SPECS) {
      const flag = shell === 'fish' ? ` -l ${name} ` : `--${name}`;
      if (isSecret) expect(text).not.toContain(name);
      else expect(text).toContain(flag);
    }
    expect(text).toContain('version');
    expect(text).toContain('trace debug info warn error off');
  });
});

// Continuous integration installs every shell; elsewhere those that are there must do.
const installed = COMPLETION_SHELLS.filter(
  (shell) => spawnSync(shell, ['--version']).error === undefined,
);
test.each(installed)('CL-106: %s can read its completions', (shell) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'completions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, `nervixd.${shell}`);
  writeFileSync(file, script(shell));
  const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

describe('CL-106: what bash completes', () => {
  /** The words that the completion of a command line offers. */
  function offers(words: readonly string[], cwd = tmpdir()): string[] {
    const line = ['nervixd', ...words].map((word) => `'${word}'`).join(' ');
    const call = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _nervixd`;
    const input = `${script('bash')}${call}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', [], { input, cwd, encoding: 'utf8' });
    return stdout.split('\n').filter((word) => word !== '');
  }

  test.each([
    [['--log-'], ['--log-format']],
    [['comp'], ['completions']],
    [
      ['completions', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [
      ['--log-format', ''],
      ['json', 'text'],
    ],
    [['--log-format', '=', 't'], ['text']],
    [
      ['--log-format', '='],
      ['json', 'text'],
    ],
    [['--node-id', ''], []],
    [['--allow-unauthenticated-listeners', '--ver'], ['--version']],
  ])('%j', (words, expected) => {
    expect(offers(words)).toEqual(expected);
  });

  test('folders, also such with blanks', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'completions-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(path.join(folder, 'my state'));
    expect(offers(['--db-path', 'my'], folder)).toEqual(['my state']);
  });
});
