import type { SourceSpan } from '@nervix/model';
import { type LineColumn, lineColumn } from '@nervix/nspl-parser';
import { isSensitiveText } from './sensitive-text.js';

/** A text with the name under which places in it are reported. */
export interface SourceText {
  readonly label: string;
  readonly text: string;
}

/** A place for programs; line and column count from 1, columns count characters. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where a span begins. */
export function sourcePosition(source: SourceText, span: SourceSpan): SourcePosition {
  return { file: source.label, ...lineColumn(source.text, span.start) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The part of a text between two UTF-8 byte offsets. */
function sliceBytes(text: string, span: SourceSpan): string {
  return decoder.decode(encoder.encode(text).subarray(span.start, span.end));
}

/** The line of a place and its neighbours, which may hold a secret together. */
function surroundings(text: string, place: LineColumn): string {
  const first = Math.max(0, place.line - 2);
  return text
    .split('\n')
    .slice(first, place.line + 1)
    .join('\n');
}

/** The line of a place with carets below the span. */
function excerpt(text: string, span: SourceSpan, place: LineColumn): string[] {
  const line = (text.split('\n')[place.line - 1] ?? '').replace(/\r$/, '');
  const characters = [...line];
  const marked = [...(sliceBytes(text, span).split('\n')[0] ?? '')].length;
  const width = Math.max(1, Math.min(marked, characters.length - place.column + 1));
  const number = String(place.line);
  // Tabs stay tabs in the indentation, so that the caret stands below what it means.
  const indent = characters.slice(0, place.column - 1).map((one) => (one === '\t' ? '\t' : ' '));
  return [
    `  ${number} | ${line}`,
    `  ${' '.repeat(number.length)} | ${indent.join('')}${'^'.repeat(width)}`,
  ];
}

/**
 * `label:line:column: message` with the source line and carets below. Around a secret, neither the
 * line nor a string that the message quotes is shown.
 */
export function sourceReport(source: SourceText, span: SourceSpan, message: string): string {
  const place = lineColumn(source.text, span.start);
  const head = `${source.label}:${place.line}:${place.column}:`;
  if (isSensitiveText(surroundings(source.text, place))) {
    return `${head} ${message.replace(/found ".*"$/s, 'found a string')}`;
  }
  return [`${head} ${message}`, ...excerpt(source.text, span, place)].join('\n');
}
