import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { KEY_BYTES } from './sealed-values.js';
import { SecretUnavailableError } from './secret-unavailable.js';

const KEY_TEXT = /^[0-9a-f]{64}$/i;
const OWNER_ALONE = 0o600;

/** The key that data keys of secrets are wrapped with: a file of 64 hexadecimal digits. */
export class SecretKeyFile {
  readonly path: string;

  constructor(file: string) {
    this.path = file;
  }

  /**
   * The key that is in the file now: one that replaced a lost key counts at once.
   *
   * @throws SecretUnavailableError when the file is missing, unreadable or holds no key
   */
  async key(): Promise<Buffer> {
    const key = await this.#read();
    if (key === undefined) throw unusable('is missing');
    return key;
  }

  /**
   * The same, where a file that is missing is made, for its owner alone. Of several who make it at
   * once one does.
   *
   * @throws SecretUnavailableError when the file is unreadable, holds no key or cannot be made
   */
  async keyOrNew(): Promise<Buffer> {
    const known = await this.#read();
    if (known !== undefined) return known;
    try {
      await this.#make();
    } catch (error) {
      throw unusable(`cannot be made (${codeOf(error)})`, error);
    }
    return this.key();
  }

  /** Whole and durable under its name, or not there at all. */
  async #make(): Promise<void> {
    const draft = `${this.path}.${randomBytes(6).toString('hex')}`;
    const file = await open(draft, 'wx', OWNER_ALONE);
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await link(draft, this.path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await unlink(draft);
    }
    const folder = await open(path.dirname(this.path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async #read(): Promise<Buffer | undefined> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw unusable(`cannot be read (${codeOf(error)})`, error);
    }
    const digits = text.trim();
    if (!KEY_TEXT.test(digits)) throw unusable('does not hold 64 hexadecimal digits');
    return Buffer.from(digits, 'hex');
  }
}

/** Users are told this too, and where the file is is none of their business. */
function unusable(reason: string, cause?: unknown): SecretUnavailableError {
  const message = `the secret key file of this node ${reason}`;
  return new SecretUnavailableError(message, cause === undefined ? {} : { cause });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
