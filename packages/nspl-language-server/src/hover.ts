import { printStatement, type StatementOutline, wordsIn } from '@nervix/nspl-parser';
import {
  type ClauseEntry,
  clauseEntryAt,
  type StatementEntry,
  sharedClauseEntry,
  statementEntryOfWords,
} from '@nervix/nspl-parser/documentation';
import type { Range } from 'vscode-languageserver';
import { calledFunction, functionProse } from './function-words.js';
import { type NamedPlace, placeAt } from './named-places.js';
import { findDefinition } from './navigation.js';
import type { SourceDocument } from './source-document.js';

/** What is shown about a part of a text: NSPL, prose in Markdown, or both. */
export interface HoverContent {
  readonly range: Range;
  readonly prose?: string;
  readonly nspl?: string;
}

/**
 * What is known about the word at a byte offset: of a name, the statement that creates what it
 * names; of a keyword, what its clause or its statement is for.
 *
 * @param others documents to look into for definitions that the document does not hold
 */
export function hover(
  document: SourceDocument,
  offset: number,
  others: readonly SourceDocument[],
): HoverContent | undefined {
  const place = placeAt(document.outline, offset);
  if (place !== undefined) return nameHover(document, place, others);
  const statement = document.outline.statements.find(
    ({ span }) => span.start <= offset && offset < span.end,
  );
  return statement === undefined ? undefined : wordHover(document, statement, offset);
}

function nameHover(
  document: SourceDocument,
  place: NamedPlace,
  others: readonly SourceDocument[],
): HoverContent | undefined {
  const definition = findDefinition(document, place.span.start, others);
  const statement = definition?.place.statement.parsed?.statement;
  if (statement === undefined) return undefined;
  return { range: document.rangeOf(place.span), nspl: printStatement(statement) };
}

function wordHover(
  document: SourceDocument,
  { span, names }: StatementOutline,
  offset: number,
): HoverContent | undefined {
  const text = document.textOf(span);
  const found = wordsIn(text);
  const index = found.findIndex((word) => offset < span.start + word.span.end);
  const word = found[index];
  if (word === undefined || offset < span.start + word.span.start) return undefined;
  const words = found.map((each) => each.text);
  const called = isCall(text, word.span.start, word.span.end)
    ? calledFunction(word.text, words)
    : undefined;
  if (called !== undefined) {
    const place = { start: span.start + word.span.start, end: span.start + word.span.end };
    return { range: document.rangeOf(place), prose: functionProse(called) };
  }
  const entry = statementEntryOfWords(words);
  const isName = names.some((name) => name.span.start === span.start + word.span.start);
  if (entry === undefined || isName) return undefined;
  const range = (first: number, count: number): Range =>
    document.rangeOf({
      start: span.start + (found[first]?.span.start ?? 0),
      end: span.start + (found[first + count - 1]?.span.end ?? 0),
    });
  const match = clauseEntryAt(entry, words, index);
  if (match !== undefined) {
    const title = words
      .slice(match.start, match.start + match.length)
      .join(' ')
      .toUpperCase();
    return { range: range(match.start, match.length), prose: clauseProse(title, match.clause) };
  }
  const isBeforeNames = offset < (names[0]?.span.start ?? span.end);
  if (!isBeforeNames || !isHeadWord(entry, word.text)) return undefined;
  const [nspl] = entry.examples;
  const content = { range: range(index, 1), prose: statementProse(entry) };
  return nspl === undefined ? content : { ...content, nspl };
}

/** Whether the word at bytes of a statement stands before `(`, and is no name of a UDF. */
function isCall(text: string, start: number, end: number): boolean {
  const bytes = new TextEncoder().encode(text);
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  return (
    /^\s*\(/u.test(decode(bytes.subarray(end))) && !decode(bytes.subarray(0, start)).endsWith('::')
  );
}

function isHeadWord({ heads }: StatementEntry, word: string): boolean {
  return heads.some((head) => head.split(' ').includes(word.toUpperCase()));
}

function statementProse({ title, summary, notes }: StatementEntry): string {
  return [`**${title}** — ${summary}`, ...notes].join('\n\n');
}

function clauseProse(title: string, { summary, omitted, shared }: ClauseEntry): string {
  const notes = shared === undefined ? [] : (sharedClauseEntry(shared)?.notes ?? []);
  const absence = omitted === undefined ? [] : [`Left out: ${omitted}.`];
  return [`**${title}** — ${summary}`, ...absence, ...notes].join('\n\n');
}

/** The text of a hover for clients with or without Markdown. */
export function hoverText({ prose, nspl }: HoverContent, isMarkdown: boolean): string {
  const parts = [];
  if (prose !== undefined) parts.push(isMarkdown ? prose : prose.replaceAll('**', ''));
  if (nspl !== undefined) parts.push(isMarkdown ? fenced(nspl) : nspl);
  return parts.join('\n\n');
}

/** NSPL as a block of code; the fence is longer than any run of backticks in it. */
function fenced(nspl: string): string {
  const longest = Math.max(2, ...(nspl.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}nspl\n${nspl}\n${fence}`;
}
