import { readFileSync } from 'node:fs';
import * as parser from '@nervix/nspl-parser';
import * as planner from '@nervix/planner';
import { expect, test } from 'vitest';
import * as engine from '../src/engine.js';

const DOCUMENT = readFileSync(
  new URL('../../../docs/reference/library.md', import.meta.url),
  'utf8',
);
const PACKAGES = { ...parser, ...planner, ...engine };

test('the example of the library runs and shows what it says', () => {
  const [, code = ''] = /```js\n([^`]*(?:`[^`\n]*`[^`]*)*?)```/u.exec(DOCUMENT) ?? [];
  const body = code.replace(/^import \{ (.*) \} from .*$/gmu, 'const { $1 } = packages;');
  expect(body).not.toContain('import');
  const shown: unknown[] = [];
  const run = new Function('packages', 'console', body);
  run(PACKAGES, { log: (value: unknown) => shown.push(value) });
  expect(shown).toEqual([
    [
      ['a', 12n, 2n],
      ['b', 1n, 1n],
    ],
  ]);
});

test('the table of contexts has each of them once', () => {
  const section = DOCUMENT.split('## Contexts of expressions')[1]?.split('\n## ')[0] ?? '';
  const table = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
  const named = [...table.matchAll(/`([a-z_]+)`/gu)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(planner.EXPRESSION_CONTEXTS).sort());
});
