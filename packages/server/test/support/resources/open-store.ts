import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ArchiveLimits } from '../../../src/resources/archive/archive-limits.ts';
import {
  ResourceStore,
  type ResourceStoreOptions,
} from '../../../src/resources/store/resource-store.ts';

export const LIMITS: ArchiveLimits = {
  archiveBytesMax: 1_048_576,
  extractedBytesMax: 1_048_576,
  entriesMax: 1_000,
};

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nervix-resources-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a folder of its own. */
export async function openStore(
  options: Partial<ResourceStoreOptions> = {},
): Promise<{ readonly store: ResourceStore; readonly directory: string }> {
  const directory = options.directory ?? path.join(await temporaryFolder(), 'resources');
  const store = new ResourceStore({ limits: LIMITS, ...options, directory });
  await store.prepare();
  return { store, directory };
}

/** Every path below a folder, in order. */
export async function pathsBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true });
  return found.sort();
}
