import { daysInMonth } from '../../datetime/civil-date.js';

/** Why a text that looks like a date or time is none. */
export class TomlDateError extends Error {}

const STRINGS = ['"""', "'''", '"', "'"] as const;
/** A date, a time or both, as far as its characters go. */
const DATE_OR_TIME =
  /(?:(\d{4})-(\d{2})-(\d{2})(?:[Tt ](?=\d{2}:))?)?(?:(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?)?/y;
/** What may stand right before a value. */
const BEFORE_VALUE = /[=,[\s]/;
const WORD = /[A-Za-z0-9_.:+-]/;

/**
 * A TOML document whose dates and times are strings of the same text, so that their digits survive
 * and days that do not exist are found: the parser would go over to what follows them.
 *
 * @throws TomlDateError for a date or time that does not exist
 */
export function quoteDates(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  const scan = new DocumentScan(text);
  for (let token = scan.next(); token !== undefined; token = scan.next()) {
    parts.push(text.slice(copied, token.start), `"${checked(token)}"`);
    copied = token.end;
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly match: RegExpExecArray;
}

/** Goes through a document for its dates: past comments, strings, keys and headers. */
class DocumentScan {
  readonly #text: string;
  #at = 0;
  /** Brackets and braces that are open. */
  #depth = 0;
  #isLineStart = true;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token | undefined {
    while (this.#at < this.#text.length) {
      const token = this.#step(this.#text[this.#at] as string);
      if (token !== undefined) return token;
    }
    return undefined;
  }

  #step(character: string): Token | undefined {
    const isLineStart = this.#isLineStart && this.#depth === 0;
    if (character !== ' ' && character !== '\t') this.#isLineStart = character === '\n';
    if (character === '#' || (character === '[' && isLineStart)) {
      this.#at = this.#lineEnd();
    } else if (character === '"' || character === "'") {
      this.#at = this.#stringEnd();
    } else if (character >= '0' && character <= '9') {
      return this.#word();
    } else {
      if (character === '[' || character === '{') this.#depth += 1;
      if (character === ']' || character === '}') this.#depth -= 1;
      this.#at += 1;
    }
    return undefined;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end < 0 ? this.#text.length : end;
  }

  /** Behind the string that begins here; the end where it has none, which the parser tells. */
  #stringEnd(): number {
    const quote = STRINGS.find((each) => this.#text.startsWith(each, this.#at)) ?? '"';
    for (let at = this.#at + quote.length; at < this.#text.length; at += 1) {
      if (quote.startsWith('"') && this.#text[at] === '\\') at += 1;
      else if (this.#text.startsWith(quote, at)) return at + quote.length;
      else if (quote.length === 1 && this.#text[at] === '\n') return at;
    }
    return this.#text.length;
  }

  /** The word of digits that begins here, if it is a date or time that is a value. */
  #word(): Token | undefined {
    const start = this.#at;
    DATE_OR_TIME.lastIndex = start;
    const match = DATE_OR_TIME.exec(this.#text);
    let end = start + (match?.[0].length ?? 0);
    // A time of its own has no offset, which the parser tells.
    const isMoment = match?.[1] !== undefined || match?.[8] === undefined;
    const isWhole = end > start && isMoment && !WORD.test(this.#text[end] ?? '');
    while (WORD.test(this.#text[end] ?? '')) end += 1;
    this.#at = end;
    const before = this.#text[start - 1] ?? '';
    if (match === null || !isWhole || !BEFORE_VALUE.test(before)) return undefined;
    return this.#isKey(end) ? undefined : { start, end, match };
  }

  #isKey(end: number): boolean {
    return /^[ \t]*[.=]/.test(this.#text.slice(end, end + 64));
  }
}

/** The text of a date or time in the notation of RFC 3339. */
function checked({ match }: Token): string {
  const [text, year, month, day, hour, minute, second, , offset] = match;
  if (year !== undefined) {
    const isMonth = Number(month) >= 1 && Number(month) <= 12;
    const days = isMonth ? daysInMonth(Number(year), Number(month)) : 0;
    if (Number(day) < 1 || Number(day) > days) throw new TomlDateError('date does not exist');
  }
  if (
    hour !== undefined &&
    (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59)
  ) {
    throw new TomlDateError('time does not exist');
  }
  const [offsetHour = '0', offsetMinute = '0'] = offset?.slice(1).split(':') ?? [];
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) {
    throw new TomlDateError('offset does not exist');
  }
  return text.toUpperCase().replace(' ', 'T');
}
