import { outlineScript } from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import { definitionOf, namedPlaces, samePlaces } from '../src/named-places.ts';

/** Offsets of the places that name the same as the one at `offset`. */
function same(text: string, offset: number): number[] {
  const outline = outlineScript(text);
  const place = namedPlaces(outline).find(({ span }) => span.start === offset);
  if (place === undefined) throw new Error('nothing is named there');
  return samePlaces(outline, place).map(({ span }) => span.start);
}

function definition(text: string, offset: number): number | undefined {
  const outline = outlineScript(text);
  const place = namedPlaces(outline).find(({ span }) => span.start === offset);
  if (place === undefined) throw new Error('nothing is named there');
  return definitionOf(outline, place)?.span.start;
}

test('kinds are apart: a schema and a relay may share a name', () => {
  const text = 'CREATE SCHEMA a (x U8); CREATE RELAY a SCHEMA a UNBRANCHED; DROP RELAY a';
  const [schema, relay, use, drop] = [14, 37, 46, text.length - 1];
  expect(same(text, schema)).toEqual([schema, use]);
  expect(same(text, relay)).toEqual([relay, drop]);
  expect(definition(text, drop)).toBe(relay);
});

test('domains are apart: USE tells which one the statements behind it speak of', () => {
  const text =
    'USE one; CREATE SCHEMA a (x U8); DROP SCHEMA a; USE two; DROP SCHEMA a; USE One; DROP SCHEMA a';
  const [created, dropped, elsewhere, again] = [...text.matchAll(/a(?=[ ;]|$)/gu)].map(
    ({ index }) => index,
  );
  if (created === undefined || elsewhere === undefined) throw new Error('not found');
  expect(same(text, created)).toEqual([created, dropped, again]);
  expect(definition(text, elsewhere)).toBeUndefined();
});

test('what stands before the first USE may be of any domain', () => {
  const text = 'CREATE SCHEMA a (x U8); USE one; DROP SCHEMA a';
  expect(definition(text, text.length - 1)).toBe(14);
});

test('of several definitions the last one before the reference counts', () => {
  const create = 'CREATE SCHEMA a (x U8); ';
  const text = `${create}${create}DROP SCHEMA a; ${create}`;
  expect(definition(text, 2 * create.length + 12)).toBe(create.length + 14);
  const before = `DROP SCHEMA a; ${create}${create}`;
  expect(definition(before, 12)).toBe(29);
});

test('a domain is one whatever is selected', () => {
  const text = 'CREATE DOMAIN d; USE e; USE d;';
  expect(same(text, 14)).toEqual([14, 28]);
});

test('names of parts define nothing', () => {
  const roles = namedPlaces(outlineScript('CREATE SCHEMA a (relay U8, a U8)')).map(
    ({ role, kind, name }) => `${role} ${kind} ${name}`,
  );
  expect(roles).toEqual(['definition schema a']);
  const others =
    'ALTER DOMAIN SET CLASS prod; ALTER SCHEMA a DROP FIELD b, RENAME FIELD c TO d; DROP SCHEMA d';
  const named = namedPlaces(outlineScript(others)).map(({ role, kind }) => `${role} ${kind}`);
  expect(named).toEqual(['reference schema', 'reference schema']);
});

test.each(['PLACEMENT', 'PROJECT'])('what renames a %s defines it behind that', (kind) => {
  const text = `ALTER ${kind} a RENAME TO b; DROP ${kind} b; DROP ${kind} a;`;
  const [altered, defined, dropped, before] = [...text.matchAll(/\b[ab]\b/gu)].map(
    ({ index }) => index,
  );
  expect(same(text, defined!)).toEqual([defined, dropped]);
  expect(same(text, altered!)).toEqual([altered, before]);
  expect(definition(text, dropped!)).toBe(defined);
  expect(definition(text, before!)).toBeUndefined();
});

test('a node of a placement is whatever node has the name', () => {
  const text =
    'CREATE RELAY r SCHEMA s UNBRANCHED; CREATE SCHEMA r (a U8); ' +
    'CREATE PLACEMENT p FROM r TO x NEUTRAL';
  const reference = text.indexOf('r TO');
  expect(definition(text, reference)).toBe(text.indexOf('r SCHEMA'));
  expect(same(text, 13)).toEqual([13, reference]);
});

test('a hash map is one by whichever word it is called', () => {
  const create =
    "CREATE HASH MAP m KEY k FROM RESOURCE t VERSION 1 PATH 'p' DECODE USING c; LOOKUP m KEY 1";
  expect(definition(create, create.length - 7)).toBe(16);
});

test('CL-113: a secret is one of its domain', () => {
  const text = 'USE one; DROP SECRET s; USE two; DROP SECRET s; USE one; DROP SECRET s';
  const [first, second, third] = [...text.matchAll(/ s(?=;|$)/gu)].map(({ index }) => index + 1);
  if (first === undefined || second === undefined) throw new Error('not found');
  expect(same(text, first)).toEqual([first, third]);
  expect(same(text, second)).toEqual([second]);
});

test('a project belongs to no domain', () => {
  const text = 'USE one; CREATE PROJECT p DOMAIN d; USE two; DROP PROJECT p';
  const created = text.indexOf('p DOMAIN');
  expect(same(text, created)).toEqual([created, text.length - 1]);
});
