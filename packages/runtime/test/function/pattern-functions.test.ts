import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { foldCharacter } from '../../src/function/like-pattern.js';
import { call, constant, evaluateCase, given } from '../program/expression-fixture.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(300);
const TEXTS = { kind: 'vec', element: 'STRING' } as const;

function of(name: string, type: 'BOOL' | 'STRING', ...values: readonly Value[]): Value {
  const parts = values.map((value) => {
    if (typeof value === 'bigint') return given('I64', value);
    return given(Array.isArray(value) ? TEXTS : 'STRING', value);
  });
  return evaluateCase(call(name, type, ...parts));
}

describe('like and ilike (TYPE 6.2, TYPE 6.8)', () => {
  test.each<[string, string, boolean, boolean]>([
    ['50% off', '50\\% %', true, true],
    ['a', '%', true, true],
    ['', '%', true, true],
    ['', '_', false, false],
    ['a\nb', 'a_b', true, true],
    ['a\nb', 'a%', true, true],
    ['😀', '_', true, true],
    ['é', '__', false, false],
    ['a\\', 'a\\', true, true],
    ['a\\', 'a\\\\', true, true],
    ['ab', 'a\\b', true, true],
    ['xxaxxb', '%a%b', true, true],
    ['xxaxxbx', '%a%b', false, false],
    ['STRASSE', 'straße', false, false],
    ['Σ', 'ς', false, true],
    ['K', 'k', false, true],
    ['İ', 'i', false, false],
    ['ABC', 'a_c', false, true],
  ])('%j like %j', (text, pattern, like, ilike) => {
    expect(of('like', 'BOOL', text, pattern)).toBe(like);
    expect(of('ilike', 'BOOL', text, pattern)).toBe(ilike);
  });

  test('patterns of any texts match what the same regular expression of the host matches', () => {
    const piece = fc.constantFrom('a', 'b', 'A', 'ß', '😀', '.', '%', '_', '\\%', '*', '\n');
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (text, pattern) => {
        const source = pattern
          .map((each) => {
            if (each === '%') return '[^]*';
            return each === '_' ? '[^]' : `\\u{${each.at(-1)!.codePointAt(0)!.toString(16)}}`;
          })
          .map((each, index) => (pattern[index] === '😀' ? '😀' : each))
          .join('');
        for (const [name, flags] of [
          ['like', 'u'],
          ['ilike', 'iu'],
        ] as const) {
          expect(of(name, 'BOOL', text.join(''), pattern.join(''))).toBe(
            new RegExp(`^${source}$`, flags).test(text.join('')),
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('characters fold as the host folds them', () => {
    const cased = /[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}]/u;
    const groups = new Map<string, string>();
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if ((code >= 0xd800 && code <= 0xdfff) || !cased.test(character)) continue;
      const folded = foldCharacter(character);
      groups.set(folded, (groups.get(folded) ?? '') + character);
    }
    const all = [...groups.keys()].join('');
    for (const [folded, members] of groups) {
      const matches = new RegExp(folded, 'giu');
      expect(all.match(matches)).toEqual([folded]);
      expect(members.replace(matches, '')).toBe('');
    }
  });

  test('a longer pattern than 4 KiB fails the row, counted in bytes', () => {
    const detail = 'invalid_argument: LIKE pattern exceeds 4 KiB';
    expect(of('like', 'BOOL', 'a', '%'.repeat(4096))).toBe(true);
    expect(of('like', 'BOOL', 'a', '%'.repeat(4097))).toBe(detail);
    expect(of('ilike', 'BOOL', 'a', 'é'.repeat(2049))).toBe(detail);
  });

  test('an expression that a row brings has at most 4 KiB, one of the statement may be longer', () => {
    const long = 'b|'.repeat(2048);
    const detail = 'invalid regular expression: pattern of a row exceeds 4 KiB';
    expect(of('regexp_like', 'BOOL', 'a', `${long}a`)).toBe(`invalid_argument: ${detail}`);
    expect(of('regexp_like', 'BOOL', 'a', `${long.slice(2)}a`)).toBe(true);
    const written = call(
      'regexp_like',
      'BOOL',
      given('STRING', 'a'),
      constant(`${long}a`, 'STRING'),
    );
    expect(evaluateCase(written)).toBe(true);
  });

  test('a pattern of many runs takes no exponential time', () => {
    const start = performance.now();
    expect(of('like', 'BOOL', 'a'.repeat(20_000), `${'%a'.repeat(2000)}%b`)).toBe(false);
    const text = `${'a'.repeat(80_000)}b`;
    expect(of('like', 'BOOL', text, `%${'a'.repeat(4000)}c%`)).toBe(false);
    expect(of('like', 'BOOL', text, `%${'_a'.repeat(1000)}b`)).toBe(true);
    expect(of('ilike', 'BOOL', text, `%${'A_'.repeat(1000)}B%`)).toBe(true);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('contains_any (TYPE 6.8)', () => {
  test.each<[string, readonly string[], Value]>([
    ['abc', [], false],
    ['abc', ['x', ''], true],
    ['abc', ['x', 'bc'], true],
    ['abc', ['x', 'd'], false],
  ])('%j of %j', (text, list, expected) => {
    expect(of('contains_any', 'BOOL', text, list)).toBe(expected);
  });

  test('too large a set fails each row', () => {
    const detail = 'invalid_argument: contains_any pattern set exceeds 128 patterns or 64 KiB';
    expect(of('contains_any', 'BOOL', 'x', Array(128).fill('y'))).toBe(false);
    expect(of('contains_any', 'BOOL', 'x', Array(129).fill('x'))).toBe(detail);
    expect(of('contains_any', 'BOOL', 'x', ['é'.repeat(32_769)])).toBe(detail);
  });
});

describe('regexp functions (TYPE 6.2, TYPE 6.8)', () => {
  test.each<[string, readonly Value[], Value]>([
    ['regexp_like', ['a1b', '[0-9]'], true],
    ['regexp_like', ['٣', '^\\d$'], true],
    ['regexp_like', ['é_9', '^\\w+$'], true],
    ['regexp_like', ['a-b', '^[\\w-]+$'], true],
    ['regexp_like', ['-é', '^-\\W$'], false],
    ['regexp_like', ['--', '^[\\W]+$'], true],
    ['regexp_like', ['é', '[\\W]'], false],
    ['regexp_like', ['\u2003', '^\\s$'], true],
    ['regexp_like', ['\u2003', '[^\\S]'], true],
    ['regexp_like', ['\\d', '^\\Q\\d\\E$'], true],
    ['regexp_like', ['٣', '^[[:digit:]]$'], false],
    ['regexp_like', [']', '^[]\\d]$'], true],
    ['regexp_like', ['a\nb', 'a.b'], false],
    ['regexp_like', ['a\nb', '(?s)a.b'], true],
    ['regexp_like', ['a\nb', '^b'], false],
    ['regexp_like', ['a\nb', '(?m)^b'], true],
    ['regexp_like', ['a\n', 'a$'], false],
    ['regexp_substr', ['xabab', '(ab)+'], 'abab'],
    ['regexp_substr', ['abc', 'a|ab'], 'a'],
    ['regexp_substr', ['abc', 'x'], null],
    ['regexp_extract', ['k=v', '(\\w)=(\\w)', 2n], 'v'],
    ['regexp_extract', ['k=v', '(\\w)=(\\w)', 0n], 'k=v'],
    ['regexp_extract', ['k=v', '(\\w)=(\\w)', 3n], null],
    ['regexp_extract', ['k=v', '(\\w)=(\\w)', -1n], null],
    ['regexp_extract', ['b', '(a)|b', 1n], null],
    ['regexp_extract', ['b', 'b', 18446744073709551615n], null],
    ['regexp_replace', ['ab', '(a)', '$1_'], 'b'],
    ['regexp_replace', ['ab', '(a)', `$\{1}_`], 'a_b'],
    ['regexp_replace', ['ab', '(?<n>a)', '$n-$m-$$\\n'], 'a--$\\nb'],
    ['regexp_replace', ['a.b.c', '\\.', '$'], 'a$b$c'],
    ['regexp_replace', ['baaac', 'a*', '-'], '-b-c-'],
    ['regexp_replace', ['abc', '', '-'], '-a-b-c-'],
    ['regexp_replace', ['😀é', '', '-'], '-😀-é-'],
    ['regexp_replace', ['abc', null, '-'], null],
    ['regexp_like', [null, '['], null],
  ])('%s, case %#', (name, values, expected) => {
    const wide = values.map((value) => value);
    if (wide[2] === 18446744073709551615n) {
      const parts = [given('STRING', 'b'), given('STRING', 'b'), given('U64', wide[2])];
      expect(evaluateCase(call(name, 'STRING', ...parts))).toBe(expected);
      return;
    }
    expect(of(name, name === 'regexp_like' ? 'BOOL' : 'STRING', ...wide)).toBe(expected);
  });

  test('an invalid expression fails the row and is quoted only as a literal', () => {
    expect(of('regexp_like', 'BOOL', 'secret', 'a(b')).toBe(
      'invalid_argument: invalid regular expression: missing closing )',
    );
    const literal = call('regexp_like', 'BOOL', given('STRING', 'x'), constant('a(b'));
    expect(evaluateCase(literal)).toBe(
      'invalid_argument: invalid regular expression: missing closing ): `a(b`',
    );
    for (const pattern of ['(a)\\1', '(?=a)', '(?!a)', '(?<=a)b', 'a{2000}']) {
      expect(of('regexp_like', 'BOOL', 'a', pattern)).toContain('invalid regular expression');
    }
  });

  test('matching takes time linear in the text', () => {
    const start = performance.now();
    expect(of('regexp_like', 'BOOL', 'x'.repeat(20_000), '(x+x+)+y')).toBe(false);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('the common subset finds what the host finds', () => {
    const character = fc.constantFrom('a', 'b', 'é', '.', '[ab]', '[^a]');
    // A repetition that may be empty ends differently in the two, so only characters are repeated.
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        character,
        fc.constantFrom('^', '$'),
        fc
          .tuple(character, fc.constantFrom('*', '+', '?', '*?', '{1,2}'))
          .map((all) => all.join('')),
        tie('pattern').map((inner) => `(${inner})`),
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
      ),
    }));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'é', '\n', '😀'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, (written, value) => {
        const found = new RegExp(written, 'u').exec(value);
        expect(of('regexp_substr', 'STRING', value, written)).toBe(found?.[0] ?? null);
        expect(of('regexp_like', 'BOOL', value, written)).toBe(found !== null);
        expect(of('regexp_extract', 'STRING', value, written, 1n)).toBe(found?.[1] ?? null);
      }),
      { numRuns: RUNS },
    );
  });
});
