import fc from 'fast-check';
import type { Position, TextDocumentContentChangeEvent } from 'vscode-languageserver-protocol/node';

/** A change in terms of the text itself, with which a model of the document is kept. */
export interface Edit {
  /** Where it begins and ends, as parts of the characters that there are. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly isFull: boolean;
}

const PIECES = [
  'CREATE RELAY a SCHEMA b UNBRANCHED;',
  'CREATE SCHEMA b (c U8)',
  ';',
  "'",
  '"',
  '$$',
  '\n',
  '\r\n',
  '\r',
  '// ',
  'é',
  '😀',
  'x ',
  '',
];

export const someText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

export const someEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    text: someText,
    isFull: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth === 0),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Offsets of a text that positions can name: not inside a character or a line break. */
function boundaries(text: string): number[] {
  const found = [0];
  for (const part of text.matchAll(/\r\n|[\s\S]/gu)) found.push(part.index + part[0].length);
  return found;
}

function positionAt(text: string, offset: number, encoding: string): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/u);
  const last = lines.at(-1) ?? '';
  const character = encoding === 'utf-8' ? Buffer.byteLength(last) : last.length;
  return { line: lines.length - 1, character };
}

/** An edit of a text as the protocol spells it, and the text that it leads to. */
export function applyEdit(
  text: string,
  edit: Edit,
  encoding: string,
): { readonly change: TextDocumentContentChangeEvent; readonly text: string } {
  if (edit.isFull) return { change: { text: edit.text }, text: edit.text };
  const places = boundaries(text);
  const offsets = [edit.from, edit.to].map(
    (share) => places[Math.floor(share * (places.length - 1))] ?? 0,
  );
  const start = Math.min(...offsets);
  const end = Math.max(...offsets);
  const range = {
    start: positionAt(text, start, encoding),
    end: positionAt(text, end, encoding),
  };
  return {
    change: { range, text: edit.text },
    text: text.slice(0, start) + edit.text + text.slice(end),
  };
}
