import type { SourceSpan } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { Lexer } from '../lexer.js';
import { ByteOffsets, type TextRange } from '../spans.js';

/** A string that opens before the cursor and does not close before it. */
export interface OpenString {
  /** What opens it. */
  readonly quote: string;
  /** The text between the quote and the cursor. */
  readonly typed: string;
  /** From after the quote to what closes it, or to the end of the line. */
  readonly content: SourceSpan;
}

/** What stands around a place of a script. */
export interface StatementCursor {
  /** Tokens of the statement in front of the word under the cursor; offsets are its own. */
  readonly tokens: readonly IToken[];
  /** The part of the word that stands before the cursor; may be empty. */
  readonly word: string;
  /** The whole word, behind the cursor too. */
  readonly replace: SourceSpan;
  /** Whether white space, or nothing at all, stands in front of the word. */
  readonly isApart: boolean;
  /**
   * `free` where a token may begin; `string` inside one; `closed` where nothing may be written:
   * in a comment, on a `;`, behind text that is no token.
   */
  readonly place: 'free' | 'string' | 'closed';
  /** Set inside a string. */
  readonly openString?: OpenString;
}

/** Looks at the statement that holds a byte offset; the others are not read. */
export function statementCursor(text: string, offset: number): StatementCursor {
  const bytes = new ByteOffsets(text);
  const cursor = bytes.codeUnitAt(Number.isNaN(offset) ? 0 : Math.trunc(offset));
  const wordStart = runBefore(text, cursor);
  const word = text.slice(wordStart, cursor);
  const replace = bytes.span(wordStart, runBehind(text, cursor));
  const head = text.slice(0, wordStart);
  const start = statementStart(head);
  const source = head.slice(start);
  const comments: TextRange[] = [];
  const lexer = new Lexer(source, comments);
  const tokens = lexer.next()?.tokens ?? [];
  const found = {
    tokens,
    word,
    replace,
    isApart: /(?:^|\p{White_Space})$/u.test(source.slice(-1)),
  };
  const [defect, ...more] = lexer.defects;
  if (defect !== undefined) {
    const opened = defect.end === source.length && more.length === 0 ? start + defect.start : -1;
    const openString = opened < 0 ? undefined : openStringAt(text, { opened, cursor }, bytes);
    if (openString === undefined) return { ...found, place: 'closed' };
    return { ...found, place: 'string', openString };
  }
  const isBehindEnd = start > 0 && source === '' && word === '';
  const isInComment = comments.at(-1)?.end === source.length;
  const isClosed = isBehindEnd || isInComment;
  return { ...found, place: isClosed ? 'closed' : 'free' };
}

function isWordPart(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const lower = code | 0x20;
  return isDigit || code === 0x5f || (code < 0x80 && lower >= 0x61 && lower <= 0x7a);
}

function runBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordPart(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function runBehind(text: string, start: number): number {
  let end = start;
  while (end < text.length && isWordPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** Where the last statement of a text begins: just past the last `;` that ends one. */
function statementStart(head: string): number {
  const lexer = new Lexer(head);
  let start = 0;
  for (let segment = lexer.next(); segment !== undefined; segment = lexer.next()) {
    if (segment.terminator !== undefined) start = segment.terminator.startOffset + 1;
  }
  return start;
}

function openStringAt(
  text: string,
  at: { readonly opened: number; readonly cursor: number },
  bytes: ByteOffsets,
): OpenString | undefined {
  const quote = /^(?:'|"|\$[A-Za-z0-9_]*\$)/u.exec(text.slice(at.opened, at.cursor))?.[0];
  if (quote === undefined) return undefined;
  const first = at.opened + quote.length;
  const ends = [text.indexOf(quote, first), lineEnd(text, at.cursor)];
  const end = Math.min(...ends.filter((found) => found >= at.cursor), text.length);
  return { quote, typed: text.slice(first, at.cursor), content: bytes.span(first, end) };
}

/** Where the line that holds an offset ends, without what breaks it. */
function lineEnd(text: string, offset: number): number {
  const lineBreak = text.indexOf('\n', offset);
  if (lineBreak < 0) return text.length;
  return lineBreak > offset && text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak;
}
