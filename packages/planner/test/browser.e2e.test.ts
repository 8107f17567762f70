import { fileURLToPath } from 'node:url';
import { evaluateInChromium } from '@nervix/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as planner from '../src/index.js';
import { probe } from './support/browser-probe.ts';
import { SAMPLE } from './support/models.js';
import { read, running } from './support/transactions.js';

const PACKAGE = fileURLToPath(new URL('../dist/index.js', import.meta.url));
const PROBE = fileURLToPath(new URL('support/browser-probe.ts', import.meta.url));

async function bundled(entry: string, globalName: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    target: 'es2024',
    format: 'iife',
    globalName,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.inputs).flatMap((file) => file.imports);
  expect(imports.filter(({ external }) => external)).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

test.each([
  ['a plan', 'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant; CREATE RESOURCE r; STOP'],
  ['refusals', 'ALTER RELAY nope SET CAPACITY 2; START'],
])('the package in one file makes %s in Chromium as it does in Node', async (_, text) => {
  const snapshot = running(SAMPLE);
  const statements = read(text);
  const [whole, probing] = await Promise.all([
    bundled(PACKAGE, 'Planner'),
    bundled(PROBE, 'Probe'),
  ]);
  const input = `const [snapshot, statements] = ${JSON.stringify([snapshot, statements])};`;
  const inChromium = await evaluateInChromium(
    [whole, probing, input],
    'Probe.probe(Planner, snapshot, statements)',
  );
  expect(inChromium).toBe(probe(planner, snapshot, statements));
  expect(inChromium.length).toBeGreaterThan(100);
});
