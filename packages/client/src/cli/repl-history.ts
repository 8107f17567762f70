import { readFileSync, writeFileSync } from 'node:fs';
import { isSensitiveText } from './sensitive-text.js';

const entriesMax = 200;

/** The lines a user can walk back to, kept in a file between sessions. Newest first. */
export class ReplHistory {
  readonly #path: string | undefined;
  readonly #entries: string[] = [];
  #isWritable = true;

  /** @param path file of the history, or undefined to keep none */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined) return;
    try {
      const lines = readFileSync(path, 'utf8').split('\n');
      this.#entries = lines
        .filter((line) => line !== '')
        .slice(-entriesMax)
        .reverse();
    } catch {
      // The first session in a folder has no history yet, and an unreadable one starts anew.
    }
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /**
   * Adds the lines of one finished input, unless it may hold a secret.
   *
   * @returns a reason the file could not be written, once
   */
  add(input: string): string | undefined {
    if (isSensitiveText(input)) return undefined;
    for (const line of input.split('\n')) {
      if (line.trim() !== '' && line !== this.#entries[0]) this.#entries.unshift(line);
    }
    this.#entries.splice(entriesMax);
    return this.#save();
  }

  #save(): string | undefined {
    if (this.#path === undefined || !this.#isWritable) return undefined;
    try {
      const text = `${[...this.#entries].reverse().join('\n')}\n`;
      writeFileSync(this.#path, text, { mode: 0o600 });
      return undefined;
    } catch (cause) {
      this.#isWritable = false;
      return cause instanceof Error ? cause.message : String(cause);
    }
  }
}
