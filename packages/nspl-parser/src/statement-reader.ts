import type { SourceSpan, SpanLookup, Statement } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { type Diagnostic, expectedMessage } from './diagnostics.js';
import { expectationsOf } from './expectations.js';
import { ParseFailure } from './failure.js';
import { describeFound } from './found-token.js';
import type { GrammarForm } from './grammar-form.js';
import { hintFor } from './hints.js';
import type { Segment } from './lexer.js';
import { SERVER_STATEMENT_RULE, STATEMENT_RULE, statementParser } from './parser.js';
import type { Source } from './source.js';
import { type ByteOffsets, type NameNote, NodeSpans } from './spans.js';
import { partOf } from './text-part.js';
import { END_TOKEN, endOf } from './tokens.js';

/** How a text is read. */
export interface ParseOptions {
  /** Decides how BACKUP and RESTORE are written; everything else is alike. Default: client. */
  readonly grammar?: GrammarForm;
}

/** A statement and where it stood. */
export interface ParsedStatement {
  readonly statement: Statement;
  /** From its first token to just past its `;`. */
  readonly span: SourceSpan;
  /** The text of that range. */
  readonly text: string;
  /** Where the parts of the statement stood in the submitted text. */
  readonly spans: SpanLookup;
}

/** A statement, or why there is none. */
export type StatementResult =
  | { readonly kind: 'parsed'; readonly parsed: ParsedStatement }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/**
 * Reads the tokens of one statement.
 *
 * @param options `names` collects the names of the statement, also those before a refusal
 */
export function readSegment(
  { text, bytes }: Source,
  segment: Segment,
  options: ParseOptions & { readonly names?: NameNote[] } = {},
): StatementResult {
  const { tokens, terminator } = segment;
  const end = terminator?.startOffset ?? text.length;
  const spans = new NodeSpans(bytes, options.names);
  const parser = statementParser();
  const isServer = options.grammar === 'server';
  const rule = isServer ? parser.serverStatement : parser.statement;
  try {
    const statement = parser.host.run(rule, tokens, spans);
    if (statement !== undefined) {
      const first = tokens[0]?.startOffset ?? 0;
      const last = endOf(terminator ?? tokens.at(-1) ?? END_TOKEN);
      const written = partOf(text, first, last);
      spans.confine(bytes, first, written);
      const parsed: ParsedStatement = {
        statement: Object.freeze(statement),
        span: bytes.span(first, last),
        text: written,
        spans,
      };
      return { kind: 'parsed', parsed };
    }
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    // A refusal with its own message stands; one at a slot's first token is merged with the rest.
    if (error.expected.length === 0) return refused(error, tokens, { bytes, end });
  }
  const start = isServer ? SERVER_STATEMENT_RULE : STATEMENT_RULE;
  return refused(furthestFailure(tokens, start), tokens, { bytes, end });
}

function furthestFailure(tokens: readonly IToken[], rule: string): ParseFailure {
  const start = statementParser().host.recordOf(rule);
  const { failure, position, labels } = expectationsOf(start, tokens);
  return failure ?? new ParseFailure('', { first: position, last: position }, labels);
}

/** The refusal that a failure to read tokens of a text is. */
export function refused(
  failure: ParseFailure,
  tokens: readonly IToken[],
  at: { readonly bytes: ByteOffsets; readonly end: number },
): { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] } {
  const first = tokens[failure.first];
  const last = tokens[failure.last];
  const start = first?.startOffset ?? at.end;
  const span = at.bytes.span(start, last === undefined ? Math.max(start, at.end) : endOf(last));
  const isRefusal = failure.message !== '';
  const message = isRefusal
    ? failure.message
    : expectedMessage(failure.expected, describeFound(tokens, failure.first));
  const code = isRefusal ? 'NSPL_REFUSED' : 'NSPL_SYNTAX';
  const hint = isRefusal ? undefined : hintFor(tokens, failure.first, failure.expected);
  const advice = hint === undefined ? {} : { hint };
  return { kind: 'refused', errors: [{ code, stage: 'parse', message, span, ...advice }] };
}
