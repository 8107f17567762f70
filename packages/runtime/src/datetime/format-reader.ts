import type { FormatPart } from '@nervix/model';
import { textBytes } from '../function/text-functions.js';
import { MONTH_NAMES, WEEKDAY_NAMES } from './datetime-names.js';
import { unreadable } from './parse-fault.js';
import type { DatetimeFields } from './read-fields.js';

type Directive = Extract<FormatPart, { kind: 'directive' }>;
type NumberField = {
  [Field in keyof DatetimeFields]-?: DatetimeFields[Field] extends number | undefined
    ? Field
    : never;
}[keyof DatetimeFields];

/** Directives that read a number of a width. */
const NUMBERS: Readonly<Record<string, readonly [field: NumberField, width: number]>> = {
  Y: ['year', 4],
  m: ['month', 2],
  d: ['day', 2],
  e: ['day', 2],
  j: ['dayOfYear', 3],
  u: ['weekday', 1],
  G: ['isoYear', 4],
  V: ['isoWeek', 2],
  H: ['hour', 2],
  I: ['halfDayHour', 2],
  M: ['minute', 2],
  S: ['second', 2],
};
const UNIX = /-?[0-9]+/y;
const FRACTION = /[0-9]{1,9}/y;
/** Exactly so many digits, by their number; compiled once, because every row reads several. */
const DIGITS = Array.from({ length: 10 }, (_, count) => new RegExp(`[0-9]{${count}}`, 'y'));
/** At least one digit and at most so many. */
const DIGITS_AT_MOST = DIGITS.map((_, count) => new RegExp(`[0-9]{1,${Math.max(1, count)}}`, 'y'));
const OFFSETS: Readonly<Record<string, RegExp>> = {
  z: /(?:Z|([+-])([0-9]{2})([0-9]{2})([0-9]{2})?)/y,
  ':z': /(?:Z|([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)/y,
  '::z': /(?:Z|([+-])([0-9]{2}):([0-9]{2}):([0-9]{2}))/y,
};

/** Reads one text by the parts of a format. */
export class FormatReader {
  readonly #text: string;
  readonly #fields: DatetimeFields = {};
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws RowFault naming the first byte that does not match */
  read(parts: readonly FormatPart[]): DatetimeFields {
    for (const part of parts) {
      if (part.kind === 'literal') this.#literal(part.text);
      else if (!this.#directive(part)) throw this.#mismatch(directiveText(part));
    }
    if (this.#at < this.#text.length) {
      throw unreadable(`input continues past its format at byte ${this.#byte()}`);
    }
    return this.#fields;
  }

  #byte(): number {
    return textBytes(this.#text.slice(0, this.#at));
  }

  #mismatch(expected: string): Error {
    const place = `at byte ${this.#byte()}`;
    return unreadable(`input does not match its format ${place}: expected '${expected}'`);
  }

  #literal(text: string): void {
    if (!this.#takes(text)) throw this.#mismatch(text);
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #directive(part: Directive): boolean {
    const { directive } = part;
    const number = NUMBERS[directive];
    if (number !== undefined) return this.#number(number, part);
    switch (directive) {
      case 'b':
      case 'B':
        return this.#name('month', MONTH_NAMES, directive === 'b');
      case 'a':
      case 'A':
        return this.#name('weekday', WEEKDAY_NAMES, directive === 'a');
      case 'w':
        return this.#sundayNumber();
      case 'p':
        return this.#halfDay();
      case 's': {
        const digits = this.#match(UNIX)?.[0];
        if (digits !== undefined) this.#fields.unix = BigInt(digits);
        return digits !== undefined;
      }
      case 'z':
      case ':z':
      case '::z':
        return this.#offset(directive);
      case '%':
        return this.#takes('%');
      case 'n':
        return this.#takes('\n');
      case 't':
        return this.#takes('\t');
      default:
        return this.#fraction(directive);
    }
  }

  #number([field, width]: readonly [NumberField, number], part: Directive): boolean {
    const isPadded = part.directive === 'e' && this.#text[this.#at] === ' ';
    if (isPadded) this.#at += 1;
    const patterns = part.isUnpadded && !isPadded ? DIGITS_AT_MOST : DIGITS;
    const digits = this.#match(patterns[isPadded ? 1 : width] as RegExp)?.[0];
    if (digits === undefined) {
      if (isPadded) this.#at -= 1;
      return false;
    }
    this.#fields[field] = Number(digits);
    return true;
  }

  #sundayNumber(): boolean {
    const digit = this.#match(/[0-9]/y)?.[0];
    if (digit === undefined) return false;
    // Days past Saturday stay out of range.
    this.#fields.weekday = digit === '0' ? 7 : digit === '7' ? 8 : Number(digit);
    return true;
  }

  #name(field: 'month' | 'weekday', names: readonly string[], isShort: boolean): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 9).toLowerCase();
    const index = names.findIndex((name) =>
      rest.startsWith((isShort ? name.slice(0, 3) : name).toLowerCase()),
    );
    if (index < 0) return false;
    this.#at += isShort ? 3 : (names[index]?.length ?? 0);
    this.#fields[field] = index + 1;
    return true;
  }

  #halfDay(): boolean {
    const word = this.#match(/[AaPp][Mm]/y)?.[0];
    if (word === undefined) return false;
    this.#fields.isAfternoon = word.toLowerCase() === 'pm';
    return true;
  }

  #offset(directive: string): boolean {
    const match = this.#match(OFFSETS[directive] as RegExp);
    if (match === null) return false;
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
    const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
    if (hour > 23 || minute > 59 || second > 59) throw unreadable('offset is out of range');
    const magnitude = hour * 3600 + minute * 60 + second;
    this.#fields.offset = sign === '-' ? -magnitude : magnitude;
    return true;
  }

  /** `%f` reads 1 to 9 digits, `%.f` a point before them or nothing, `%3f` exactly three. */
  #fraction(directive: string): boolean {
    if (directive === '.f' && !this.#takes('.')) return true;
    const width = Number.parseInt(directive, 10);
    const pattern = Number.isNaN(width) ? FRACTION : (DIGITS[width] as RegExp);
    const digits = this.#match(pattern)?.[0];
    if (digits === undefined) {
      if (directive === '.f') this.#at -= 1;
      return false;
    }
    this.#fields.nanos = Number(digits.padEnd(9, '0'));
    return true;
  }
}

function directiveText({ directive, isUnpadded }: Directive): string {
  return `%${isUnpadded ? '-' : ''}${directive}`;
}
