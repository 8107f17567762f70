import { assert } from '@nervix/model';
import type { DomainScheduleInput } from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { clusterNodes, domainRevision, REPLICA_COUNT } from './cluster-nodes.js';

/** A domain as its schedule is computed and explained. */
export interface ScheduledDomain {
  readonly domain: DomainRecord;
  /** Holds the schedule in force as the previous one. */
  readonly input: DomainScheduleInput;
  readonly isRunning: boolean;
  /** What the input was read at: the domain, its schedule, and the tenure that published it. */
  readonly revisions: Readonly<Record<string, string>>;
}

/**
 * Reads a domain for its scheduler; what is committed was resolved before it was written. Everything
 * is of the moment of the call, whatever is committed while it is being resolved.
 */
export async function scheduledDomain(
  context: ControlContext,
  domain: DomainRecord,
): Promise<ScheduledDomain> {
  const { name } = domain;
  const models = context.state.models(name);
  const scheduling = {
    nodes: clusterNodes(context),
    replicaCount: REPLICA_COUNT,
    previous: context.state.schedule(name),
  };
  const revision = domainRevision(context, name);
  const basis = context.state.scheduleBasis(name);
  const resolved = await context.placements.committed(domain, models, revision);
  assert(resolved.kind === 'resolved', 'the rules of a committed domain agree');
  const { placement, traits } = resolved;
  return {
    domain,
    input: { placement, traits, ...scheduling },
    isRunning: domain.status === 'running',
    revisions: {
      domain: String(revision),
      ...(basis === undefined
        ? {}
        : { schedule: String(basis.revision), leader: basis.leader, term: basis.term }),
    },
  };
}
