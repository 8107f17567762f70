import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runNervix } from '../support/run-nervix.js';

const readme = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
const start = readme.indexOf('### Plans and differences');
const section = readme.slice(start, readme.indexOf('\n### ', start + 4));
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';

test('the example of the README plans and differs as the README says', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [, statement = ''] = /`new\.nspl` with `([^`]+)`/.exec(section) ?? [];
  writeFileSync(path.join(folder, 'base.nspl'), block('sql'));
  writeFileSync(path.join(folder, 'new.nspl'), statement);
  writeFileSync(path.join(folder, 'both.nspl'), block('sql') + statement);
  const options = { cwd: folder };
  const plan = ['plan', '--file', 'new.nspl', '--against', 'base.nspl'];
  const planned = await runNervix(plan, options);
  expect(planned.stdout.startsWith(block('text'))).toBe(true);
  const differing = await runNervix(['diff', 'base.nspl', 'both.nspl'], options);
  expect(section).toContain(`\`${differing.stdout.trim()}\``);
  expect([planned.code, differing.code]).toEqual([0, 1]);
});
