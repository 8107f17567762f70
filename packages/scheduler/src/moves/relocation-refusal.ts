import type { ScheduleState } from '../computation/schedule-state.js';
import { describeMembers, rejectionText } from '../computation/unit-stall.js';
import type { NodeRejection } from '../feasibility/constraint-check.js';
import { infeasibilityOf } from '../feasibility/destination.js';
import type { GraphKey } from '../placement/graph-key.js';
import { kindWords } from '../placement/kind-words.js';
import type { InfeasibilityReason } from '../schedule-result.js';

/** A relocation that cannot be planned; nothing was changed. */
export interface RelocationRefusal {
  readonly kind: 'refused';
  readonly code:
    | 'SCHED_UNKNOWN_MEMBER'
    | 'SCHED_LISTENER_MEMBER'
    | 'SCHED_DESTINATION'
    | 'SCHED_UNFIT_DESTINATION'
    | 'SCHED_EMPTY_RELOCATION'
    | 'SCHED_FOREIGN_OVERRIDE'
    | 'SCHED_STRATEGY_CONFLICT'
    | 'SCHED_OWNER_NOT_LIVE';
  readonly message: string;
}

const DESTINATION_WORDS: Readonly<Record<InfeasibilityReason, string>> = {
  not_voter: 'not a live raft voter',
  not_live: 'not a live raft voter',
  terminating: 'terminating',
  cordoned: 'cordoned',
  quarantined: 'quarantined',
};

export function unknownMember(domain: string, { kind, name }: GraphKey): RelocationRefusal {
  const message = `${kindWords(kind)} '${name}' does not exist in domain '${domain}'`;
  return { kind: 'refused', code: 'SCHED_UNKNOWN_MEMBER', message };
}

export function listenerMember({ name }: GraphKey): RelocationRefusal {
  const why = 'server-listener ingestors execute on every cluster node';
  const message = `ingestor '${name}' cannot be relocated: ${why}`;
  return { kind: 'refused', code: 'SCHED_LISTENER_MEMBER', message };
}

/** The first reason why a node cannot be a destination, if there is one. */
export function destinationRefusal(
  { cluster }: ScheduleState,
  name: string,
): RelocationRefusal | undefined {
  const node = cluster.nodes[cluster.indexOf.get(name) ?? -1];
  const reason = node === undefined ? undefined : infeasibilityOf(node);
  if (node !== undefined && reason === undefined) return undefined;
  const words = reason === undefined ? 'not a raft member' : DESTINATION_WORDS[reason];
  return {
    kind: 'refused',
    code: 'SCHED_DESTINATION',
    message: `node '${name}' is ${words}`,
  };
}

export function emptyRelocation(): RelocationRefusal {
  const message = 'relocation covers no runtime node: no FROM/TO pair is connected';
  return { kind: 'refused', code: 'SCHED_EMPTY_RELOCATION', message };
}

export function foreignOverride({ kind, name }: GraphKey): RelocationRefusal {
  const message = `${kindWords(kind)} '${name}' is not part of the relocation`;
  return { kind: 'refused', code: 'SCHED_FOREIGN_OVERRIDE', message };
}

/** @param members all members of the group, in key order */
export function strategyConflict(members: readonly GraphKey[]): RelocationRefusal {
  const listed = members.map(({ kind, name }) => `${kindWords(kind)} ${name}`).join(', ');
  const message = `conflicting preference strategies for hard group [${listed}]`;
  return { kind: 'refused', code: 'SCHED_STRATEGY_CONFLICT', message };
}

export function ownerNotLive({ kind, name }: GraphKey): RelocationRefusal {
  const message = `${kindWords(kind)} '${name}' has no live owner`;
  return { kind: 'refused', code: 'SCHED_OWNER_NOT_LIVE', message };
}

/** @param rejection the destination with what speaks against it */
export function unfitDestination(
  members: readonly GraphKey[],
  rejection: readonly NodeRejection[],
): RelocationRefusal {
  const message = `${describeMembers(members)} cannot run there (${rejectionText(rejection)})`;
  return { kind: 'refused', code: 'SCHED_UNFIT_DESTINATION', message };
}
