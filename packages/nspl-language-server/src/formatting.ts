import { format } from '@nervix/nspl-parser';
import { LSPErrorCodes, ResponseError, type TextEdit } from 'vscode-languageserver';
import type { SourceDocument } from './source-document.js';

/**
 * The edit that puts a document into its canonical form: none when it is, null when it holds an
 * error, which the diagnostics tell.
 *
 * @throws ResponseError when the formatter is at fault
 */
export function formatDocument(document: SourceDocument): TextEdit[] | null {
  const { text } = document;
  const result = format(text);
  if (result.kind === 'refused') return null;
  if (result.kind === 'defect') {
    throw new ResponseError(LSPErrorCodes.RequestFailed, `cannot format: ${result.message}`);
  }
  if (!result.isChanged) return [];
  const start = sameLinesBefore(text, result.text);
  const after = sameLinesAfter(text.slice(start), result.text.slice(start));
  const range = {
    start: document.positionAt(start),
    end: document.positionAt(text.length - after),
  };
  return [{ range, newText: result.text.slice(start, result.text.length - after) }];
}

/** Length of the whole lines that two texts begin with. */
function sameLinesBefore(one: string, other: string): number {
  let lines = 0;
  for (let index = 0; index < one.length && one[index] === other[index]; index += 1) {
    if (one[index] === '\n') lines = index + 1;
  }
  return lines;
}

/** Length of the whole lines that two texts end with, without the line break before them. */
function sameLinesAfter(one: string, other: string): number {
  const longest = Math.min(one.length, other.length);
  let lines = 0;
  for (let length = 1; length <= longest; length += 1) {
    if (one.at(-length) !== other.at(-length)) break;
    if (one.at(-length) === '\n') lines = length - 1;
  }
  return lines;
}
