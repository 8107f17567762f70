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

const placement = (nodes: string) => `CREATE PLACEMENT p FROM ${nodes} TO z NEUTRAL;`;
const junction = (name: string) =>
  `CREATE JUNCTION ${name} FROM i UNBRANCHED TO o FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`;
const user = (name: string) => `CREATE USER ${name} WITH PASSWORD 'p';`;

test.each([
  ['from where a node of any kind is meant', [junction('a'), junction('q'), placement('¦a, q')]],
  ['in another domain, of what has none', ['USE a;', user('q'), 'USE b;', user('¦u')]],
  ['in a domain that may be this one', ['CREATE RELAY q SCHEMA s UNBRANCHED; USE d;', relay]],
  ['by ALTER', ['ALTER PLACEMENT p RENAME TO q;', placement('a').replace('p', '¦r')]],
])('a name is taken %s', (_where, statements) => {
  expect(() => renamed(statements.join(' '), 'q')).toThrow("'q' is defined already");
});

test.each([
  ['a reference to what is defined elsewhere', [relay, 'DROP RELAY q;']],
  ['a reference of any kind', [junction('¦a'), placement('a, q')]],
  ['another domain', ['USE ¦a; DROP RELAY r; USE q; DROP RELAY r;']],
])('a name that would mix up what was apart is refused: %s', (_what, statements) => {
  expect(() => renamed(statements.join(' '), 'q')).toThrow("'q' names something else already");
});

test.each([
  ['another kind', [relay, 'DROP BRANCH q;']],
  ['another domain', ['USE a; DROP RELAY q; USE b;', relay]],
])('what keeps apart from the new name does not matter: %s', (_what, statements) => {
  expect(renamed(statements.join(' '), 'q')).toContain('RELAY q SCHEMA');
});

test('other letters of the same name mix nothing up', () => {
  const text = `DROP RELAY r; USE a; DROP RELAY r; USE b; ${relay}`;
  expect(renamed(text, 'R')).toBe(
    'DROP RELAY R; USE a; DROP RELAY r; USE b; CREATE RELAY R SCHEMA s UNBRANCHED;',
  );
});

test('a name that ALTER gave', () => {
  const text = 'ALTER PLACEMENT p RENAME TO r; DROP PLACEMENT ¦r; DROP PLACEMENT p;';
  expect(renamed(text, 'q')).toBe(
    'ALTER PLACEMENT p RENAME TO q; DROP PLACEMENT q; DROP PLACEMENT p;',
  );
});

test('NSPL 3.2: a name that changes how a statement is read is refused', () => {
  const text = 'ALTER PLACEMENT p SET FROM a, ¦b TO c;';
  expect(() => renamed(text, 'set')).toThrow('a statement would be refused: ');
  expect(renamed(text, 'd')).toBe('ALTER PLACEMENT p SET FROM a, d TO c;');
  // Of a text that is refused anyway nothing can be said.
  expect(renamed(`${text} x`, 'set')).toContain('a, set TO c');
});
