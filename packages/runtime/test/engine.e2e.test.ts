import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import * as parser from '@nervix/nspl-parser';
import * as planner from '@nervix/planner';
import { evaluateInChromium } from '@nervix/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as engine from '../src/engine.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const EXAMPLE = /```js\n(import \{ parseExpression \}[^`]*)```/u.exec(README)?.[1] ?? '';
/** The example leaves what it would show in the global object. */
const SHOWN = EXAMPLE.replace(
  'console.log(rows, failures);',
  'globalThis.shown = { rows, failures };',
);

const EXPECTED = [
  [
    ['KÖLN', '50'],
    ['NONE', '10'],
  ],
  [[1, 'division_by_zero', 'integer division by zero', ['input.km', 'output.pay']]],
];

/** What the example showed, as text. */
const SUMMARY = `JSON.stringify([
  shown.rows.map((row) => row.map(String)),
  shown.failures.map(({ row, kind, detail, paths }) => [row, kind, detail, paths]),
])`;

async function bundled(platform: 'browser' | 'node'): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: SHOWN, resolveDir: PACKAGE, loader: 'js' },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform,
    format: 'iife',
    target: 'es2024',
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.inputs).flatMap((file) => file.imports);
  expect(imports.filter(({ external }) => external)).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

test('the example of the engine has fewer than twenty lines of code', () => {
  expect(SHOWN).toContain('globalThis.shown');
  const lines = EXAMPLE.split('\n').filter((line) => line !== '' && !line.startsWith('import'));
  expect(lines.length).toBeLessThanOrEqual(17);
});

test('the example uses what the packages offer', () => {
  const offered = { ...parser, ...planner, ...engine };
  const names = [...EXAMPLE.matchAll(/^import \{ (.*) \}/gmu)].flatMap(([, list = '']) =>
    list.split(', '),
  );
  expect(names).toHaveLength(5);
  for (const name of names) expect(typeof Reflect.get(offered, name), name).toBe('function');
});

test('the example runs in Node', async () => {
  const context = vm.createContext({
    ...{ TextDecoder, TextEncoder, URL, crypto: globalThis.crypto },
  });
  vm.runInContext(await bundled('node'), context);
  expect(JSON.parse(String(vm.runInContext(SUMMARY, context)))).toEqual(EXPECTED);
});

test.each([
  ['where code may be made of text', true],
  ['where the policy of the page forbids that', false],
])('the example runs in Chromium %s', async (_, allowsEval) => {
  const script = await bundled('browser');
  expect(JSON.parse(await evaluateInChromium([script], SUMMARY, { allowsEval }))).toEqual(EXPECTED);
});
