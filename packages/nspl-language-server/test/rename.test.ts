import { expect, test } from 'vitest';
import { rename } from '../src/rename.ts';
import { SourceDocument } from '../src/source-document.ts';

/** The text after the word at `¦` has got another name. */
function renamed(marked: string, newName: string): string {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const document = new SourceDocument({ uri: 'file:///a.nspl', version: 1, text }, 'utf-16');
  const edits = rename(document, offset, newName)?.changes?.['file:///a.nspl'] ?? [];
  const parts: string[] = [];
  let end = 0;
  for (const { range, newText } of edits) {
    parts.push(text.slice(end, document.offsetAt(range.start)), newText);
    end = document.offsetAt(range.end);
  }
  return parts.join('') + text.slice(end);
}

const relay = 'CREATE RELAY ¦r SCHEMA s UNBRANCHED;';

test('a name and what refers to it', () => {
  expect(renamed(`${relay} DROP RELAY R;`, 'q')).toBe(
    'CREATE RELAY q SCHEMA s UNBRANCHED; DROP RELAY q;',
  );
});

test('a name that something of the kind has already is refused', () => {
  const both = `${relay} CREATE RELAY q SCHEMA s UNBRANCHED;`;
  expect(() => renamed(both, 'Q')).toThrow("'q' is defined already");
  expect(renamed(both, 'R')).toContain('RELAY R SCHEMA');
  expect(renamed(`${relay} CREATE BRANCH q SCHEMA s TTL 1s;`, 'q')).toContain('RELAY q SCHEMA');
});

test('NSPL 3.2: a name that changes how a statement is read is refused', () => {
  const text = 'ALTER PLACEMENT p SET FROM a, ¦b TO c;';
  expect(() => renamed(text, 'set')).toThrow('a statement would be refused: ');
  expect(renamed(text, 'd')).toBe('ALTER PLACEMENT p SET FROM a, d TO c;');
  // Of a text that is refused anyway nothing can be said.
  expect(renamed(`${text} x`, 'set')).toContain('a, set TO c');
});
