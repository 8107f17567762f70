import type { Configuration, Member, MemberChange } from '../raft/configuration.ts';
import { isSameLevels } from '../raft/feature-levels.ts';
import { isSameMember } from '../raft/member-id.ts';
import type { PeerIdentity } from '../transport/transport.ts';

/** One step towards the members that should be. */
export interface ReconciliationStep {
  readonly nodeId: string;
  /** What is done, for logs. */
  readonly step:
    | 'add learner'
    | 'promote voter'
    | 'update address'
    | 'update levels'
    | 'replace store';
  readonly changes: readonly MemberChange[];
}

/** What the leader knows when it decides on members. */
export interface ReconciliationInputs {
  /** The newest configuration; it is committed and applied. */
  readonly configuration: Configuration;
  /** Processes that introduced themselves and may be members. */
  readonly candidates: readonly PeerIdentity[];
  /** Whether this learner has nearly everything that is committed. */
  readonly isCaughtUp: (member: Member) => boolean;
  /** Whether this member is at work as far as is known. The leader itself is. */
  readonly isPresent: (member: Member) => boolean;
  /** Whether nothing is to be tried for a node now, because it failed a short while ago. */
  readonly isPostponed: (nodeId: string) => boolean;
}

/**
 * The next single step that brings the members closer to the candidates, or `undefined` when there
 * is nothing to do or the configuration is on its way to another one. Decides from what is given
 * alone: the same inputs make the same step. Nobody takes the place of a member that is present.
 */
export function nextReconciliation(inputs: ReconciliationInputs): ReconciliationStep | undefined {
  const { configuration, isCaughtUp, isPostponed } = inputs;
  const candidates = inputs.candidates.filter(({ nodeId }) => !isPostponed(nodeId));
  if (configuration.outgoing.length > 0) return undefined;
  const members = [...configuration.voters, ...configuration.learners];
  for (const candidate of newestRuns(candidates)) {
    const step = stepFor(candidate, members, inputs.isPresent);
    if (step !== undefined) return step;
  }
  for (const learner of configuration.learners) {
    const isPresent = candidates.some((candidate) => isSameMember(candidate, learner));
    if (!isPresent || !isCaughtUp(learner)) continue;
    const { nodeId } = learner;
    return { nodeId, step: 'promote voter', changes: [{ kind: 'promote', member: learner }] };
  }
  return undefined;
}

function stepFor(
  candidate: PeerIdentity,
  members: readonly Member[],
  isPresent: (member: Member) => boolean,
): ReconciliationStep | undefined {
  const { nodeId, storeId, incarnation, endpoint, levels } = candidate;
  const member: Member = { nodeId, storeId, incarnation, endpoint, levels };
  const own = members.find((it) => isSameMember(it, candidate));
  if (own !== undefined) {
    const isMoved = own.endpoint !== endpoint;
    if (incarnation < own.incarnation) return undefined;
    if (!isMoved && isSameLevels(own.levels, levels)) return undefined;
    const step = isMoved ? 'update address' : 'update levels';
    return { nodeId, step, changes: [{ kind: 'update', member }] };
  }
  const former = members.filter((it) => it.nodeId === nodeId);
  if (former.length === 0) {
    return { nodeId, step: 'add learner', changes: [{ kind: 'addLearner', member }] };
  }
  // Old gossip of a store that was given up must not displace the present one.
  if (former.some((it) => it.incarnation >= incarnation)) return undefined;
  // With a name that was copied by mistake a process would throw out the one that it belongs to.
  if (former.some(isPresent)) return undefined;
  const removals = former.map((it): MemberChange => ({ kind: 'remove', member: it }));
  const changes: MemberChange[] = [...removals, { kind: 'addLearner', member }];
  return { nodeId, step: 'replace store', changes };
}

/** The newest process of each node, in order of node id. */
function newestRuns(candidates: readonly PeerIdentity[]): readonly PeerIdentity[] {
  const newest = new Map<string, PeerIdentity>();
  for (const candidate of candidates) {
    const other = newest.get(candidate.nodeId);
    if (other === undefined || other.incarnation < candidate.incarnation) {
      newest.set(candidate.nodeId, candidate);
    }
  }
  return [...newest.values()].sort((left, right) => (left.nodeId < right.nodeId ? -1 : 1));
}
