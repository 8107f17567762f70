import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type Diagnostic,
  type FormatResult,
  format,
  SOURCE_BYTES_MAX,
  tooLarge,
} from '@nervix/nspl-parser';
import { type CommandLineError, localFileError } from '../command-line-error.js';
import type { SourceText } from '../source-report.js';
import { decodeUtf8 } from '../utf8-text.js';
import type { ScriptFile } from './find-scripts.js';
import { replaceFile } from './replace-file.js';

/** What became of a script. */
export type ScriptOutcome =
  | {
      /** `formatted` changed it or gave it out; `unformatted` found that it would change. */
      readonly kind: 'formatted' | 'unformatted' | 'unchanged' | 'nothing_to_do';
      readonly path: string;
      /** In its canonical form. */
      readonly text: string;
      readonly statementCount: number;
      readonly commentCount: number;
    }
  | {
      readonly kind: 'refused';
      readonly path: string;
      readonly source: SourceText;
      readonly errors: readonly Diagnostic[];
    }
  | { readonly kind: 'failed'; readonly path: string; readonly error: CommandLineError }
  | { readonly kind: 'defect'; readonly path: string; readonly message: string };

/** Formats the bytes of a script; nothing is written. */
export function formatBytes(path: string, bytes: Buffer): ScriptOutcome {
  if (bytes.length > SOURCE_BYTES_MAX) return refusedUnread(path);
  // A byte order mark is no part of the language, and a file that begins with one says so.
  const decoded = decodeUtf8(bytes, 'keep');
  if (decoded.kind === 'invalid') {
    const reason = `byte ${decoded.offset} is not valid UTF-8`;
    return { kind: 'failed', path, error: localFileError('read', path, reason) };
  }
  const { text } = decoded;
  const result = formatted(text);
  switch (result.kind) {
    case 'refused':
      return { kind: 'refused', path, source: { label: path, text }, errors: result.errors };
    case 'defect':
      return { kind: 'defect', path, message: result.message };
    default: {
      const { statementCount, commentCount, isChanged } = result;
      const changed = isChanged ? 'unformatted' : 'unchanged';
      const kind = statementCount === 0 ? 'nothing_to_do' : changed;
      return { kind, path, text: result.text, statementCount, commentCount };
    }
  }
}

/** As `format`; what it should never throw is a defect of it, and keeps no other file waiting. */
function formatted(text: string): FormatResult {
  try {
    return format(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { kind: 'defect', message };
  }
}

/** A script that is not read as a whole, for it is too long to be one. */
function refusedUnread(path: string): ScriptOutcome {
  return { kind: 'refused', path, source: { label: path, text: '' }, errors: [tooLarge()] };
}

/**
 * Formats a file.
 *
 * @param isWriting whether to put the canonical form in its place, where it differs
 */
export async function formatFile(
  { path, target }: ScriptFile,
  isWriting: boolean,
): Promise<ScriptOutcome> {
  let file: { readonly bytes: Buffer; readonly seen: Stats } | undefined;
  try {
    file = await readScriptFile(target);
  } catch (cause) {
    return { kind: 'failed', path, error: localFileError('read', path, cause) };
  }
  if (file === undefined) return refusedUnread(path);
  const outcome = formatBytes(path, file.bytes);
  if (outcome.kind !== 'unformatted' || !isWriting) return outcome;
  try {
    await replaceFile(target, outcome.text, file.seen);
    return { ...outcome, kind: 'formatted' };
  } catch (cause) {
    return { kind: 'failed', path, error: localFileError('write', path, cause) };
  }
}

/** Content and state of a file; undefined when it is longer than any script. */
async function readScriptFile(
  target: string,
): Promise<{ readonly bytes: Buffer; readonly seen: Stats } | undefined> {
  const handle = await open(target);
  try {
    const seen = await handle.stat();
    return seen.size > SOURCE_BYTES_MAX ? undefined : { bytes: await handle.readFile(), seen };
  } finally {
    await handle.close();
  }
}
