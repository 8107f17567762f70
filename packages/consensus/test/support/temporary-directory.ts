import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh directory that is removed when the running test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'nervix-consensus-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
