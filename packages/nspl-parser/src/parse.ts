import type { Expression, SourceSpan, SpanLookup, Statement } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { type Diagnostic, expectedMessage } from './diagnostics.js';
import { expectationsOf } from './expectations.js';
import { ExpressionReader } from './expression/expression-reader.js';
import { ParseFailure } from './failure.js';
import { lex } from './lexer.js';
import { STATEMENT_RULE, statementParser } from './parser.js';
import { ByteOffsets, NodeSpans, utf8Length } from './spans.js';
import { END_TOKEN, Semicolon } from './tokens.js';

/** Longest text that is parsed, in bytes. */
export const SOURCE_BYTES_MAX: number = 16 * 1024 * 1024;

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

export type StatementResult =
  | { readonly kind: 'parsed'; readonly parsed: ParsedStatement }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

export type ExpressionResult =
  | { readonly kind: 'parsed'; readonly expression: Expression; readonly spans: SpanLookup }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/** Tokens of one statement and the `;` behind them. */
interface Segment {
  readonly tokens: readonly IToken[];
  readonly terminator: IToken | undefined;
}

/**
 * Reads a script. Every statement is read by itself, so that one refusal does not hide the next;
 * a text that does not split into tokens has no statements at all.
 */
export function parseScript(text: string): ScriptResult {
  const source = open(text);
  if (source.kind === 'refused') return { statements: [], errors: source.errors };
  const statements: ParsedStatement[] = [];
  const errors: Diagnostic[] = [];
  for (const segment of segmentsOf(source.tokens)) {
    const result = readSegment(text, source.bytes, segment);
    if (result.kind === 'parsed') statements.push(result.parsed);
    else errors.push(...result.errors);
  }
  return { statements, errors };
}

/** Reads exactly one statement, with or without its `;`. */
export function parseStatement(text: string): StatementResult {
  const source = open(text);
  if (source.kind === 'refused') return source;
  const [segment, extra] = segmentsOf(source.tokens);
  const result = readSegment(text, source.bytes, segment ?? { tokens: [], terminator: undefined });
  const unwanted = extra?.tokens[0];
  if (result.kind === 'refused' || unwanted === undefined) return result;
  const span = source.bytes.span(unwanted.startOffset, endOf(unwanted));
  const message = expectedMessage(['end of input'], unwanted);
  return { kind: 'refused', errors: [{ code: 'NSPL_SYNTAX', stage: 'parse', message, span }] };
}

/** Reads a text that is one expression. */
export function parseExpression(text: string): ExpressionResult {
  const source = open(text);
  if (source.kind === 'refused') return source;
  const { tokens, bytes } = source;
  const spans = new NodeSpans(bytes);
  const reader = new ExpressionReader();
  reader.enter(tokens, 0, spans);
  try {
    const expression = reader.expression();
    if (reader.position === tokens.length) return { kind: 'parsed', expression, spans };
    const failure = new ParseFailure('', { first: reader.position, last: reader.position }, [
      'end of input',
    ]);
    return refused(failure, tokens, { bytes, end: text.length });
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    return refused(error, tokens, { bytes, end: text.length });
  }
}

type Source =
  | { readonly kind: 'lexed'; readonly tokens: readonly IToken[]; readonly bytes: ByteOffsets }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/** Splits a text into tokens, unless it is too long or holds something that is none. */
function open(text: string): Source {
  if (text.length > SOURCE_BYTES_MAX || isTooLong(text)) {
    const message = `text exceeds ${SOURCE_BYTES_MAX} bytes`;
    const span = { start: 0, end: 0 };
    return { kind: 'refused', errors: [{ code: 'NSPL_TOO_LARGE', stage: 'lex', message, span }] };
  }
  const bytes = new ByteOffsets(text);
  const { tokens, defects } = lex(text);
  if (defects.length === 0) return { kind: 'lexed', tokens, bytes };
  const errors = defects.map(
    ({ message, start, end }): Diagnostic => ({
      code: 'NSPL_LEX',
      stage: 'lex',
      message,
      span: bytes.span(start, end),
    }),
  );
  return { kind: 'refused', errors };
}

function isTooLong(text: string): boolean {
  return text.length * 3 > SOURCE_BYTES_MAX && utf8Length(text) > SOURCE_BYTES_MAX;
}

/** The statements of a token sequence; those without tokens are left out. */
function segmentsOf(tokens: readonly IToken[]): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  for (let index = 0; index <= tokens.length; index += 1) {
    const token = tokens[index];
    if (token !== undefined && token.tokenTypeIdx !== Semicolon.tokenTypeIdx) continue;
    if (index > start) segments.push({ tokens: tokens.slice(start, index), terminator: token });
    start = index + 1;
  }
  return segments;
}

function endOf(token: IToken): number {
  return (token.endOffset ?? token.startOffset - 1) + 1;
}

function readSegment(text: string, bytes: ByteOffsets, segment: Segment): StatementResult {
  const { tokens, terminator } = segment;
  const end = terminator?.startOffset ?? text.length;
  const spans = new NodeSpans(bytes);
  const { host, statement: rule } = statementParser();
  try {
    const statement = host.run(rule, tokens, spans);
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
  return refused(furthestFailure(tokens), tokens, { bytes, end });
}

function furthestFailure(tokens: readonly IToken[]): ParseFailure {
  const start = statementParser().host.recorded()[STATEMENT_RULE];
  if (start === undefined) return new ParseFailure('', { first: 0, last: 0 });
  const { failure, position, labels } = expectationsOf(start, tokens);
  return failure ?? new ParseFailure('', { first: position, last: position }, labels);
}

function refused(
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
    : expectedMessage(failure.expected, first ?? END_TOKEN);
  const code = isRefusal ? 'NSPL_REFUSED' : 'NSPL_SYNTAX';
  return { kind: 'refused', errors: [{ code, stage: 'parse', message, span }] };
}
