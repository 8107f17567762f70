import { equalData } from '@nervix/model';
import type { Diagnostic } from '../diagnostics.js';
import { LineIndex } from '../line-index.js';
import { SOURCE_BYTES_MAX } from '../source.js';
import { utf8Length } from '../spans.js';
import { layOut } from './lay-out.js';
import { readItems, type ScriptItem } from './script-items.js';

/** What formatting a script led to. */
export type FormatResult =
  | {
      readonly kind: 'formatted';
      readonly text: string;
      /** Whether the text differs from the one that was given. */
      readonly isChanged: boolean;
      /** Without statements there is nothing to format: the text is given back as it is. */
      readonly statementCount: number;
      /** Comments inside statements are not counted. */
      readonly commentCount: number;
    }
  /** The text is not a script, or too long. */
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] }
  /** The formatter is at fault: its text would say something else than the one that was given. */
  | { readonly kind: 'defect'; readonly message: string };

/**
 * Puts a script into its canonical form. The meaning is kept, and so are comments, in their order
 * and places; a statement with comments inside is left as it was written. Formatting the result
 * again changes nothing. It never throws.
 */
export function format(text: string): FormatResult {
  const original = readItems(text);
  if (original.kind === 'refused') return original;
  const { items } = original;
  const statementCount = items.filter(({ kind }) => kind === 'statement').length;
  const counts = { statementCount, commentCount: items.length - statementCount };
  if (statementCount === 0) return { kind: 'formatted', text, isChanged: false, ...counts };
  const formatted = laidOut(text, items);
  if (typeof formatted !== 'string') return formatted;
  if (utf8Length(formatted) > SOURCE_BYTES_MAX) return { kind: 'refused', errors: [tooLong] };
  const message = defectOf({ text, items }, formatted);
  if (message !== undefined) return { kind: 'defect', message };
  return { kind: 'formatted', text: formatted, isChanged: formatted !== text, ...counts };
}

const tooLong: Diagnostic = {
  code: 'NSPL_TOO_LARGE',
  stage: 'lex',
  message: `formatted text would exceed ${SOURCE_BYTES_MAX} bytes`,
  span: { start: 0, end: 0 },
};

/** A script that was read. */
interface ReadScript {
  readonly text: string;
  readonly items: readonly ScriptItem[];
}

type Defect = Extract<FormatResult, { kind: 'defect' }>;

function laidOut(text: string, items: readonly ScriptItem[]): string | Defect {
  try {
    return layOut(text, items);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'defect', message: `the script cannot be printed: ${reason}` };
  }
}

/** What is wrong with a formatted text; undefined for one that says the same as the original. */
function defectOf(original: ReadScript, formatted: string): string | undefined {
  const again = readItems(formatted);
  if (again.kind === 'refused') {
    const reason = again.errors.map(({ message }) => message).join('; ');
    return `the formatted text cannot be read: ${reason}`;
  }
  const count = Math.max(original.items.length, again.items.length);
  for (let index = 0; index < count; index += 1) {
    const item = original.items[index];
    if (!isKept(item, again.items[index])) return `${placeOf(original.text, item)} is not kept`;
  }
  const twice = laidOut(formatted, again.items);
  return twice === formatted ? undefined : 'the formatted text would be formatted differently';
}

function isKept(item: ScriptItem | undefined, again: ScriptItem | undefined): boolean {
  if (item?.kind === 'comment') return again?.kind === 'comment' && item.source === again.source;
  if (item === undefined || again?.kind !== 'statement') return false;
  if (item.hasComment !== again.hasComment) return false;
  if (item.hasComment && item.source !== again.source) return false;
  return equalData(item.statement, again.statement);
}

function placeOf(text: string, item: ScriptItem | undefined): string {
  if (item === undefined) return 'the end of the text';
  return `the ${item.kind} in line ${new LineIndex(text).lineAt(item.start)}`;
}
