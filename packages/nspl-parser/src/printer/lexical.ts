import { NAME_LENGTH_MAX, nameDefect } from '@nervix/model';
import { OPERATION_HEADS, RESERVED_IN_EXPRESSIONS } from '../names.js';
import { UnprintableError } from './unprintable-error.js';

/** A text in dollar quotes; the tag grows until nothing in the text ends the string early. */
export function dollarQuoted(value: string, tag: string): string {
  // At the end of the text a tag without its `$` would be completed by the delimiter's own.
  const inside = new RegExp(`(?<=\\$)${tag}(?:_[0-9]+)?(?=\\$|$)`, 'gu');
  const taken = new Set(Array.from(value.matchAll(inside), ([found]) => found));
  let free = tag;
  for (let attempt = 1; taken.has(free); attempt += 1) free = `${tag}_${attempt}`;
  return `$${free}$${value}$${free}$`;
}

/** A string literal: `'…'`, `"…"` or dollar quotes, the first that can hold the text. */
export function stringLiteral(value: string): string {
  const hasSingle = value.includes("'");
  if (/[\n\r]/u.test(value) || (hasSingle && value.includes('"'))) {
    return dollarQuoted(value, 's');
  }
  return hasSingle ? `"${value}"` : `'${value}'`;
}

/**
 * Decimal text of a number, without exponent and with a fraction.
 *
 * @throws UnprintableError for a number that is not finite
 */
export function floatLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new UnprintableError(`no literal stands for ${value}`);
  const text = value.toString();
  const [mantissa = text, exponentText] = text.split('e');
  const plain = exponentText === undefined ? text : shifted(mantissa, Number(exponentText));
  return plain.includes('.') ? plain : `${plain}.0`;
}

/** Writes `mantissa × 10^exponent` out. */
function shifted(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = integer + fraction;
  const point = integer.length + exponent;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const PLAIN_WORD = /^[a-z_][a-z0-9_]*$/u;

/**
 * A name after a qualifier.
 *
 * @throws UnprintableError for a text that is no name
 */
export function qualifiedName(name: string): string {
  return isBare(name, PLAIN_WORD) ? name : quoted(name);
}

function quoted(name: string): string {
  const defect = nameDefect(name);
  if (defect === undefined) return `\`${name}\``;
  throw new UnprintableError(`${JSON.stringify(name)} cannot be written as a name: ${defect}`);
}

/** The name of a called function; throws as {@link qualifiedName} does. */
export function functionName(name: string): string {
  return RESERVED_IN_EXPRESSIONS.has(name) ? quoted(name) : qualifiedName(name);
}

/** A field name that stands alone; throws as {@link qualifiedName} does. */
export function fieldName(name: string): string {
  return OPERATION_HEADS.has(name) ? quoted(name) : functionName(name);
}

/** The name of a thing in another system: a word where it is one, else a string. */
export function externalName(name: string): string {
  return isBare(name, PLAIN_WORD) ? name : stringLiteral(name);
}

const BARE_QUEUE =
  /^(?:[a-z_][a-z0-9_]*|0|[1-9][0-9]*)(?:-(?:[a-z_][a-z0-9_]*|0|[1-9][0-9]*))*(?:\.fifo)?$/u;

/** As {@link externalName}, for a queue to send to, whose word may hold more. */
export function queueToSend(name: string): string {
  return isBare(name, BARE_QUEUE) ? name : stringLiteral(name);
}

function isBare(name: string, form: RegExp): boolean {
  return name.length <= NAME_LENGTH_MAX && form.test(name);
}
