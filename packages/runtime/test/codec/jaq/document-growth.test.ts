import { afterAll, describe, expect, test } from 'vitest';
import { CBOR_PAYLOAD } from '../../../src/codec/jaq/cbor-payload.js';
import { DocumentReader } from '../../../src/codec/jaq/document-reader.js';
import type { JaqValues } from '../../../src/codec/jaq/jaq-payload.js';
import { JSON_PAYLOAD } from '../../../src/codec/jaq/json-payload.js';
import { XML_PAYLOAD } from '../../../src/codec/jaq/xml-payload.js';

const reader = new DocumentReader(60_000);
afterAll(() => reader.close());

type Read = (bytes: Uint8Array, start: number, end: number) => JaqValues;
const READS: Readonly<Record<string, Read>> = {
  YAML: (bytes, start, end) => reader.read('YAML', bytes, start, end),
  TOML: (bytes, start, end) => reader.read('TOML', bytes, start, end),
  XML: XML_PAYLOAD.read,
  JSON: JSON_PAYLOAD.read,
  CBOR: CBOR_PAYLOAD.read,
};

const each = (count: number, print: (at: number) => string, between = '') =>
  Array.from({ length: count }, (_, at) => print(at)).join(between);

/** Texts of any size that a reader may take more than linear time for. */
const FAMILIES: readonly (readonly [string, string, (count: number) => string])[] = [
  ['YAML', 'keys of a block', (count) => each(count, (at) => `k${at}: 1\n`)],
  ['YAML', 'keys of a flow', (count) => `{${each(count, (at) => `k${at}: 1`, ', ')}}`],
  ['YAML', 'anchors', (count) => '&a '.repeat(count)],
  ['YAML', 'anchors on lines', (count) => '&a\n'.repeat(count)],
  ['YAML', 'tags', (count) => '!a '.repeat(count)],
  ['YAML', 'keys in keys', (count) => 'a: '.repeat(count)],
  ['YAML', 'items in items', (count) => '- '.repeat(count)],
  ['YAML', 'keys that are asked for', (count) => '? '.repeat(count)],
  ['YAML', 'open brackets', (count) => '['.repeat(count)],
  ['YAML', 'brackets', (count) => '['.repeat(count) + ']'.repeat(count)],
  ['YAML', 'braces', (count) => '{a: '.repeat(count)],
  ['YAML', 'aliases', (count) => `- &a 1\n${'- *a\n'.repeat(count)}`],
  ['YAML', 'anchored aliases', (count) => each(count, (at) => `- &a${at} 1\n- *a${at}\n`)],
  ['YAML', 'documents', (count) => '--- a\n'.repeat(count)],
  ['YAML', 'lines of a text', (count) => `"${'a\n '.repeat(count)}"`],
  ['TOML', 'keys', (count) => each(count, (at) => `k${at}=1\n`)],
  ['TOML', 'tables', (count) => each(count, (at) => `[t${at}]\n`)],
  ['TOML', 'arrays of tables', (count) => '[[a]]\n'.repeat(count)],
  ['TOML', 'dotted keys', (count) => `${'a.'.repeat(count)}a=1`],
  ['TOML', 'open brackets', (count) => `a=${'['.repeat(count)}`],
  ['TOML', 'comments in an array', (count) => `a=[${'#\n'.repeat(count)}]`],
  ['XML', 'elements in elements', (count) => '<a>'.repeat(count)],
  ['XML', 'children', (count) => `<a>${'x<b/>'.repeat(count)}</a>`],
  ['XML', 'attributes', (count) => `<a ${each(count, (at) => `k${at}="1"`, ' ')}/>`],
  ['XML', 'references', (count) => `<a k="${'&lt;'.repeat(count)}">${'&lt;'.repeat(count)}</a>`],
  ['XML', 'a long entity', (count) => `<a>&${'a'.repeat(count)}</a>`],
  ['JSON', 'members', (count) => `{${each(count, (at) => `"k${at}":1`, ',')}}`],
  ['JSON', 'open brackets', (count) => '['.repeat(count)],
  ['CBOR', 'arrays in arrays', (count) => '\u0081'.repeat(count)],
  ['CBOR', 'items', (count) => '\u0001'.repeat(count)],
];

/** Processor time of all threads, in milliseconds. */
function cost(format: string, text: string): number {
  const read = READS[format];
  if (read === undefined) throw new Error(format);
  const bytes = Buffer.from(text, format === 'CBOR' ? 'latin1' : 'utf8');
  const before = process.cpuUsage();
  read(bytes, 0, bytes.length);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('ten times as many bytes take about ten times as long', () => {
  test.each(FAMILIES)('%s: %s', (format, _, textOf) => {
    cost(format, textOf(1_000));
    const small = Math.max(cost(format, textOf(2_000)), cost(format, textOf(2_000)), 5);
    expect(cost(format, textOf(20_000))).toBeLessThan(20 * small);
  });
});

describe('what no reader should work on', () => {
  const read = (format: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    return READS[format]?.(bytes, 0, bytes.length);
  };

  test.each([
    ['YAML', '[', ']'],
    ['TOML', 'a = [', ']'],
  ])('%s nests 128 levels and no more', (format, open, close) => {
    const head = open.slice(0, -1);
    const text = (depth: number) => `${head}${'['.repeat(depth)}${close.repeat(depth)}`;
    expect(read(format, text(127))).toMatchObject({ kind: 'values' });
    expect(read(format, text(130))).toMatchObject({ kind: 'defect' });
  });

  test.each([
    ['a repeated key', '{a: 1, b: 2, "a": 3}', 'malformed YAML'],
    ['an equal key of another type', '{1: a, "1": b}', 'malformed YAML'],
    ['a repeated key far below', '- {x: {a: 1, a: 2}}', 'malformed YAML'],
    ['a key that is a list', '? [a]\n: 1', 'unusable YAML: a key that is no scalar'],
    ['an alias of nothing', '- *a', 'unusable YAML: aliases'],
    ['an alias of itself', '&a [*a]', 'unusable YAML: aliases'],
    ['a raw NUL', 'a: "x\0"', 'malformed YAML'],
    ['a second byte order mark', '\ufeffa: 1', 'malformed YAML'],
  ])('YAML with %s', (_, text, cause) => {
    expect(read('YAML', text)).toMatchObject({ kind: 'defect', cause });
  });

  test.each(['TOML', 'XML'])('%s with a second byte order mark (CN-386)', (format) => {
    const text = format === 'XML' ? '\ufeff<a/>' : '\ufeffa = 1';
    expect(read(format, text)).toMatchObject({ kind: 'defect', cause: `malformed ${format}` });
  });

  test('aliases stand for what their anchors hold', () => {
    expect(read('YAML', '- &a {x: 1}\n- *a\n- &a 2\n- *a\n')).toEqual({
      kind: 'values',
      texts: ['[{"x":1},{"x":1},2,2]'],
    });
  });

  test('a text that takes too long loses its thread, and the next one is read (CN-326)', () => {
    const hasty = new DocumentReader(250);
    const next = (text: string) =>
      hasty.read('YAML', new TextEncoder().encode(text), 0, text.length);
    expect(next('- a: 1\n'.repeat(500_000))).toEqual({
      kind: 'defect',
      cause: 'unusable YAML: reading exceeded its limits',
      input: 0,
    });
    expect(next('a: 1')).toEqual({ kind: 'values', texts: ['{"a":1}'] });
    hasty.close();
  });
});
