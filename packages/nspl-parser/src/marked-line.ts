import { type Cell, cellsOf, widthOf } from './display-cells.js';
import type { TextRange } from './spans.js';

/** A source line and, below it, carets under a part of it. */
export interface MarkedLine {
  readonly shown: string;
  /** Empty where nothing is marked. */
  readonly marks: string;
}

/** Columns of a line that are shown at most; a longer one is cut around the marked part. */
const COLUMNS_MAX = 100;
/** Columns that stay in front of the marked part of a line that is cut. */
const LEAD_COLUMNS = 30;
/** Code units around the start of the marked part that are looked at. */
const REACH = 400;

/**
 * Shows a line with carets below a part of it, at least one. Tabs stay tabs in both rows, so that
 * the carets stand below what they mean wherever the tab stops are.
 *
 * @param line range of the line without its line break
 * @param mark range to mark; undefined marks nothing
 */
export function markedLine(text: string, line: TextRange, mark: TextRange | undefined): MarkedLine {
  const start = Math.min(mark?.start ?? line.start, line.end);
  const from = characterStart(text, Math.max(line.start, start - REACH));
  const to = characterStart(text, Math.min(line.end, start + REACH));
  const cells = cellsOf(text, from, to);
  const first = indexAt(cells, start);
  const [begin, end] = windowOf(cells, first, from === line.start && to === line.end);
  const isCutBefore = begin > 0 || from > line.start;
  const isCutBehind = end < cells.length || to < line.end;
  const visible = cells.slice(begin, end);
  const shown = [
    ...(isCutBefore ? ['…'] : []),
    ...visible.map((cell) => cell.shown),
    ...(isCutBehind ? ['…'] : []),
  ].join('');
  if (mark === undefined) return { shown, marks: '' };
  const marks = marksBelow(visible, { start, end: mark.end });
  return { shown, marks: isCutBefore ? ` ${marks}` : marks };
}

/** The offset itself, or the one before it where it would split a surrogate pair. */
function characterStart(text: string, offset: number): number {
  const isInPair = offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
  return isInPair ? offset - 1 : offset;
}

function indexAt(cells: readonly Cell[], offset: number): number {
  const index = cells.findIndex(({ at }) => at >= offset);
  return index < 0 ? cells.length : index;
}

/** First and last-but-one index of the cells that are shown. */
function windowOf(cells: readonly Cell[], first: number, isWhole: boolean): [number, number] {
  if (isWhole && widthOf(cells) <= COLUMNS_MAX) return [0, cells.length];
  let begin = first;
  let columns = 0;
  const fits = (index: number, columnsMax: number): boolean => {
    const cell = cells[index];
    return cell !== undefined && columns + cell.width <= columnsMax;
  };
  const take = (index: number): void => {
    columns += cells[index]?.width ?? 0;
  };
  while (fits(begin - 1, LEAD_COLUMNS)) {
    begin -= 1;
    take(begin);
  }
  let end = first;
  while (fits(end, COLUMNS_MAX)) {
    take(end);
    end += 1;
  }
  // Near the end of the line there is room for more in front.
  while (end === cells.length && fits(begin - 1, COLUMNS_MAX)) {
    begin -= 1;
    take(begin);
  }
  return [begin, end];
}

function marksBelow(cells: readonly Cell[], mark: TextRange): string {
  let marks = '';
  let marked = 0;
  for (const { at, shown, width } of cells) {
    if (at >= mark.end && at > mark.start) break;
    if (at < mark.start) marks += shown === '\t' ? '\t' : ' '.repeat(width);
    else if (shown === '\t' && marked > 0) marks += '\t';
    else {
      const carets = shown === '\t' ? 1 : width;
      marks += '^'.repeat(carets);
      marked += carets;
    }
  }
  return marked === 0 ? `${marks}^` : marks;
}
