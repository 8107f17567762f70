import type { DomainModels, PlanChangeInput, SchedulingInput } from '@nervix/planner';
import type { ScheduleNode } from '@nervix/scheduler';
import { domainKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';

/** The state of a domain that a change of it is planned against. */
export interface DomainBasis {
  readonly domain: DomainRecord;
  readonly models: DomainModels;
  readonly scheduling: SchedulingInput;
}

/** State does not travel between nodes in this release, so there are no replicas to place. */
const REPLICA_COUNT = 0;

/** Captures the committed state of a domain together with the cluster. */
export function domainBasis(
  context: Pick<ControlContext, 'state' | 'members'>,
  domain: DomainRecord,
): DomainBasis {
  const { state } = context;
  return {
    domain,
    models: new Map(state.models(domain.name)),
    scheduling: {
      nodes: clusterNodes(context),
      replicaCount: REPLICA_COUNT,
      previous: state.schedule(domain.name),
    },
  };
}

/** What the planner reads of a basis. */
export function planningInput(
  { domain, models, scheduling }: DomainBasis,
  revision: number,
): PlanChangeInput {
  return {
    domain: domain.name,
    running: domain.status === 'running',
    revision,
    generation: domain.generation,
    models,
    placement: domain.placement,
    scheduling,
  };
}

/** Members of the cluster as the scheduler judges them. */
export function clusterNodes({
  state,
  members,
}: Pick<ControlContext, 'state' | 'members'>): readonly ScheduleNode[] {
  return members().map((member) => ({ ...member, isCordoned: state.isCordoned(member.name) }));
}

/** Revision of the domain, which every change of its models or its schedule moves. */
export function domainRevision({ state }: Pick<ControlContext, 'state'>, domain: string): number {
  return state.revisionOf(domainKey(domain));
}
