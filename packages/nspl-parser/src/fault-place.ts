import type { SourceSpan } from '@nervix/model';
import { ByteOffsets } from './spans.js';
import type { ParsedStatement } from './statement-reader.js';

/** What a fault that was found in a statement is about. */
export interface FaultSubject {
  /** Node of the statement that is at fault. */
  readonly subject?: object | undefined;
  /** Name that the statement uses and that nothing has. */
  readonly missingName?: string | undefined;
  /** Name of what is at fault, for a fault of all of it. */
  readonly name?: string | undefined;
}

/**
 * Where the text of a statement is at fault: at a name that is missing, else at the node, or at the
 * name of what the whole statement makes.
 *
 * @returns undefined when the text holds none of them
 */
export function faultPlace(
  parsed: ParsedStatement,
  { subject, missingName, name }: FaultSubject,
): SourceSpan | undefined {
  const { statement, spans } = parsed;
  const isWhole = statement.kind === 'create_model' && statement.model === subject;
  const node = subject === undefined || isWhole ? undefined : spans.spanOf(subject);
  const wanted = missingName ?? name;
  const [named] = wanted === undefined ? [] : namePlaces(parsed, wanted);
  return missingName === undefined ? (node ?? named) : (named ?? node);
}

/** Where the text of a statement spells a name as a word of its own, whatever its case, in order. */
export function namePlaces(
  { text, span }: Pick<ParsedStatement, 'text' | 'span'>,
  name: string,
): readonly SourceSpan[] {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'gi');
  const offsets = new ByteOffsets(text);
  return [...text.matchAll(word)].map(({ 0: found, index }) => {
    const { start, end } = offsets.span(index, index + found.length);
    return { start: span.start + start, end: span.start + end };
  });
}
