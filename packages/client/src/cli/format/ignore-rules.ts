import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** File systems of these platforms do not tell upper from lower case, and so does git there. */
const isCaseIgnored = process.platform === 'win32' || process.platform === 'darwin';

/**
 * What the `.gitignore` files say about a folder's entries: those of the folder, and those of the
 * folders above it up to the root of the repository. The rule that stands last decides, and those
 * of a folder stand behind those of the folders above.
 */
export class IgnoreRules {
  /** Absolute folder that the paths of the rules start from. */
  readonly #root: string;
  readonly #rules: Ignore;

  private constructor(root: string, rules: Ignore) {
    this.#root = root;
    this.#rules = rules;
  }

  /**
   * The rules that hold in a folder.
   *
   * @param folder absolute path without symbolic links
   * @throws when a `.gitignore` file cannot be read
   */
  static async of(folder: string): Promise<IgnoreRules> {
    const root = (await repositoryRoot(folder)) ?? folder;
    let rules = new IgnoreRules(root, ignore({ ignorecase: isCaseIgnored }));
    let current = root;
    rules = await rules.within(current);
    for (const name of path.relative(root, folder).split(path.sep)) {
      if (name === '') continue;
      current = path.join(current, name);
      rules = await rules.within(current);
    }
    return rules;
  }

  /** The rules that hold in a folder directly below one whose rules these are. */
  async within(folder: string): Promise<IgnoreRules> {
    const text = await readIfPresent(path.join(folder, '.gitignore'));
    if (text === undefined) return this;
    const rules = ignore({ ignorecase: isCaseIgnored }).add(this.#rules);
    rules.add(patternsBelow(this.#relative(folder), text));
    return new IgnoreRules(this.#root, rules);
  }

  /** Whether an entry is to be left out; so is everything in a folder that is. */
  ignores(entry: string, isFolder: boolean): boolean {
    const relative = this.#relative(entry);
    return relative !== '' && this.#rules.ignores(isFolder ? `${relative}/` : relative);
  }

  #relative(entry: string): string {
    return path.relative(this.#root, entry).replaceAll(path.sep, '/');
  }
}

/** The nearest folder at or above a path that holds a repository. */
async function repositoryRoot(folder: string): Promise<string | undefined> {
  let current = folder;
  for (;;) {
    if (await isPresent(path.join(current, '.git'))) return current;
    const above = path.dirname(current);
    if (above === current) return undefined;
    current = above;
  }
}

async function isPresent(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw error;
  }
}

/** The patterns of a `.gitignore` file, as they read from a folder above it. */
function patternsBelow(folder: string, text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u);
  if (folder === '') return lines;
  const prefix = `/${folder.replace(/[\\*?[\]]/gu, '\\$&')}`;
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegative = line.startsWith('!');
      // Only at its start does a pattern need to set these characters off.
      const pattern = (isNegative ? line.slice(1) : line).replace(/^\\(?=[#!])/u, '');
      const isAnchored = /\/(?! *$)/u.test(pattern);
      const place = pattern.startsWith('/') ? '' : isAnchored ? '/' : '/**/';
      return `${isNegative ? '!' : ''}${prefix}${place}${pattern}`;
    });
}
