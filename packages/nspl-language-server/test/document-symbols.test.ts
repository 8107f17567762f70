import { expect, test } from 'vitest';
import { documentSymbols } from '../src/document-symbols.ts';
import { SourceDocument } from '../src/source-document.ts';

test('what is created is a symbol; what is altered or gets another name is none', () => {
  const text =
    'CREATE SCHEMA s (a U8, b U8); CREATE PLACEMENT p FROM x TO y NEUTRAL; ' +
    'ALTER PLACEMENT p RENAME TO q; ALTER SCHEMA s RENAME FIELD a TO c; DROP PLACEMENT q;';
  const document = new SourceDocument({ uri: 'file:///a.nspl', version: 1, text }, 'utf-16');
  const symbols = documentSymbols(document).map(({ name, detail, children = [] }) => [
    name,
    detail,
    children.map((child) => child.name),
  ]);
  expect(symbols).toEqual([
    ['s', 'schema', ['a', 'b']],
    ['p', 'placement', []],
  ]);
});
