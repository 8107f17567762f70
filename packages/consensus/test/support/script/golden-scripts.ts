import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, type Script } from './script-file.ts';

const folder = path.join(import.meta.dirname, '../../raft/scripts');

/** A script with the file that it stands in. */
export interface GoldenScript {
  readonly script: Script;
  readonly file: string;
  readonly text: string;
}

/** All recorded traces of the core, by name. */
export function readScripts(): readonly GoldenScript[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.script.txt'));
  return names.sort().map((name) => {
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8');
    return { script: parseScript(name, text), file, text };
  });
}
