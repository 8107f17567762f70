import type { SourceSpan } from '@nervix/model';
import type { LineIndex } from './line-index.js';
import { markedLine } from './marked-line.js';
import type { TextRange } from './spans.js';

/** A row of an excerpt. */
export type ExcerptRow =
  | {
      readonly kind: 'line';
      readonly number: number;
      readonly shown: string;
      /** Carets below the line; empty where nothing is marked. */
      readonly marks: string;
    }
  /** Lines are left out here. */
  | { readonly kind: 'gap' };

/** Lines of a range that are shown at most; of a longer one, the first ones and the last. */
const LINES_MAX = 4;
/** Code units at an edge of a line that are searched for something to mark. */
const BLANKS_MAX = 400;

/**
 * The lines that a byte range covers, with the range marked in them. A place at the end of the
 * text, behind blank lines, is shown together with the last line that holds something.
 */
export function excerptRows(lines: LineIndex, span: SourceSpan): readonly ExcerptRow[] {
  const start = lines.codeUnitAt(span.start);
  const end = Math.max(start, lines.codeUnitAt(span.end));
  const first = lines.lineAt(start);
  const last = lines.lineAt(Math.max(start, end - 1));
  if (first === last) {
    const rows = [lineRow(lines, first, { start, end })];
    return start === end ? [...contextRows(lines, start, first), ...rows] : rows;
  }
  const row = (number: number): ExcerptRow => {
    const range = lines.lineRange(number);
    const part = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
    return lineRow(lines, number, withoutBlanks(lines.text, part));
  };
  const shownLast = last - first < LINES_MAX ? last : first + LINES_MAX - 3;
  const rows: ExcerptRow[] = [];
  for (let number = first; number <= shownLast; number += 1) rows.push(row(number));
  return shownLast === last ? rows : [...rows, { kind: 'gap' }, row(last)];
}

function lineRow(lines: LineIndex, number: number, mark: TextRange | undefined): ExcerptRow {
  return { kind: 'line', number, ...markedLine(lines.text, lines.lineRange(number), mark) };
}

/** The last line that holds something, when a place lies on a blank line behind it. */
function contextRows(lines: LineIndex, start: number, line: number): readonly ExcerptRow[] {
  const { contentEnd } = lines;
  if (contentEnd === 0 || start < contentEnd) return [];
  const context = lines.lineAt(contentEnd - 1);
  if (context === line) return [];
  const row = lineRow(lines, context, undefined);
  return context === line - 1 ? [row] : [row, { kind: 'gap' }];
}

/** The range without white space at its edges; undefined when nothing else is found in it. */
function withoutBlanks(text: string, { start, end }: TextRange): TextRange | undefined {
  const lead = text.slice(start, Math.min(end, start + BLANKS_MAX));
  const indentation = lead.length - lead.trimStart().length;
  if (indentation === lead.length) return undefined;
  const tail = text.slice(Math.max(start, end - BLANKS_MAX), end);
  return { start: start + indentation, end: end - (tail.length - tail.trimEnd().length) };
}
