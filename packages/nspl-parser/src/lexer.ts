import { NAME_LENGTH_MAX } from '@nervix/model';
import type { IToken, TokenType } from 'chevrotain';
import { cutText } from './diagnostics.js';
import type { TextRange } from './spans.js';
import { partOf } from './text-part.js';
import {
  indexOf,
  keywordType,
  NumberToken,
  PlainWord,
  PUNCTUATION,
  QuotedName,
  StringToken,
} from './tokens.js';

/** A part of the text that is no token. */
export interface LexDefect extends TextRange {
  readonly message: string;
}

/** Tokens of one statement and the `;` behind them. */
export interface Segment {
  readonly tokens: IToken[];
  readonly terminator: IToken | undefined;
}

/** Defects reported at most; a binary file has no use for more. */
const DEFECTS_MAX = 64;

class LexedToken implements IToken {
  readonly image: string;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly tokenTypeIdx: number;
  readonly tokenType: TokenType;

  constructor(type: TokenType, typeIndex: number, image: string, start: number) {
    this.image = image;
    this.startOffset = start;
    this.endOffset = start + image.length - 1;
    this.tokenTypeIdx = typeIndex;
    this.tokenType = type;
  }
}

const IS_DIGIT = 1;
const IS_WORD_START = 2;
const IS_WORD_PART = 4;
const IS_SPACE = 8;

const CLASSES: Uint8Array = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  let bits = 0;
  if (/[0-9]/u.test(character)) bits |= IS_DIGIT | IS_WORD_PART;
  if (/[A-Za-z_]/u.test(character)) bits |= IS_WORD_START | IS_WORD_PART;
  if ((code >= 0x09 && code <= 0x0d) || code === 0x20) bits |= IS_SPACE;
  CLASSES[code] = bits;
}

/** White space beyond ASCII, exactly the `White_Space` property. */
const WIDE_SPACES: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
  0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

interface Punctuation {
  readonly type: TokenType;
  readonly index: number;
  readonly image: string;
}

/** Punctuation by first character code; the longer forms stand first. */
const PUNCTUATION_BY_CODE: (readonly Punctuation[] | undefined)[] = [];
for (const type of PUNCTUATION) {
  const image = type.LABEL ?? '';
  const code = image.charCodeAt(0);
  PUNCTUATION_BY_CODE[code] = [
    ...(PUNCTUATION_BY_CODE[code] ?? []),
    { type, index: indexOf(type), image },
  ];
}

interface KnownWord {
  readonly image: string;
  readonly type: TokenType;
}

/**
 * Words seen before by a hash of their spelling; a word that hashes alike takes the place. Longer
 * words are no names, and what is kept here must stay small.
 */
const WORD_SLOTS = 8192;
const knownWords: (KnownWord | undefined)[] = new Array<undefined>(WORD_SLOTS).fill(undefined);

const STRING_INDEX = indexOf(StringToken);
const NUMBER_INDEX = indexOf(NumberToken);
const QUOTED_INDEX = indexOf(QuotedName);

/**
 * Splits a text into tokens, a statement at a time so that their tokens need not all exist at once.
 * It reads left to right and looks at every character a bounded number of times. A text with
 * defects is refused as a whole: what was read from it before must be given up.
 */
export class Lexer {
  readonly defects: LexDefect[] = [];
  readonly #text: string;
  readonly #comments: TextRange[] | undefined;
  #tokens: IToken[] = [];
  #position = 0;

  /** @param comments collects the ranges of comments, without the line feeds behind them */
  constructor(text: string, comments?: TextRange[]) {
    this.#text = text;
    this.#comments = comments;
  }

  /** The next statement's tokens, of which there may be none; undefined at the end of the text. */
  next(): Segment | undefined {
    const text = this.#text;
    const tokens: IToken[] = [];
    this.#tokens = tokens;
    while (this.#position < text.length) {
      const code = text.charCodeAt(this.#position);
      this.#step(code);
      if (code === 0x3b) return { tokens, terminator: tokens.pop() };
    }
    return tokens.length === 0 ? undefined : { tokens, terminator: undefined };
  }

  #step(code: number): void {
    const bits = code < 128 ? (CLASSES[code] ?? 0) : 0;
    if ((bits & IS_SPACE) !== 0) this.#position += 1;
    else if ((bits & IS_WORD_START) !== 0) this.#word();
    else if ((bits & IS_DIGIT) !== 0) this.#number(code);
    else if (code === 0x27 || code === 0x22) this.#quoted(code);
    else if (code === 0x24) this.#dollarQuoted();
    else if (code === 0x60) this.#quotedName();
    else if (code >= 128 && WIDE_SPACES.has(code)) this.#position += 1;
    else this.#punctuation(code);
  }

  #push(type: TokenType, typeIndex: number, end: number): void {
    const start = this.#position;
    this.#tokens.push(new LexedToken(type, typeIndex, partOf(this.#text, start, end), start));
    this.#position = end;
  }

  /** Records a defect and continues behind it. */
  #refuse(message: string, end: number): void {
    if (this.defects.length < DEFECTS_MAX) {
      this.defects.push({ message, start: this.#position, end });
    }
    this.#position = end;
  }

  #endOfRun(position: number, classBit: number): number {
    let end = position;
    for (;;) {
      const code = this.#text.charCodeAt(end);
      // NaN at the end of the text fails the comparison.
      if (!(code < 128) || ((CLASSES[code] ?? 0) & classBit) === 0) return end;
      end += 1;
    }
  }

  #word(): void {
    const text = this.#text;
    const start = this.#position;
    let end = start;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(end);
      // NaN at the end of the text fails the comparison.
      if (!(code < 128) || ((CLASSES[code] ?? 0) & IS_WORD_PART) === 0) break;
      hash = (Math.imul(hash, 31) + code) | 0;
      end += 1;
    }
    const slot = (hash ^ (hash >>> 13)) & (WORD_SLOTS - 1);
    let word = knownWords[slot];
    if (word?.image.length !== end - start || !text.startsWith(word.image, start)) {
      const image = partOf(text, start, end);
      word = { image, type: keywordType(image.toUpperCase()) ?? PlainWord };
      if (image.length <= NAME_LENGTH_MAX) knownWords[slot] = word;
    }
    const { image, type } = word;
    this.#tokens.push(new LexedToken(type, type.tokenTypeIdx ?? 0, image, start));
    this.#position = end;
  }

  #number(firstCode: number): void {
    const text = this.#text;
    let end = this.#position + 1;
    if (firstCode !== 0x30) end = this.#endOfRun(end, IS_DIGIT);
    if (text.charCodeAt(end) === 0x2e) {
      const fractionEnd = this.#endOfRun(end + 1, IS_DIGIT);
      if (fractionEnd > end + 1) end = fractionEnd;
    }
    const marker = text.charCodeAt(end);
    if (marker === 0x65 || marker === 0x45) {
      const sign = text.charCodeAt(end + 1);
      const digits = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
      const exponentEnd = this.#endOfRun(digits, IS_DIGIT);
      if (exponentEnd > digits) end = exponentEnd;
    }
    this.#push(NumberToken, NUMBER_INDEX, end);
  }

  /** Offset of the delimiter that closes what opens here on the same line, or -1. */
  #closing(code: number): { readonly end: number; readonly lineEnd: number } {
    const text = this.#text;
    for (let at = this.#position + 1; at < text.length; at += 1) {
      const found = text.charCodeAt(at);
      if (found === code) return { end: at + 1, lineEnd: at };
      if (found === 0x0a) return { end: -1, lineEnd: at };
    }
    return { end: -1, lineEnd: text.length };
  }

  #quoted(code: number): void {
    const { end, lineEnd } = this.#closing(code);
    if (end > 0) this.#push(StringToken, STRING_INDEX, end);
    else {
      this.#refuse(`unterminated string literal; expected ${String.fromCharCode(code)}`, lineEnd);
    }
  }

  #quotedName(): void {
    const { end, lineEnd } = this.#closing(0x60);
    if (end > 0) this.#push(QuotedName, QUOTED_INDEX, end);
    else this.#refuse('unterminated quoted name; expected `', lineEnd);
  }

  #dollarQuoted(): void {
    const text = this.#text;
    const start = this.#position;
    const tagEnd = this.#endOfRun(start + 1, IS_WORD_PART);
    if (text.charCodeAt(tagEnd) !== 0x24) {
      const { end } = this.#closing(0x24);
      if (end < 0) this.#refuse('unterminated dollar-quote delimiter', tagEnd);
      else {
        const message = 'dollar-quote tag must contain only letters, digits, or underscores';
        this.#refuse(message, end);
      }
      return;
    }
    const delimiter = partOf(text, start, tagEnd + 1);
    const close = text.indexOf(delimiter, tagEnd + 1);
    if (close < 0) {
      this.#refuse(
        `unterminated dollar-quoted string; expected ${cutText(delimiter)}`,
        text.length,
      );
    } else this.#push(StringToken, STRING_INDEX, close + delimiter.length);
  }

  #punctuation(code: number): void {
    const text = this.#text;
    const position = this.#position;
    if (code === 0x2f && text.charCodeAt(position + 1) === 0x2f) {
      const lineEnd = text.indexOf('\n', position + 2);
      this.#position = lineEnd < 0 ? text.length : lineEnd;
      this.#comments?.push({ start: position, end: this.#position });
      return;
    }
    for (const { type, index, image } of PUNCTUATION_BY_CODE[code] ?? []) {
      if (image.length === 1 || text.startsWith(image, position)) {
        this.#tokens.push(new LexedToken(type, index, image, position));
        this.#position = position + image.length;
        return;
      }
    }
    const character = String.fromCodePoint(text.codePointAt(position) ?? code);
    this.#refuse(`unexpected character '${character}'`, position + character.length);
  }
}
