import type { SourceSpan } from '@nervix/model';
import { isSensitiveText } from './sensitive-text.js';

/** A text with the name under which places in it are reported. */
export interface SourceText {
  readonly label: string;
  readonly text: string;
}

/** A one-based place in a text; columns count characters. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The part of a text between two UTF-8 byte offsets. */
export function sliceBytes(text: string, span: SourceSpan): string {
  return decoder.decode(encoder.encode(text).subarray(span.start, span.end));
}

function countCharacters(text: string): number {
  return [...text].length;
}

/** Line and column of a UTF-8 byte offset. */
export function placeOf(text: string, byteOffset: number): SourcePlace {
  const before = sliceBytes(text, { start: 0, end: Math.max(0, byteOffset) });
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    line: before.split('\n').length,
    column: countCharacters(before.slice(lineStart)) + 1,
  };
}

/** The line of a place with carets below the span, or nothing where it could show a secret. */
function excerpt(text: string, span: SourceSpan, place: SourcePlace): string[] {
  const lines = text.split('\n');
  const line = (lines[place.line - 1] ?? '').replace(/\r$/, '');
  const around = lines.slice(Math.max(0, place.line - 2), place.line + 1).join('\n');
  if (isSensitiveText(around)) return [];
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

/** `label:line:column: message` with the source line and carets below. */
export function sourceReport(source: SourceText, span: SourceSpan, message: string): string {
  const place = placeOf(source.text, span.start);
  const head = `${source.label}:${place.line}:${place.column}: ${message}`;
  return [head, ...excerpt(source.text, span, place)].join('\n');
}
