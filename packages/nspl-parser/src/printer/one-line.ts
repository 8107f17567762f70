import { Lexer } from '../lexer.js';

/** A canonical statement on one line, except where a string of it goes over several. */
export function oneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const { tokens = [], terminator } = new Lexer(text).next() ?? {};
  let line = '';
  let before = '';
  let end = 0;
  for (const { image, startOffset } of terminator === undefined
    ? tokens
    : [...tokens, terminator]) {
    const gap = text.slice(end, startOffset);
    line += (gap.includes('\n') ? joint(before, image) : gap) + image;
    before = image;
    end = startOffset + image.length;
  }
  return line;
}

/** What stands for a line break between two tokens: nothing inside brackets, else a blank. */
function joint(before: string | undefined, after: string): string {
  const isInside = before === '(' || before === '{' || after === ')' || after === '}';
  return isInside ? '' : ' ';
}
