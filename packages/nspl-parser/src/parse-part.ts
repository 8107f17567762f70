import type { Construction, Expression, SpanLookup } from '@nervix/model';
import type { IToken } from 'chevrotain';
import type { Diagnostic } from './diagnostics.js';
import { expectationsOf } from './expectations.js';
import { readExpressions } from './expression/construction-reader.js';
import { ExpressionReader } from './expression/expression-reader.js';
import { ParseFailure, refuseToken } from './failure.js';
import { CONSTRUCTION_RULE, statementParser } from './parser.js';
import { openText } from './source.js';
import { NodeSpans } from './spans.js';
import { refused } from './statement-reader.js';
import { Semicolon } from './tokens.js';

/** Why a text is not what it should be. */
interface Refused {
  readonly kind: 'refused';
  readonly errors: readonly Diagnostic[];
}

/** An expression, or why there is none. */
export type ExpressionResult =
  | { readonly kind: 'parsed'; readonly expression: Expression; readonly spans: SpanLookup }
  | Refused;

/** Expressions, or why there are none. */
export type ExpressionListResult =
  | {
      readonly kind: 'parsed';
      /** At least one, in written order. */
      readonly expressions: readonly Expression[];
      readonly spans: SpanLookup;
    }
  | Refused;

/** The construction of a route, or why there is none. */
export type ConstructionResult =
  | { readonly kind: 'parsed'; readonly construction: Construction; readonly spans: SpanLookup }
  | Refused;

/** Reads a text that is one expression, as a WHERE clause holds it. */
export function parseExpression(text: string): ExpressionResult {
  const result = parsePart(
    text,
    readWith(({ expression }) => expression()),
  );
  if (result.kind === 'refused') return result;
  return { kind: 'parsed', expression: result.value, spans: result.spans };
}

/** Reads a text that is expressions with a comma between each two, as `DEDUPLICATE ON` takes. */
export function parseExpressionList(text: string): ExpressionListResult {
  const result = parsePart(text, readWith(readExpressions));
  if (result.kind === 'refused') return result;
  return { kind: 'parsed', expressions: result.value, spans: result.spans };
}

/** Reads a text that is what a route does to build its record: INHERIT, SET, WHERE, INVOKE. */
export function parseConstruction(text: string): ConstructionResult {
  const result = parsePart(text, readConstruction);
  if (result.kind === 'refused') return result;
  return { kind: 'parsed', construction: result.value, spans: result.spans };
}

/** Reads all of the tokens or throws a {@link ParseFailure}. */
type ReadPart<T> = (tokens: readonly IToken[], spans: NodeSpans) => T;

const END = 'end of input';

function readWith<T>(read: (reader: ExpressionReader) => T): ReadPart<T> {
  return (tokens, spans) => {
    const reader = new ExpressionReader();
    reader.enter(tokens, 0, spans);
    const value = read(reader);
    if (reader.position !== tokens.length) refuseToken(reader.position, [END]);
    return value;
  };
}

function readConstruction(tokens: readonly IToken[], spans: NodeSpans): Construction {
  const { host, construction } = statementParser();
  try {
    const value = host.run(construction, [...tokens], spans);
    // A route can do without any clause, a text that is a construction cannot.
    if (value !== undefined && tokens.length > 0) return value;
  } catch (error) {
    // A refusal with its own message stands; of others, all readings together are told.
    if (!(error instanceof ParseFailure) || error.expected.length === 0) throw error;
  }
  const { failure, position, labels } = expectationsOf(host.recordOf(CONSTRUCTION_RULE), tokens);
  if (failure !== undefined) throw failure;
  const clauses = labels.filter((label) => label !== Semicolon.LABEL);
  const canEnd = position > 0 && clauses.length < labels.length;
  return refuseToken(position, canEnd ? [...clauses, END] : clauses);
}

function parsePart<T>(
  text: string,
  read: ReadPart<T>,
): { readonly kind: 'parsed'; readonly value: T; readonly spans: SpanLookup } | Refused {
  const opened = openText(text);
  if (opened.kind === 'refused') return opened;
  const { segments, source } = opened;
  const { bytes } = source;
  const tokens = segments.flatMap((segment) =>
    segment.terminator === undefined ? segment.tokens : [...segment.tokens, segment.terminator],
  );
  const spans = new NodeSpans(bytes);
  try {
    return { kind: 'parsed', value: read(tokens, spans), spans };
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    return refused(error, tokens, { bytes, end: text.length });
  }
}
