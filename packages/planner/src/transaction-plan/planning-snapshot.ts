import { canonicalDigest, type Model, type Pace, type PlacementPolicy } from '@nervix/model';
import { infeasibilityOf, type ScheduleEntry, type ScheduleNode } from '@nervix/scheduler';
import { compareNames } from '../domain-models.js';
import { keptDigest } from '../registry/kept-digest.js';
import { ModelSet } from '../registry/model-set.js';
import { modelsDigest } from '../registry/models-digest.js';
import type { SnapshotSecret } from './secret-references.js';

/** A declared resource with the versions that are complete on every node. */
export interface SnapshotResource {
  readonly name: string;
  /** Version numbers above zero, in any order. */
  readonly versions: readonly number[];
}

/**
 * Everything a transaction of one domain is planned from, captured at one moment. Plain data. The
 * order of its lists makes no difference.
 */
export interface PlanningSnapshot {
  readonly version: 1;
  readonly domain: string;
  /** A domain that a change has paused counts as running. */
  readonly status: 'running' | 'stopped';
  /** How often the domain was started. */
  readonly startGeneration: number;
  readonly pace: Pace;
  /** What pairs of nodes get that no rule claims. */
  readonly placement: PlacementPolicy;
  readonly models: readonly Model[];
  readonly resources: readonly SnapshotResource[];
  /** Versions of the secrets of the domain; absent where nobody knows them: then none is asked for. */
  readonly secrets?: readonly SnapshotSecret[];
  /** The schedule in force; empty before the first one. */
  readonly schedule: readonly ScheduleEntry[];
  /** Members of the cluster, with liveness and cordons; empty where nothing is to be placed. */
  readonly nodes: readonly ScheduleNode[];
  readonly replicaCount: number;
  /** Level of features that the cluster has switched on. */
  readonly featureLevel: number;
  /** Revision that the snapshot was taken at; it is no part of the basis. */
  readonly revision: number;
}

/** A snapshot of a stopped domain of its own, without a cluster, that only has models. */
export function snapshotOf(domain: string, models: readonly Model[]): PlanningSnapshot {
  return {
    version: 1,
    domain,
    status: 'stopped',
    startGeneration: 0,
    pace: { kind: 'unpaced' },
    placement: 'NEUTRAL',
    models,
    resources: [],
    schedule: [],
    nodes: [],
    replicaCount: 0,
    featureLevel: 0,
    revision: 0,
  };
}

/**
 * Fingerprints of the parts of a snapshot, each of 64 lower-case hexadecimal digits: two snapshots
 * agree in a part exactly if its fingerprints are equal.
 */
export interface PlanningInputs {
  /** Status, starts, pace and default policy of the domain. */
  readonly domain: string;
  readonly models: string;
  readonly resources: string;
  /** Which versions of secrets are current, never their values; absent of a domain without secrets. */
  readonly secrets?: string;
  readonly schedule: string;
  /**
   * Which processes live, vote and are cordoned, and which may receive work: that a cordoned node
   * begins to terminate changes nothing.
   */
  readonly members: string;
  readonly cluster: string;
}

/** The fingerprints of everything that a plan depends on. */
export function planningInputs(snapshot: PlanningSnapshot): PlanningInputs {
  return inputsOf(snapshot, ModelSet.ofList(snapshot.models));
}

/** {@link planningInputs} of a snapshot whose models are a set. */
export function inputsOf(
  snapshot: Omit<PlanningSnapshot, 'models'>,
  models: ModelSet,
): PlanningInputs {
  const { version, domain, status, startGeneration, pace, placement } = snapshot;
  const { replicaCount, featureLevel } = snapshot;
  return {
    domain: canonicalDigest({ version, domain, status, startGeneration, pace, placement }),
    models: modelsDigest(models),
    resources: resourcesDigest(snapshot.resources),
    ...secretsInput(snapshot.secrets ?? []),
    schedule: scheduleDigest(snapshot.schedule),
    members: canonicalDigest(
      snapshot.nodes.map(nodeBasis).sort((left, right) => compareNames(left.name, right.name)),
    ),
    cluster: canonicalDigest({ replicaCount, featureLevel }),
  };
}

/** Fingerprint of what a plan depends on, 64 lower-case hexadecimal digits. */
export function planningBasis(snapshot: PlanningSnapshot): string {
  return canonicalDigest(planningInputs(snapshot));
}

function resourcesDigest(resources: readonly SnapshotResource[]): string {
  const entries = resources.map(({ name, versions }) => {
    return [name, [...versions].sort((left, right) => left - right)] as const;
  });
  return canonicalDigest(entries.sort(([left], [right]) => compareNames(left, right)));
}

function secretsInput(secrets: readonly SnapshotSecret[]): Pick<PlanningInputs, 'secrets'> {
  if (secrets.length === 0) return {};
  const entries = secrets.map(({ name, key, identity, version }) => {
    return [name, key ?? '', identity, version] as const;
  });
  entries.sort(
    ([name, key], [otherName, otherKey]) =>
      compareNames(name, otherName) || compareNames(key, otherKey),
  );
  return { secrets: canonicalDigest(entries) };
}

/** Lists and what they hold are never changed in place. */
function scheduleDigest(schedule: readonly ScheduleEntry[]): string {
  return keptDigest(schedule, (list) => {
    const sorted = list.toSorted(
      (left, right) => compareNames(left.kind, right.kind) || compareNames(left.name, right.name),
    );
    return canonicalDigest(sorted.map((entry) => keptDigest(entry, canonicalDigest)));
  });
}

function nodeBasis(node: ScheduleNode) {
  const { name, isLive, isCordoned, isVoter = true, isQuarantined = false } = node;
  return {
    name,
    isLive,
    isCordoned,
    isVoter,
    isQuarantined,
    incarnation: node.incarnation ?? null,
    isCandidate: infeasibilityOf(node) === undefined,
  };
}
