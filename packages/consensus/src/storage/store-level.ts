import { RaftError } from '../errors.ts';
import { type FeatureLevels, supportsLevel } from '../raft/feature-levels.ts';

/**
 * Throws `RAFT_STORAGE_LEVEL` when this release does not run at the level that the store was written
 * at.
 */
export function checkStoreLevel(directory: string, level: number, levels: FeatureLevels): void {
  if (supportsLevel(levels, level)) return;
  throw new RaftError('RAFT_STORAGE_LEVEL', { directory, level, levels });
}
