import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

const MODE_BITS = 0o7777;

/**
 * Puts another content in the place of a file's, at once: whoever reads the file sees all of the
 * one or all of the other, also when the machine fails. The mode is kept, and the owner where that
 * is allowed.
 *
 * @param seen state of the file when its content was read
 * @throws when the file may not be written, was changed since, or cannot be replaced; it is then
 * as it was
 */
export async function replaceFile(file: string, text: string, seen: Stats): Promise<void> {
  // Replacing needs no right to write to the file itself; its owner may have withdrawn it.
  await access(file, constants.W_OK);
  // A name of its own: one made of the file's would be longer than a name may be where that is long.
  const temporary = path.join(path.dirname(file), `.nervix-${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await keepOwner(handle, seen);
      // Behind the owner: a change of owner clears bits of the mode.
      await handle.chmod(seen.mode & MODE_BITS);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!isSame(await stat(file), seen)) throw new Error('it was changed while it was formatted');
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function keepOwner(
  handle: Awaited<ReturnType<typeof open>>,
  { uid, gid }: Stats,
): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  // Not everybody may give files away; a file that its writer owns is no reason to give up.
  await handle.chown(uid, gid).catch(() => undefined);
}

function isSame(now: Stats, seen: Stats): boolean {
  return now.ino === seen.ino && now.size === seen.size && now.mtimeMs === seen.mtimeMs;
}
