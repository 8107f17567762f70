import { randomBytes } from 'node:crypto';
import { RaftError } from '../errors.ts';
import type { FeatureLevels } from '../raft/feature-levels.ts';
import type { StoreIdentity } from './log-storage.ts';

/** Whose store a caller wants to open. */
export interface ExpectedIdentity {
  readonly clusterId: string;
  readonly nodeId: string;
  /**
   * The store this node used before, when the caller remembers it elsewhere. With it, a store that
   * is absent or was drawn anew is refused instead of created or accepted, because it has
   * forgotten the votes of the old one.
   */
  readonly storeId?: string | undefined;
  /** Feature levels that this release supports; those of the first release by default. */
  readonly levels?: FeatureLevels | undefined;
}

/** A new store id: 16 random bytes as 32 lower-case hexadecimal digits. */
export function drawStoreId(): string {
  return randomBytes(16).toString('hex');
}

/** Throws `RAFT_FOREIGN_STORE` unless `found` is what the caller expects. */
export function checkIdentity(
  directory: string,
  expected: ExpectedIdentity,
  found: StoreIdentity,
): void {
  for (const field of ['clusterId', 'nodeId', 'storeId'] as const) {
    const wanted = expected[field];
    if (wanted === undefined || wanted === found[field]) continue;
    throw new RaftError('RAFT_FOREIGN_STORE', {
      directory,
      field,
      expected: wanted,
      found: found[field],
    });
  }
}

/** Throws `RAFT_FOREIGN_STORE` when the caller remembers a store and there is none. */
export function checkMayCreate(directory: string, expected: ExpectedIdentity): void {
  if (expected.storeId === undefined) return;
  throw new RaftError('RAFT_FOREIGN_STORE', {
    directory,
    field: 'absent',
    expected: expected.storeId,
    found: '',
  });
}
