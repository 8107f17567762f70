import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Suggestion, SuggestOptions } from '../suggestions.js';

/** What Tab does to a line. */
export interface LineCompletion {
  /** Texts that may stand in place of `replaced`. */
  readonly candidates: readonly string[];
  /** End of the line before the cursor. */
  readonly replaced: string;
  /** Characters behind the cursor that belong to the same word, and go when one candidate is left. */
  readonly tailLength: number;
}

/** A text that is typed: what was typed before the line, and the line around the cursor. */
export interface TypedText {
  readonly before: string;
  readonly line: string;
  /** UTF-16 units into the line. */
  readonly cursor: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Files and folders whose path begins as written; folders end with a separator. */
function localPaths(written: string): readonly string[] {
  const end = written.lastIndexOf(path.sep) + 1;
  const folder = written.slice(0, end);
  const start = written.slice(end);
  try {
    return readdirSync(folder === '' ? '.' : folder)
      .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
      .map((name) => folder + name + (isFolder(folder + name) ? path.sep : ''));
  } catch {
    // What cannot be listed has no completion.
    return [];
  }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Completes the word at the cursor by what a server suggests. Only suggestions for one place of the
 * line can be offered together: those that belong to the first one.
 *
 * @param suggest asks the server; the edits of its answer count UTF-8 bytes
 */
export async function completeLine(
  { before, line, cursor }: TypedText,
  suggest: (options: SuggestOptions) => Promise<readonly Suggestion[]>,
): Promise<LineCompletion> {
  const input = before + line;
  const bytes = encoder.encode(input);
  const unitAt = (byte: number): number => decoder.decode(bytes.subarray(0, byte)).length;
  const at = before.length + cursor;
  const found = await suggest({ input, cursor: encoder.encode(input.slice(0, at)).length });
  const [first] = found;
  const start = first === undefined ? at : unitAt(first.edit.start);
  const none: LineCompletion = { candidates: [], replaced: '', tailLength: 0 };
  // A word that began on a line before cannot be changed any more.
  if (first === undefined || start < before.length) return none;
  const { edit } = first;
  const isHere = (other: Suggestion): boolean =>
    other.edit.start === edit.start && other.edit.end === edit.end;
  const replaced = input.slice(start, at);
  const candidates = found
    .filter(isHere)
    .flatMap(({ kind, edit: { replacement } }) =>
      kind === 'LocalPath' ? localPaths(replaced) : [replacement],
    );
  return { candidates, replaced, tailLength: Math.max(0, unitAt(edit.end) - at) };
}
