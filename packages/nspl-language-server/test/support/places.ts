import type { Position } from 'vscode-languageserver-protocol/node';

/** Position, in UTF-16, of an offset in a text whose lines end in LF or CRLF. */
export function positionOf(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

/** Position of the nth time that a text holds a part, counted from 1. */
export function place(text: string, part: string, nth = 1): Position {
  let offset = -1;
  for (let count = 0; count < nth; count += 1) {
    offset = text.indexOf(part, offset + 1);
    if (offset < 0) throw new Error(`'${part}' stands there ${count} times`);
  }
  return positionOf(text, offset);
}

/** Range of the nth time that a text holds a part within a line. */
export function rangeOf(text: string, part: string, nth = 1): { start: Position; end: Position } {
  const start = place(text, part, nth);
  return { start, end: { line: start.line, character: start.character + part.length } };
}
