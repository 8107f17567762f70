import { type Diagnostic, describeToken, expectedMessage } from './diagnostics.js';
import { ScriptReader } from './script-reader.js';
import { openText } from './source.js';
import {
  type ParsedStatement,
  type ParseOptions,
  readSegment,
  type StatementResult,
} from './statement-reader.js';
import { endOf } from './tokens.js';

/** A script is accepted when it has no errors. */
export interface ScriptResult {
  readonly statements: readonly ParsedStatement[];
  readonly errors: readonly Diagnostic[];
}

/**
 * Reads a script. Every statement is read by itself, so that one refusal does not hide the next;
 * a text that does not split into tokens has no statements at all. Behind a thousand refusals the
 * rest is left unread, with one refusal that says so.
 */
export function parseScript(text: string, { grammar = 'client' }: ParseOptions = {}): ScriptResult {
  const reader = new ScriptReader(text, { grammar });
  const statements: ParsedStatement[] = [];
  for (let read = reader.next(); read !== undefined; read = reader.next()) {
    if (read.result.kind === 'parsed') statements.push(read.result.parsed);
  }
  const hasDefects = reader.source.hasDefects;
  return { statements: hasDefects ? [] : statements, errors: reader.errors() };
}

/** Reads exactly one statement, with or without its `;`. */
export function parseStatement(text: string, options: ParseOptions = {}): StatementResult {
  const opened = openText(text);
  if (opened.kind === 'refused') return opened;
  const { segments, source } = opened;
  const [segment, extra] = segments.filter(({ tokens }) => tokens.length > 0);
  const found = segment ?? { tokens: [], terminator: undefined };
  const result = readSegment(source, found, options);
  const unwanted = extra?.tokens[0];
  if (result.kind === 'refused' || unwanted === undefined) return result;
  const span = source.bytes.span(unwanted.startOffset, endOf(unwanted));
  const message = expectedMessage(['end of input'], describeToken(unwanted));
  return { kind: 'refused', errors: [{ code: 'NSPL_SYNTAX', stage: 'parse', message, span }] };
}
