import type { SourceSpan } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { EOF } from 'chevrotain';
import { StringToken, stringValue } from './tokens.js';

/** Stable codes of what the parser refuses. */
export type DiagnosticCode =
  | 'NSPL_TOO_LARGE'
  | 'NSPL_LEX'
  | 'NSPL_SYNTAX'
  | 'NSPL_REFUSED'
  | 'NSPL_TOO_MANY';

/** A refusal: what is wrong and where, in byte offsets of the text that was parsed. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly stage: 'lex' | 'parse';
  readonly message: string;
  readonly span: SourceSpan;
  /** Advice, where there is some: what may have been meant, or how the language says it. */
  readonly hint?: string;
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
  if (token.tokenTypeIdx === StringToken.tokenTypeIdx) return describeString(stringValue(token));
  return cutText(token.image);
}

/** How a message names a string by its value. */
export function describeString(value: string): string {
  return `"${cutText(value)}"`;
}

/** `expected A | B, found X`. */
export function expectedMessage(labels: readonly string[], found: string): string {
  const expected = labels.length === 0 ? 'something else' : labels.join(' | ');
  return `expected ${expected}, found ${found}`;
}

/** One line for all diagnostics of a parse: `parse error: m1; m2`. */
export function summarize(diagnostics: readonly Diagnostic[]): string {
  const messages = diagnostics.map(({ message }) => message).join('; ');
  return `${diagnostics[0]?.stage ?? 'parse'} error: ${messages}`;
}
