import {
  type ModelSet,
  type PlanningInputs,
  type PlanningSnapshot,
  planningInputs,
} from '@nervix/planner';
import { cordonKey, domainKey, leaseKey, scheduleKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord } from '../../replicated-state/records.js';
import { resourceCatalogKey } from '../../replicated-state/resource-keys.js';
import { secretCatalogKey } from '../../replicated-state/secret-records.js';
import type { Fence } from '../../replicated-state/write-command.js';
import { plannedResources } from '../../resources/resource-catalog.js';
import type { ControlContext } from '../control-context.js';
import { clusterNodes, REPLICA_COUNT } from '../scheduling/cluster-nodes.js';

/** Everything that a change of a domain is planned from, of one moment. */
export interface Capture {
  readonly snapshot: PlanningSnapshot;
  /** The models of the snapshot. */
  readonly models: ModelSet;
  /** Hold as long as nothing that the snapshot was read from has been written since. */
  readonly fences: readonly Fence[];
}

type CaptureSource = Pick<ControlContext, 'state' | 'members' | 'log' | 'secrets'>;

/** Captures the committed state of a domain and its cluster. A paused domain counts as running. */
export function capture(context: CaptureSource, domain: DomainRecord): Capture {
  const { state, log, secrets } = context;
  const { name } = domain;
  const nodes = clusterNodes(context);
  const models = state.models(name);
  const keys = [
    domainKey(name),
    scheduleKey(name),
    leaseKey(name),
    resourceCatalogKey(name),
    secretCatalogKey(name),
    ...nodes.map((node) => cordonKey(node.name)),
  ];
  return {
    snapshot: {
      version: 1,
      domain: name,
      status: domain.status,
      startGeneration: domain.generation,
      pace: { kind: 'unpaced' },
      placement: domain.placement,
      models: models.list,
      resources: plannedResources(state, name),
      secrets: secrets.list(name),
      schedule: state.schedule(name),
      nodes,
      replicaCount: REPLICA_COUNT,
      featureLevel: log.status().level,
      revision: state.revisionOf(domainKey(name)),
    },
    models,
    fences: keys.map((key) => ({ key, revision: state.revisionOf(key) })),
  };
}

/** How refusals name the parts of what a plan depends on. */
const INPUT_NAMES: Readonly<Record<keyof PlanningInputs, string>> = {
  domain: 'state',
  models: 'model',
  resources: 'resource',
  secrets: 'secret',
  schedule: 'schedule',
  members: 'member',
  cluster: 'cluster',
};

/** Which captured inputs are not what a plan expects, or undefined where all of them are. */
export function changedInputs({ snapshot }: Capture, expected: PlanningInputs): string | undefined {
  const actual = planningInputs(snapshot);
  const names = Object.keys(INPUT_NAMES) as (keyof PlanningInputs)[];
  const changed = names.find((name) => actual[name] !== expected[name]);
  if (changed === undefined) return undefined;
  return `domain '${snapshot.domain}' ${INPUT_NAMES[changed]} inputs changed`;
}
