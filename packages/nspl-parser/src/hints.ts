import type { IToken } from 'chevrotain';
import { distance } from 'fastest-levenshtein';
import { isWord } from './tokens.js';

/** Letters that may differ in a word of a length: a short one becomes another too easily. */
function toleranceOf(word: string): number {
  if (word.length < 4) return 0;
  return word.length === 4 ? 1 : 2;
}

/**
 * Advice for a refused token: what somebody mistyped, or wrote as other languages have it.
 *
 * @param tokens the statement
 * @param position index of the refused token
 * @param expected labels of what could have stood there
 * @returns a sentence without a full stop, or undefined
 */
export function hintFor(
  tokens: readonly IToken[],
  position: number,
  expected: readonly string[],
): string | undefined {
  const token = tokens[position];
  if (token === undefined) return undefined;
  const text = (index: number): string => tokens[index]?.image.toUpperCase() ?? '';
  const habit = HABITS.find(({ matches }) => matches(text, position));
  if (habit !== undefined) return habit.hint;
  return isWord(token) ? nearestWord(token.image.toUpperCase(), expected) : undefined;
}

/** Texts of tokens in upper case, by their index. */
type Texts = (index: number) => string;

interface Habit {
  /** Whether the token at a position, with those around it, is written by this habit. */
  readonly matches: (text: Texts, at: number) => boolean;
  readonly hint: string;
}

const pair = (text: Texts, at: number): string => `${text(at)} ${text(at + 1)}`;

const HABITS: readonly Habit[] = [
  {
    matches: (text, at) => ['- -', '/ *'].includes(pair(text, at)),
    hint: 'comments begin with // and end with the line',
  },
  {
    matches: (text, at) =>
      text(at) === 'NULL' && (text(at - 1) === 'IS' || pair(text, at - 2) === 'IS NOT'),
    hint: 'nulls are found with is_null(x), and values with NOT is_null(x)',
  },
  {
    matches: (text, at) => text(at) === '=' && text(at - 1) === '=',
    hint: 'equality is written =',
  },
  {
    matches: (text, at) => text(at) === '>' && text(at - 1) === '<',
    hint: 'inequality is written !=',
  },
  {
    matches: (text, at) => text(at - 1) === 'IF' && pair(text, at) === 'NOT EXISTS',
    hint: 'IF NOT EXISTS stands directly behind CREATE',
  },
  {
    matches: (text, at) => text(at) === 'LIKE',
    hint: "patterns are matched by a function: like(x, 'a%')",
  },
];

/** What begins with the word that is nearest to what was written, if one is, and near enough. */
function nearestWord(word: string, expected: readonly string[]): string | undefined {
  let nearest: string[] = [];
  let least = toleranceOf(word);
  for (const label of expected) {
    const [first = ''] = label.split(' ');
    if (!/^[A-Z]/u.test(first)) continue;
    // So many edits it takes at least, and to count them takes time by the length of the word.
    if (Math.abs(word.length - first.length) > least) continue;
    const edits = distance(word, first);
    if (edits > least) continue;
    if (edits < least) nearest = [];
    least = edits;
    nearest.push(label);
  }
  const [label, ...others] = nearest;
  if (label === undefined) return undefined;
  if (others.length === 0) return `did you mean ${label}?`;
  const words = new Set(nearest.map((one) => one.split(' ')[0]));
  return words.size === 1 ? `did you mean ${[...words].join('')}?` : undefined;
}
