import { overflow } from '../program/row-fault.js';

/** Longest text one value can have: the host's longest string. */
export const TEXT_BYTES_MAX = 536_870_888;

const LEADING_SPACE = /^\p{White_Space}+/u;
const TRAILING_SPACE = /\p{White_Space}+$/u;
const LETTER_OR_DIGIT = /^[\p{Alphabetic}\p{N}]$/u;
const COUNT_LIMIT = 9_007_199_254_740_991n;

/** A count or position argument of any integer type, cut to what a double holds exactly. */
export function countArgument(value: number | bigint): number {
  if (typeof value === 'number') return value;
  if (value > COUNT_LIMIT) return Number(COUNT_LIMIT);
  return value < -COUNT_LIMIT ? -Number(COUNT_LIMIT) : Number(value);
}

/** Bytes of a text in UTF-8. */
export function textBytes(text: string): number {
  if (typeof Buffer === 'function') return Buffer.byteLength(text, 'utf8');
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A pair of surrogates is two units and four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** How a failure tells that the result of a function is longer than a value can be. */
export function lengthDetail(name: string): string {
  return `${name} result exceeds the text one STRING column holds`;
}

function checkLength(bytes: number, name: string): void {
  if (bytes > TEXT_BYTES_MAX) {
    throw overflow(lengthDetail(name));
  }
}

/** Removes Unicode white space from the chosen ends. */
export function trimText(text: string, isLeft: boolean, isRight: boolean): string {
  const left = isLeft ? text.replace(LEADING_SPACE, '') : text;
  return isRight ? trimEnd(left) : left;
}

/** A loop, because the expression would try every run of space inside the text. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Upper-cases the first letter or digit of each run and lower-cases the rest, one by one. */
export function initcapText(text: string): string {
  let isInRun = false;
  let out = '';
  for (const character of text) {
    out += isInRun ? character.toLowerCase() : character.toUpperCase();
    isInRun = LETTER_OR_DIGIT.test(character);
  }
  return out;
}

export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

export function leftText(text: string, count: number): string {
  const characters = [...text];
  const end = count >= 0 ? count : Math.max(0, characters.length + count);
  return characters.slice(0, end).join('');
}

export function rightText(text: string, count: number): string {
  const characters = [...text];
  const start = count >= 0 ? Math.max(0, characters.length - count) : -count;
  return characters.slice(start).join('');
}

/** Characters from position `start`, counted from 1; earlier starts count as 1. */
export function substringText(text: string, start: number, length: number | null): string {
  const first = Math.max(0, start - 1);
  const end = length === null ? undefined : first + Math.max(0, length);
  return [...text].slice(first, end).join('');
}

export function repeatText(text: string, count: number): string {
  if (count <= 0 || text === '') return '';
  checkLength(textBytes(text) * count, 'repeat');
  return text.repeat(count);
}

export function replaceText(text: string, from: string, to: string): string {
  const added = textBytes(to) - textBytes(from);
  if (added > 0) {
    checkLength(textBytes(text) + occurrences(text, from) * added, 'replace');
  }
  if (from !== '') return text.split(from).join(to);
  return `${to}${[...text].map((character) => character + to).join('')}`;
}

/** How often a text occurs in another without overlap; the empty text around every character. */
function occurrences(text: string, wanted: string): number {
  if (wanted === '') return characterCount(text) + 1;
  let count = 0;
  let at = text.indexOf(wanted);
  while (at >= 0) {
    count += 1;
    at = text.indexOf(wanted, at + wanted.length);
  }
  return count;
}

export function reverseText(text: string): string {
  return [...text].reverse().join('');
}

/** Pads or cuts a text to `length` characters. */
export function padText(text: string, length: number, fill: string, isLeft: boolean): string {
  if (length <= 0) return '';
  const characters = [...text];
  if (characters.length >= length) return characters.slice(0, length).join('');
  if (fill === '') return text;
  const missing = length - characters.length;
  const fillers = [...fill];
  const whole = Math.floor(missing / fillers.length);
  const rest = fillers.slice(0, missing % fillers.length).join('');
  checkLength(
    textBytes(text) + textBytes(fill) * whole + textBytes(rest),
    isLeft ? 'lpad' : 'rpad',
  );
  const padding = fill.repeat(whole) + rest;
  return isLeft ? padding + text : text + padding;
}

export function splitPart(text: string, delimiter: string, index: number): string {
  const parts = delimiter === '' ? [text] : text.split(delimiter);
  return index <= 0 ? '' : (parts[index - 1] ?? '');
}

/** Position of a text in another in characters from 1; 0 when absent. */
export function positionOfText(text: string, needle: string): number {
  const at = text.indexOf(needle);
  return at < 0 ? 0 : characterCount(text.slice(0, at)) + 1;
}

export function concatTexts(texts: readonly string[]): string {
  return joined('', texts, 'concat');
}

/** Texts with a separator between them; `name` is the function that a failure names. */
export function joinTexts(separator: string, texts: readonly string[], name: string): string {
  return joined(separator, texts, name);
}

/** Unicode normalization form C. */
export function normalizeText(text: string): string {
  const normal = text.normalize('NFC');
  checkLength(textBytes(normal), 'normalize_nfc');
  return normal;
}

/** Maps characters one to one; those without a counterpart are deleted. */
export function translateText(text: string, from: string, to: string): string {
  const targets = [...to];
  const map = new Map<string, string>();
  for (const [index, character] of [...from].entries()) {
    if (!map.has(character)) map.set(character, targets[index] ?? '');
  }
  let out = '';
  for (const character of text) out += map.get(character) ?? character;
  return out;
}

function joined(separator: string, texts: readonly string[], name: string): string {
  let bytes = textBytes(separator) * Math.max(0, texts.length - 1);
  for (const text of texts) bytes += textBytes(text);
  checkLength(bytes, name);
  return texts.join(separator);
}
