import type { ReplicatedState } from '../../../src/replicated-state/replicated-state.ts';
import { resourceKey } from '../../../src/replicated-state/resource-keys.ts';
import type { WriteCommand } from '../../../src/replicated-state/write-command.ts';

/** A version that has been given to every replica. */
export interface UploadedVersion {
  readonly domain: string;
  readonly resource: string;
  readonly version: number;
  /** Whether every replica has it; else one of them never will. */
  readonly isComplete: boolean;
}

/** The write by which it is known, of whoever has not seen it yet. */
export function uploadWrite({ domain, resource, version, isComplete }: UploadedVersion) {
  return (state: ReplicatedState): Partial<WriteCommand> | undefined => {
    const declared = state.resources.resource(domain, resource);
    if (declared === undefined || declared.nextVersion > version) return undefined;
    const key = resourceKey(domain, resource);
    const digest = String(version).padStart(64, '0');
    return {
      fences: [{ key, revision: state.revisionOf(key) }],
      put: [
        { ...declared, nextVersion: version + 1 },
        {
          ...{ kind: 'resource_version', domain, resource, version },
          state: isComplete ? 'completed' : 'failed',
          ...{ archiveDigest: digest, rootChecksum: digest, manifestChecksum: digest },
          ...{ archiveBytes: 512, fileCount: 0, totalBytes: 0 },
          ...{ createdByNode: 'n1', createdAtMs: 0, replicas: [] },
        },
        { kind: 'resource_catalog', domain },
      ],
    };
  };
}
