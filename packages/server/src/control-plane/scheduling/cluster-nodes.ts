import type { ScheduleNode } from '@nervix/scheduler';
import { domainKey } from '../../replicated-state/record-keys.js';
import type { ControlContext } from '../control-context.js';

/** State does not travel between nodes in this release, so there are no replicas to place. */
export const REPLICA_COUNT = 0;

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
