import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { InvalidOptionsError } from './errors.js';
import type { UploadFile } from './tar-archive.js';

/** Folders below each other; links that lead back end there. */
const DEPTH_MAX = 64;

/**
 * The files of a local folder, for an upload. Contents are read when they are sent; a file that is
 * changed meanwhile ends the upload. Links are followed.
 *
 * @throws InvalidOptionsError for what is neither a file nor a folder, and for folders without end
 * @throws Error of the file system for what cannot be read
 */
export async function directoryFiles(directory: string): Promise<readonly UploadFile[]> {
  const found = await filesBelow(directory, [], DEPTH_MAX);
  return found.filter(({ path: name }) => name !== '');
}

async function filesBelow(
  root: string,
  names: readonly string[],
  depthLeft: number,
): Promise<readonly UploadFile[]> {
  const folder = path.join(root, ...names);
  if (depthLeft === 0) throw new InvalidOptionsError(`'${folder}' is too deep`);
  const files: UploadFile[] = [];
  const held = await readdir(folder);
  if (held.length === 0) return [{ path: names.join('/'), content: null }];
  for (const name of held) {
    const below = [...names, name];
    const place = path.join(folder, name);
    const kind = await stat(place);
    if (kind.isDirectory()) files.push(...(await filesBelow(root, below, depthLeft - 1)));
    else if (kind.isFile()) files.push({ path: below.join('/'), content: await openAsBlob(place) });
    else throw new InvalidOptionsError(`'${place}' is neither a file nor a folder`);
  }
  return files;
}
