import { scheduleLines } from '@nervix/scheduler';
import { AVAILABILITY_LIMITS } from '../../cluster/availability.js';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { clusterNodes } from '../scheduling/cluster-nodes.js';
import { domainStatus } from './domain-status.js';
import { humanDuration } from './human-duration.js';

type NodeStatus = ReturnType<ControlContext['log']['status']>;

const ROLE_WORDS: Readonly<Record<NodeStatus['role'], string>> = {
  leader: 'Leader',
  follower: 'Follower',
  candidate: 'Candidate',
  preCandidate: 'Candidate',
};

/**
 * Text of SHOW CLUSTER STATUS, from what this node has applied. A node of this release neither
 * gossips nor talks to other members, so those sections name nobody.
 */
export function showClusterStatus(context: ControlContext): string {
  const { state } = context;
  const schedules = state
    .domains()
    .map(({ name }) => ({ domain: name, entries: state.schedule(name) }));
  return [
    ['[chitchat]', '- none'],
    ['[raft]', ...raftLines(context)],
    ['[interconnect]', '- none'],
    ['[domains]', ...domainLines(state.domains())],
    ['[schedule]', ...scheduleLines(schedules)],
    ['[authority]', ...authorityLines(context)],
    ['[warnings]', ...warningLines(context)],
  ]
    .map((section) => section.join('\n'))
    .join('\n\n');
}

function raftLines(context: ControlContext): readonly string[] {
  const { identity, role, term, leader, lastIndex, appliedIndex, configuration } =
    context.log.status();
  const cordoned = clusterNodes(context)
    .filter(({ isCordoned }) => isCordoned)
    .map(({ name }) => name)
    .toSorted();
  const { voters = [], learners = [] } = configuration?.configuration ?? {};
  const memberLine = (part: string) => (member: { nodeId: string; endpoint: string }) =>
    `- ${member.nodeId} [${part}] ${member.endpoint || '-'}`;
  return [
    `raft.id: ${identity.nodeId}`,
    `raft.current_leader: ${leader?.nodeId ?? '(none)'}`,
    `raft.current_term: ${term}`,
    `raft.state: ${ROLE_WORDS[role]}`,
    `raft.node_unavailability_timeout: ${humanDuration(AVAILABILITY_LIMITS.unavailableAfterMs)}`,
    `raft.cordoned_nodes: ${cordoned.join(',') || '(none)'}`,
    `raft.last_log_index: ${lastIndex}`,
    `raft.last_applied: ${appliedIndex}`,
    'raft.membership:',
    ...voters.map(memberLine('voter')),
    ...learners.map(memberLine('learner')),
  ];
}

/** Members of the log with what their releases support, as it was recorded last. */
function recordedLevels({ log }: ControlContext) {
  const { level, configuration } = log.status();
  const { voters = [], learners = [] } = configuration?.configuration ?? {};
  return { level, members: [...voters, ...learners] };
}

function authorityLines(context: ControlContext): readonly string[] {
  const { level, members } = recordedLevels(context);
  const nodes = members.map(({ nodeId, levels }) => `${nodeId}=${levels.oldest}-${levels.newest}`);
  return [
    `feature_level.activated: ${level}`,
    `feature_level.nodes: ${nodes.toSorted().join(', ') || '(none)'}`,
  ];
}

function domainLines(domains: readonly DomainRecord[]): readonly string[] {
  if (domains.length === 0) return ['- none'];
  return domains.map((domain) => {
    return `- ${domain.name} status=${domainStatus(domain)} pace=UNPACED`;
  });
}

function warningLines(context: ControlContext): readonly string[] {
  const silent = context
    .members()
    .filter(({ isLive }) => !isLive)
    .map(({ name }) => `- raft member '${name}' is marked unavailable by application health`);
  const { level, members } = recordedLevels(context);
  const isNextKnown = members.length > 0 && members.every(({ levels }) => levels.newest > level);
  const next = isNextKnown ? [`- feature level ${level + 1} can be activated`] : [];
  const warnings = [...silent, ...next];
  return warnings.length === 0 ? ['- none'] : warnings;
}
