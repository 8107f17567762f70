/** A character as it is shown in a terminal. */
export interface Cell {
  /** UTF-16 offset of the character in its text. */
  readonly at: number;
  readonly shown: string;
  /** Columns that it takes; a tab counts as the most it can take. */
  readonly width: number;
}

/** Columns between tab stops. */
const TAB_WIDTH = 8;

/** What a terminal would act upon, reorder by or not show at all; joiners of emoji are no such. */
const UNSHOWN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]$/u;
const JOINED = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;
/** East Asian wide and full-width characters, and what is drawn as emoji. */
const WIDE = new RegExp(
  [
    '^[\\p{Emoji_Presentation}',
    '\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf',
    '\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6',
    '\\u{16fe0}-\\u{18cff}\\u{1aff0}-\\u{1b2ff}\\u{20000}-\\u{3fffd}]$',
  ].join(''),
  'u',
);

/** The characters of a part of a text, as they are shown; offsets are UTF-16. */
export function cellsOf(text: string, start: number, end: number): Cell[] {
  const cells: Cell[] = [];
  let at = start;
  for (const character of text.slice(start, end)) {
    cells.push({ at, ...shownAs(character) });
    at += character.length;
  }
  return cells;
}

/** A text without anything that a terminal would act upon. */
export function shownText(text: string): string {
  return cellsOf(text, 0, text.length)
    .map(({ shown }) => shown)
    .join('');
}

function shownAs(character: string): { readonly shown: string; readonly width: number } {
  if (character >= ' ' && character <= '~') return { shown: character, width: 1 };
  if (character === '\t') return { shown: character, width: TAB_WIDTH };
  if (JOINED.test(character)) return { shown: character, width: 0 };
  if (UNSHOWN.test(character)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const shown = `<U+${code}>`;
    return { shown, width: shown.length };
  }
  return { shown: character, width: WIDE.test(character) ? 2 : 1 };
}

/** Total width of cells in columns. */
export function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
