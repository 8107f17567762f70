import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the whole repository. */
export const root = path.resolve(import.meta.dirname, '../..');

const skippedFolders = new Set([
  '.cache',
  '.git',
  '.lock',
  '.nervix',
  '.nervix-db',
  '.turbo',
  'coverage',
  'dist',
  'node_modules',
]);

/** Every file that belongs to the repository, as a path relative to its root with `/` between. */
export function treeFiles(folder: string = ''): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) files.push(...treeFiles(relative));
    } else if (entry.isFile()) {
      files.push(relative);
    }
  }
  return files.sort();
}

export function readTreeFile(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The source with comments blanked out and line breaks kept, so that line numbers still hold. */
export function withoutComments(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g,
    (comment, before: string | undefined) => (before ?? '') + comment.replace(/[^\n]/g, '').trim(),
  );
}
