import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as scheduler from '../src/index.js';

const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');
const blockOf = (language: string) =>
  readme.match(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``))![1]!;

test('the example of the README prints what the README says', () => {
  const example = blockOf('ts');
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(20);
  const body = stripTypeScriptTypes(example).replace(
    /^import (\{.*?\}) from '@nervix\/scheduler';/,
    'const $1 = scheduler;',
  );
  const printed: string[] = [];
  const log = (...values: readonly unknown[]) => printed.push(values.join(' '));
  new Function('scheduler', 'console', body)(scheduler, { log });
  expect(`${printed.join('\n')}\n`).toBe(blockOf('text'));
});

test('the README names only what the package exports', () => {
  const tables = readme.slice(0, readme.indexOf('## Errors')).match(/^\| .*$/gm)!;
  const named = tables.flatMap((line) =>
    [...line.matchAll(/`([a-zA-Z]+)`/g)].map(([, name]) => name!),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in scheduler))).toEqual([]);
});

test('the table of error codes and the README agree both ways', () => {
  const documented = [...readme.matchAll(/^\| `(SCHED_\w+)` \|/gm)].map(([, code]) => code);
  expect(documented).toEqual(scheduler.SCHEDULE_ERROR_CODES);
});
