import { type Model, printDatetime } from '@nervix/model';
import { bindingOf } from '@nervix/planner';
import type { ResourceIndex } from '../replicated-state/resource-index.js';
import type { ReplicaRecord, ResourceVersionRecord } from '../replicated-state/resource-records.js';
import type { ManifestEntry } from './archive/manifest.js';
import type { InstalledVersions } from './installed-versions.js';
import { versionName } from './resource-catalog.js';
import { DamagedVersionError } from './store/version-folder.js';

/** What descriptions of resources are made of. */
export interface ResourceView {
  readonly resources: ResourceIndex;
  readonly installed: InstalledVersions;
  readonly nodeId: string;
  /** Members of the cluster and whether they answer. */
  readonly members: readonly { readonly name: string; readonly isLive: boolean }[];
  /** The models of the domain. */
  readonly models: Iterable<Model>;
}

/** Text of `DESCRIBE RESOURCE`; undefined for a resource that is not declared. */
export async function describeResource(
  view: ResourceView,
  domain: string,
  resource: string,
): Promise<string | undefined> {
  const { resources } = view;
  if (resources.resource(domain, resource) === undefined) return undefined;
  const versions = resources.versions(domain, resource).filter(({ state }) => state !== 'failed');
  const latest = versions.findLast(({ state }) => state === 'completed');
  const details = await Promise.all(versions.map((version) => versionDetails(view, version)));
  return [
    `resource: ${resource}`,
    `versions: ${listed(versions.map(({ version }) => version))}`,
    `latest: ${latest?.version ?? '(none)'}`,
    'version_details:',
    ...(details.length === 0 ? ['- none'] : details.flat()),
    ...usageLines(view.models, resource),
  ].join('\n');
}

async function versionDetails(
  view: ResourceView,
  record: ResourceVersionRecord,
): Promise<readonly string[]> {
  const { version, rootChecksum, manifestChecksum, fileCount, totalBytes } = record;
  const facts = [
    `version=${version}`,
    `root_checksum=${rootChecksum}`,
    `manifest_checksum=${manifestChecksum}`,
    `file_count=${fileCount}`,
    `total_bytes=${totalBytes}`,
    `created_by_node=${record.createdByNode}`,
    `created_at=${instant(record.createdAtMs)}`,
  ];
  return [`- ${facts.join(' ')}`, '  entries:', ...(await entryLines(view, record))];
}

/** Text of `DESCRIBE RESOURCE … VERSION`; undefined for a version that does not exist. */
export async function describeResourceVersion(
  view: ResourceView,
  domain: string,
  resource: string,
  version: number,
): Promise<string | undefined> {
  const record = view.resources.version(domain, resource, version);
  if (record === undefined) return undefined;
  const { nodes, isReady } = nodeLines(view, record);
  const alive = view.members.filter(({ isLive }) => isLive).map(({ name }) => name);
  const dead = view.members.filter(({ isLive }) => !isLive).map(({ name }) => name);
  return [
    `resource: ${versionName(record)}`,
    `root_checksum: ${record.rootChecksum}`,
    `manifest_checksum: ${record.manifestChecksum}`,
    `file_count: ${record.fileCount}`,
    `total_bytes: ${record.totalBytes}`,
    `created_by_node: ${record.createdByNode}`,
    `created_at: ${instant(record.createdAtMs)}`,
    `cluster_ready: ${isReady}`,
    'entries:',
    ...(await entryLines(view, record)),
    `alive_nodes: ${listed(alive.sort())}`,
    `dead_nodes: ${listed(dead.sort())}`,
    'nodes:',
    ...(nodes.length === 0 ? ['- none'] : nodes),
    ...usageLines(view.models, resource, version),
  ].join('\n');
}

function nodeLines(
  view: ResourceView,
  record: ResourceVersionRecord,
): { readonly nodes: readonly string[]; readonly isReady: boolean } {
  const replicas = new Map(record.replicas.map((replica) => [replica.node, replica]));
  const damage = view.installed.damageOf(record);
  const own = replicas.get(view.nodeId);
  if (damage !== undefined && own !== undefined) {
    replicas.set(view.nodeId, { ...own, state: 'failed', error: damage });
  }
  const liveness = new Map(view.members.map(({ name, isLive }) => [name, isLive]));
  const names = [...new Set([...replicas.keys(), ...liveness.keys()])].sort();
  const isReady = view.members
    .filter(({ isLive }) => isLive)
    .every(({ name }) => {
      const replica = replicas.get(name);
      return replica?.state === 'ready' && replica.checksum === record.rootChecksum;
    });
  return {
    isReady,
    nodes: names.map((name) => nodeLine(name, liveness.get(name), replicas.get(name))),
  };
}

function nodeLine(
  name: string,
  isLive: boolean | undefined,
  replica: ReplicaRecord | undefined,
): string {
  const topology = isLive === undefined ? 'unknown' : isLive ? 'alive' : 'dead';
  const state = replica?.state ?? (isLive === true ? 'pending' : 'untracked');
  const verifiedAtMs = replica?.verifiedAtMs ?? null;
  return [
    `- ${name}`,
    `topology=${topology}`,
    `state=${state}`,
    `checksum=${replica?.checksum ?? '-'}`,
    `verified_at=${verifiedAtMs === null ? '-' : instant(verifiedAtMs)}`,
    `source=${replica?.source ?? '-'}`,
    `error=${replica?.error ?? '-'}`,
  ].join(' ');
}

async function entryLines(
  { installed }: ResourceView,
  record: ResourceVersionRecord,
): Promise<readonly string[]> {
  try {
    const { entries } = await installed.manifest(record);
    return entries.length === 0 ? ['  - none'] : entries.map(entryLine);
  } catch (error) {
    if (!(error instanceof DamagedVersionError)) throw error;
    return [`  - unavailable error=${error.message}`];
  }
}

function entryLine(entry: ManifestEntry): string {
  return entry.type === 'file'
    ? `  - type=file path=${entry.path} size=${entry.size} checksum=${entry.checksum}`
    : `  - type=directory path=${entry.path} size=0 checksum=-`;
}

/** @param version the one whose usages are told; all by default */
function usageLines(
  models: Iterable<Model>,
  resource: string,
  version?: number,
): readonly string[] {
  const usages = [...models].flatMap((model) => {
    const binding = bindingOf(model);
    if (binding?.resource !== resource) return [];
    if (version !== undefined && binding.version !== String(version)) return [];
    return [`- kind=${model.kind} name=${model.name} version=${binding.version}`];
  });
  return ['usages:', ...(usages.length === 0 ? ['- none'] : usages.sort())];
}

function listed(parts: readonly (string | number)[]): string {
  return parts.length === 0 ? '(none)' : parts.join(',');
}

function instant(unixMs: number): string {
  return printDatetime(BigInt(unixMs) * 1_000_000n);
}
