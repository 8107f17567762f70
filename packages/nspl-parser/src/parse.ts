import type { SourceSpan, SpanLookup, Statement } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { type Diagnostic, describeToken, expectedMessage } from './diagnostics.js';
import { expectationsOf } from './expectations.js';
import { ParseFailure } from './failure.js';
import { describeFound } from './found-token.js';
import type { GrammarForm } from './grammar-form.js';
import { Lexer, type Segment } from './lexer.js';
import { SERVER_STATEMENT_RULE, STATEMENT_RULE, statementParser } from './parser.js';
import { ByteOffsets, type NameNote, NodeSpans, utf8Length } from './spans.js';
import { END_TOKEN } from './tokens.js';

/** Longest text that is parsed, in bytes. */
export const SOURCE_BYTES_MAX: number = 16 * 1024 * 1024;

/** Refusals of one script that are described. */
export const REFUSALS_MAX: number = 1_000;

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

/** A script is accepted when it has no errors. */
export interface ScriptResult {
  readonly statements: readonly ParsedStatement[];
  readonly errors: readonly Diagnostic[];
}

/** A statement, or why there is none. */
export type StatementResult =
  | { readonly kind: 'parsed'; readonly parsed: ParsedStatement }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/**
 * Reads a script. Every statement is read by itself, so that one refusal does not hide the next;
 * a text that does not split into tokens has no statements at all. Behind a thousand refusals the
 * rest is left unread, with one refusal that says so.
 */
export function parseScript(text: string, options: ParseOptions = {}): ScriptResult {
  const tooLarge = sizeDefect(text);
  if (tooLarge !== undefined) return { statements: [], errors: [tooLarge] };
  const bytes = new ByteOffsets(text);
  const lexer = new Lexer(text);
  const statements: ParsedStatement[] = [];
  const errors: Diagnostic[] = [];
  for (let segment = lexer.next(); segment !== undefined; segment = lexer.next()) {
    // Behind a lexical defect, or too many refusals, only further defects are of interest.
    if (lexer.defects.length > 0 || errors.length > REFUSALS_MAX) continue;
    const [first] = segment.tokens;
    if (first === undefined) continue;
    if (errors.length === REFUSALS_MAX) {
      errors.push(tooMany(bytes.span(first.startOffset, text.length)));
      continue;
    }
    const result = readSegment(text, bytes, segment, options);
    if (result.kind === 'parsed') statements.push(result.parsed);
    else errors.push(...result.errors);
  }
  if (lexer.defects.length === 0) return { statements, errors };
  return { statements: [], errors: lexErrors(lexer, bytes) };
}

/** The refusal of what stands behind too many others. */
export function tooMany(span: SourceSpan): Diagnostic {
  const message = `${REFUSALS_MAX} statements were refused; the rest of the text was not read`;
  return { code: 'NSPL_TOO_MANY', stage: 'parse', message, span };
}

/** Reads exactly one statement, with or without its `;`. */
export function parseStatement(text: string, options: ParseOptions = {}): StatementResult {
  const source = openText(text);
  if (source.kind === 'refused') return source;
  const { segments, bytes } = source;
  const [segment, extra] = segments.filter(({ tokens }) => tokens.length > 0);
  const found = segment ?? { tokens: [], terminator: undefined };
  const result = readSegment(text, bytes, found, options);
  const unwanted = extra?.tokens[0];
  if (result.kind === 'refused' || unwanted === undefined) return result;
  const span = bytes.span(unwanted.startOffset, endOf(unwanted));
  const message = expectedMessage(['end of input'], describeToken(unwanted));
  return { kind: 'refused', errors: [{ code: 'NSPL_SYNTAX', stage: 'parse', message, span }] };
}

type Source =
  | { readonly kind: 'lexed'; readonly segments: readonly Segment[]; readonly bytes: ByteOffsets }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/** Splits a text into tokens, unless it is too long or holds something that is none. */
export function openText(text: string): Source {
  const tooLarge = sizeDefect(text);
  if (tooLarge !== undefined) return { kind: 'refused', errors: [tooLarge] };
  const bytes = new ByteOffsets(text);
  const lexer = new Lexer(text);
  const segments: Segment[] = [];
  for (let segment = lexer.next(); segment !== undefined; segment = lexer.next()) {
    segments.push(segment);
  }
  if (lexer.defects.length === 0) return { kind: 'lexed', segments, bytes };
  return { kind: 'refused', errors: lexErrors(lexer, bytes) };
}

/** What keeps a text from being split into tokens. */
export function lexErrors(lexer: Lexer, bytes: ByteOffsets): readonly Diagnostic[] {
  return lexer.defects.map(({ message, start, end }) => ({
    code: 'NSPL_LEX',
    stage: 'lex',
    message,
    span: bytes.span(start, end),
  }));
}

/** Refusal of a text that is longer than {@link SOURCE_BYTES_MAX}. */
export function sizeDefect(text: string): Diagnostic | undefined {
  if (text.length * 3 <= SOURCE_BYTES_MAX) return undefined;
  if (text.length <= SOURCE_BYTES_MAX && utf8Length(text) <= SOURCE_BYTES_MAX) return undefined;
  const message = `text exceeds ${SOURCE_BYTES_MAX} bytes`;
  return { code: 'NSPL_TOO_LARGE', stage: 'lex', message, span: { start: 0, end: 0 } };
}

/** UTF-16 offset just past a token. */
export function endOf(token: IToken): number {
  return (token.endOffset ?? token.startOffset - 1) + 1;
}

/**
 * Reads the tokens of one statement.
 *
 * @param options `names` collects the names of the statement, also those before a refusal
 */
export function readSegment(
  text: string,
  bytes: ByteOffsets,
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
      const parsed: ParsedStatement = {
        statement: Object.freeze(statement),
        span: bytes.span(first, last),
        text: text.slice(first, last),
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
  return { kind: 'refused', errors: [{ code, stage: 'parse', message, span }] };
}
