import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { evaluateInChromium } from '@nervix/testkit';
import { type BuildResult, build } from 'esbuild';
import { expect, test } from 'vitest';
import { STATEMENT_ENTRIES } from '../src/documentation.ts';
import type * as NsplParser from '../src/index.ts';
import { type ProbeInput, probe } from './support/browser-probe.ts';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly exports: { readonly '.': { readonly default: string } };
};

/** What an import of the package loads. */
const PACKAGE = fileURLToPath(new URL(`../${manifest.exports['.'].default}`, import.meta.url));
const PROBE = fileURLToPath(new URL('support/browser-probe.ts', import.meta.url));

/** Largest sizes of the whole package in one minified file. */
const MINIFIED_BYTES_MAX = 400 * 1024;
const GZIPPED_BYTES_MAX = 120 * 1024;

const INPUT: ProbeInput = {
  scripts: [
    ...STATEMENT_ENTRIES.flatMap(({ examples }) => examples),
    '// é 😀\r\ncreate relay Trips schema trip unbranched; stop ;\r\n',
    "CREATE RELAY é SCHEMA 'open",
    "USE a; SHOW CREATE RELAY '😀';\n\tSTOP STOP; CREATE RELAY message SCHEMA s UNBRANCHED",
  ],
  expressions: [
    'NOT (a AND b) OR -(-c) * 0.1 BETWEEN 1 AND 2',
    "TRY_CAST(input.x AS STRING AS I64) IN (lower('É'), JSON_VALUE(doc, '$[\"a b\"].c' AS VEC<U8>),)",
    '9223372036854775808',
    'a +',
  ],
  cursors: [
    '|',
    'CREATE REL|',
    'CREATE RELAY r SCHEMA |',
    "SHOW CREATE RELAY 'é😀' |; STOP|",
    'CREATE JUNCTION j FROM trips UNBRANCHED TO trips SET a = |',
  ],
};

function bundle(
  entry: string,
  globalName: string,
): Promise<BuildResult<{ metafile: true; write: false }>> {
  return build({
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
}

test('the package in one file runs in Chromium and does there what it does in Node', async ({
  annotate,
}) => {
  const [{ outputFiles, metafile }, probing] = await Promise.all([
    bundle(PACKAGE, 'NsplParser'),
    bundle(PROBE, 'Probe'),
  ]);
  const imports = Object.values(metafile.inputs).flatMap((file) => file.imports);
  expect(imports.filter(({ external }) => external)).toEqual([]);
  // What a package replaces by nothing for browsers is named so.
  expect(Object.keys(metafile.inputs).filter((file) => file.startsWith('(disabled)'))).toEqual([]);

  const [{ contents, text } = { contents: new Uint8Array(), text: '' }] = outputFiles;
  const gzipped = gzipSync(contents, { level: 9 }).length;
  await annotate(`minified ${contents.length} bytes, gzipped ${gzipped} bytes`);
  expect(contents.length).toBeLessThan(MINIFIED_BYTES_MAX);
  expect(gzipped).toBeLessThan(GZIPPED_BYTES_MAX);

  const parser = (await import(PACKAGE)) as typeof NsplParser;
  const inNode = probe(parser, INPUT);
  const inChromium = await evaluateInChromium(
    [text, probing.outputFiles[0]?.text ?? '', `const input = ${JSON.stringify(INPUT)};`],
    'Probe.probe(NsplParser, input)',
  );
  expect(JSON.parse(inChromium)).toEqual(JSON.parse(inNode));
  expect(inChromium).toBe(inNode);
  expect(inNode.length).toBeGreaterThan(100_000);
});

test('a package that needs Node could not be bundled', async () => {
  const contents = "export { readFileSync } from 'node:fs';";
  const stdin = { contents, loader: 'js' as const };
  const options = { stdin, bundle: true, write: false, logLevel: 'silent' as const };
  await expect(build({ ...options, platform: 'browser' })).rejects.toThrow('node:fs');
});

test('what fails in the page fails here', async () => {
  await expect(evaluateInChromium(['throw new Error("no < way")'], '1')).rejects.toThrow(
    'the page ended with error: Uncaught Error: no < way',
  );
  await expect(evaluateInChromium([], 'eval("1")')).rejects.toThrow('Content Security Policy');
});
