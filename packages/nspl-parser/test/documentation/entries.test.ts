import { describe, expect, test } from 'vitest';
import { FAMILIES, SHARED_CLAUSES, STATEMENT_ENTRIES } from '../../src/documentation.ts';
import { KEYWORDS } from '../../src/keywords.ts';

const keywords = new Set(KEYWORDS);
const ids = STATEMENT_ENTRIES.map(({ id }) => id);
const sharedIds = SHARED_CLAUSES.map(({ id }) => id);
const allClauses = [
  ...STATEMENT_ENTRIES.flatMap(({ id, clauses }) => clauses.map((clause) => ({ id, clause }))),
  ...SHARED_CLAUSES.flatMap(({ id, forms }) => forms.map((clause) => ({ id, clause }))),
];

/** Items that occur more than once. */
function repeated(items: readonly string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}

/** Words of a phrase that are not keywords; `<n>` stands for a value. */
function unknownWords(phrase: string): string[] {
  return phrase.split(' ').filter((word) => !keywords.has(word) && !/^(<.*>|)$/u.test(word));
}

describe('documentation of statements', () => {
  test('names every statement and every shared clause once', () => {
    expect(repeated(ids)).toEqual([]);
    expect(repeated(sharedIds)).toEqual([]);
    expect(repeated(STATEMENT_ENTRIES.flatMap(({ heads }) => heads))).toEqual([]);
    expect(repeated(SHARED_CLAUSES.flatMap(({ rules }) => rules))).toEqual([]);
  });

  test('has statements in every family, together and in the order of the families', () => {
    const families = STATEMENT_ENTRIES.map(({ family }) => family);
    expect(families.filter((family, index) => family !== families[index - 1])).toEqual(FAMILIES);
  });

  test('refers only to what there is', () => {
    const dangling = STATEMENT_ENTRIES.flatMap(({ id, seeAlso }) =>
      seeAlso.filter((other) => !ids.includes(other) || other === id).map((other) => [id, other]),
    );
    expect(dangling).toEqual([]);
    const lost = allClauses.filter(
      ({ clause }) => clause.shared !== undefined && !sharedIds.includes(clause.shared),
    );
    expect(lost).toEqual([]);
  });

  test('NSPL 1.2: spells heads and clauses with keywords of the language', () => {
    const phrases = [
      ...STATEMENT_ENTRIES.flatMap(({ heads }) => heads),
      ...SHARED_CLAUSES.flatMap((shared) => shared.keywords),
      ...allClauses.flatMap(({ clause }) => clause.keywords),
    ];
    expect(phrases.flatMap(unknownWords)).toEqual([]);
  });

  test('says something about everything, in sentences', () => {
    const texts = [
      ...STATEMENT_ENTRIES.flatMap(({ summary, notes }) => [summary, ...notes]),
      ...SHARED_CLAUSES.flatMap(({ summary, notes }) => [summary, ...notes]),
      ...allClauses.map(({ clause }) => clause.summary),
    ];
    expect(texts.filter((text) => !/^[A-Z`0-9…].*[.…]$/u.test(text))).toEqual([]);
  });

  test('gives every statement an example', () => {
    const bare = STATEMENT_ENTRIES.filter(({ examples }) => examples.length === 0);
    expect(bare).toEqual([]);
  });
});
