import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CommandLineError, localFileError, usageError } from '../command-line-error.js';
import { IgnoreRules } from './ignore-rules.js';

/** A file to format. */
export interface ScriptFile {
  /** As it is shown: what was given, and below a folder the way from there. */
  readonly path: string;
  /** The file itself, without symbolic links on the way. */
  readonly target: string;
}

/** A path that cannot be looked into. */
export interface UnreadPath {
  readonly path: string;
  readonly error: CommandLineError;
}

export type FoundPath = ScriptFile | UnreadPath;

const EXTENSION = '.nspl';

/**
 * The files that paths stand for, each once and in a stable order: a file for itself, a folder for
 * the scripts in it and below, ordered by name, without hidden entries, symbolic links and what
 * `.gitignore` files leave out.
 *
 * @throws CommandLineError when one of the paths stands for nothing
 */
export async function findScripts(paths: readonly string[]): Promise<readonly FoundPath[]> {
  const found: FoundPath[] = [];
  const nothing: string[] = [];
  for (const given of paths) {
    const before = found.length;
    await findAt(given, found);
    if (found.length === before) nothing.push(given);
  }
  if (nothing.length > 0) {
    throw usageError(`nothing to format: ${nothing.join(', ')} matches no file`);
  }
  const targets = new Set<string>();
  return found.filter((one) => {
    if (!('target' in one)) return true;
    const isNew = !targets.has(one.target);
    targets.add(one.target);
    return isNew;
  });
}

/** Adds what a path stands for. */
async function findAt(given: string, found: FoundPath[]): Promise<void> {
  try {
    const status = await stat(given);
    const target = await realpath(given);
    if (status.isFile()) found.push({ path: given, target });
    else if (status.isDirectory()) {
      await findBelow({ path: given, target }, await IgnoreRules.of(target), found);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') found.push(unread(given, cause));
  }
}

async function findBelow(
  folder: ScriptFile,
  rules: IgnoreRules,
  found: FoundPath[],
): Promise<void> {
  const entries = await readdir(folder.target, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const one = {
      path: path.join(folder.path, entry.name),
      target: path.join(folder.target, entry.name),
    };
    if (entry.isDirectory()) {
      if (!rules.ignores(one.target, true)) await findInFolder(one, rules, found);
    } else if (entry.isFile() && entry.name.endsWith(EXTENSION)) {
      if (!rules.ignores(one.target, false)) found.push(one);
    }
  }
}

async function findInFolder(
  folder: ScriptFile,
  rulesAbove: IgnoreRules,
  found: FoundPath[],
): Promise<void> {
  try {
    await findBelow(folder, await rulesAbove.within(folder.target), found);
  } catch (cause) {
    found.push(unread(folder.path, cause));
  }
}

function unread(given: string, cause: unknown): UnreadPath {
  return { path: given, error: localFileError('read', given, cause) };
}
