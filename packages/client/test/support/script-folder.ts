import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder of a test, with the files that it needs. */
export class ScriptFolder {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param files content by relative path; folders are made on the way */
  static async create(files: Readonly<Record<string, string | Uint8Array>>): Promise<ScriptFolder> {
    const folder = new ScriptFolder(await mkdtemp(path.join(tmpdir(), 'nervix-format-')));
    onTestFinished(() => rm(folder.root, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
    return folder;
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    mkdirSync(path.dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  link(name: string, target: string): Promise<void> {
    return symlink(target, this.path(name));
  }
}
