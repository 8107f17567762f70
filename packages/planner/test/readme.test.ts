import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import * as parser from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import * as planner from '../src/index.js';

const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );

function printedBy(example: string): string {
  const body = stripTypeScriptTypes(example).replace(
    /^import (\{.*?\}) from '@nervix\/(planner|nspl-parser)';/gm,
    (_, names, name) => `const ${names} = ${name === 'planner' ? 'planner' : 'parser'};`,
  );
  const printed: string[] = [];
  const log = (...values: readonly unknown[]) => printed.push(values.join(' '));
  new Function('planner', 'parser', 'console', body)(planner, parser, { log });
  return `${printed.join('\n')}\n`;
}

test('the first example of the README plans', () => {
  expect(printedBy(blocks('ts')[0] ?? '')).toBe('trips\n');
});

test('the example of a list of statements prints what the README says', () => {
  const printed = printedBy(blocks('ts')[1] ?? '').replace(/[0-9a-f]{64}/, 'BASIS');
  expect(printed).toBe(blocks('text')[0]);
});
