import type { SnapshotResource } from '@nervix/planner';
import { domainKey } from '../replicated-state/record-keys.js';
import type { StateRecord } from '../replicated-state/records.js';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import {
  resourceCatalogKey,
  resourceKey,
  resourceRecordKey,
} from '../replicated-state/resource-keys.js';
import type { ResourceVersionRecord } from '../replicated-state/resource-records.js';
import type { WriteCommand } from '../replicated-state/write-command.js';
import type { ExpectedVersion } from './store/version-folder.js';

/** What plans of a domain see of its resources: their names and their completed versions. */
export function plannedResources(
  { resources }: ReplicatedState,
  domain: string,
): readonly SnapshotResource[] {
  return resources.declared(domain).map(({ name }) => ({
    name,
    versions: resources
      .versions(domain, name)
      .filter(({ state }) => state === 'completed')
      .map(({ version }) => version),
  }));
}

/** What declares a resource. Its sequence of versions begins at 1. */
export function declarationRecords(domain: string, name: string): readonly StateRecord[] {
  return [
    { kind: 'resource', domain, name, nextVersion: 1 },
    { kind: 'resource_catalog', domain },
  ];
}

/** The write that declares a resource by itself. */
export function declaration(
  state: ReplicatedState,
  domain: string,
  name: string,
): Pick<WriteCommand, 'fences' | 'put'> {
  const key = domainKey(domain);
  return {
    // The domain itself stays as it is; only its end must not go unseen.
    fences: [
      { key: resourceKey(domain, name), revision: 0 },
      { key, revision: state.revisionOf(key) },
    ],
    put: declarationRecords(domain, name),
  };
}

/** Everything that replicated state holds about the resources of a domain, by key. */
export function resourceKeysOf(state: ReplicatedState, domain: string): readonly string[] {
  const records = [...state.resources.recordsOf(domain)].map(resourceRecordKey);
  return [...records, resourceCatalogKey(domain)];
}

/** Digests of the archives that versions refer to, over all domains. */
export function referencedDigests({ resources }: ReplicatedState): ReadonlySet<string> {
  const digests = new Set<string>();
  for (const { state, archiveDigest } of resources.everyVersion()) {
    if (state !== 'failed') digests.add(archiveDigest);
  }
  return digests;
}

/** What the content of a version must be. */
export function expectedContent(record: ResourceVersionRecord): ExpectedVersion {
  const { archiveDigest, rootChecksum, manifestChecksum } = record;
  return { archiveDigest, rootChecksum, manifestChecksum };
}

/** A version as texts name it. */
export function versionName({
  resource,
  version,
}: Pick<ResourceVersionRecord, 'resource' | 'version'>): string {
  return `${resource}@${version}`;
}
