import type { SourceSpan } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { EOF } from 'chevrotain';
import { StringToken, stringValue } from './tokens.js';

/** Stable codes of what the parser refuses. */
export type DiagnosticCode = 'NSPL_TOO_LARGE' | 'NSPL_LEX' | 'NSPL_SYNTAX' | 'NSPL_REFUSED';

/** A refusal: what is wrong and where, in byte offsets of the text that was parsed. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly stage: 'lex' | 'parse';
  readonly message: string;
  readonly span: SourceSpan;
}

/** A place for people: both numbers count from 1; columns count characters. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Characters of a submitted text that a message quotes at most. */
const QUOTED_LENGTH_MAX = 64;

/** A submitted text as a message quotes it: the span tells where the rest of a long one is. */
export function cutText(text: string): string {
  if (text.length <= QUOTED_LENGTH_MAX) return text;
  // The iteration keeps surrogate pairs together.
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH_MAX + 1)];
  if (characters.length <= QUOTED_LENGTH_MAX) return text;
  return `${characters.slice(0, QUOTED_LENGTH_MAX).join('')}…`;
}

/** How a message names a token that should not stand there. */
export function describeToken(token: IToken): string {
  if (token.tokenTypeIdx === EOF.tokenTypeIdx) return 'end of input';
  if (token.tokenTypeIdx === StringToken.tokenTypeIdx) return `"${cutText(stringValue(token))}"`;
  return cutText(token.image);
}

/** `expected A | B, found X`. */
export function expectedMessage(labels: readonly string[], token: IToken): string {
  const expected = labels.length === 0 ? 'something else' : labels.join(' | ');
  return `expected ${expected}, found ${describeToken(token)}`;
}

/** One line for all diagnostics of a parse: `parse error: m1; m2`. */
export function summarize(diagnostics: readonly Diagnostic[]): string {
  const messages = diagnostics.map(({ message }) => message).join('; ');
  return `${diagnostics[0]?.stage ?? 'parse'} error: ${messages}`;
}

/** UTF-16 offset of a byte offset; one inside a character becomes that character's start. */
function codeUnitAt(text: string, byteOffset: number): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.codePointAt(index) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > byteOffset) return index;
    index += code < 0x10000 ? 1 : 2;
  }
  return index;
}

/** Line and column of a byte offset. */
export function lineColumn(text: string, byteOffset: number): LineColumn {
  const before = text.slice(0, codeUnitAt(text, byteOffset));
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    line: before.split('\n').length,
    column: [...before.slice(lineStart)].length + 1,
  };
}

/**
 * Plain text of a diagnostic with the line it points into and carets below the range.
 *
 * @param text the text that was parsed
 * @param source what to call it, such as a file name
 */
export function renderDiagnostic(text: string, diagnostic: Diagnostic, source = 'nspl'): string {
  const { line, column } = lineColumn(text, diagnostic.span.start);
  const start = codeUnitAt(text, diagnostic.span.start);
  const end = codeUnitAt(text, diagnostic.span.end);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineBreak = text.indexOf('\n', start);
  const lineEnd = lineBreak < 0 ? text.length : lineBreak;
  const shown = text.slice(lineStart, lineEnd);
  const gutter = String(line).length;
  const pad = shown.slice(0, start - lineStart).replace(/[^\t]/gu, ' ');
  const marked = [...text.slice(start, Math.min(end, lineEnd))].length;
  return [
    `${diagnostic.stage} error: ${diagnostic.message}`,
    `${' '.repeat(gutter)}--> ${source}:${line}:${column}`,
    `${' '.repeat(gutter)} |`,
    `${line} | ${shown}`,
    `${' '.repeat(gutter)} | ${pad}${'^'.repeat(Math.max(marked, 1))}`,
  ].join('\n');
}
