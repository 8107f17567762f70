import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..', '..');
const script = path.join(root, 'scripts', 'nervix.mjs');

/** Runs `nervix format --check here.nspl`; the output names the file that was found. */
function check(cwd: string, env: Readonly<Record<string, string>>): string {
  const clean = { ...process.env };
  for (const name of ['INIT_CWD', 'npm_lifecycle_event']) delete clean[name];
  const options = { cwd, env: { ...clean, ...env }, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [script, 'format', '--check', 'here.nspl'],
    {
      ...options,
    },
  );
  return stdout + stderr;
}

test('CL-89: paths are those of the folder that the command was called in', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'here.nspl'), 'stop;');
  expect(check(folder, {})).toContain('1 not formatted');
  // What npm tells of a caller counts inside a script of npm only.
  const called = { npm_lifecycle_event: 'nervix', INIT_CWD: folder };
  expect(check(root, called)).toContain('1 not formatted');
  expect(check(root, { INIT_CWD: folder })).toContain('matches no file');
});
