import { scheduleLines } from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { clusterNodes } from '../scheduling/cluster-nodes.js';
import { domainStatus } from './domain-status.js';

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
    `raft.cordoned_nodes: ${cordoned.join(',') || '(none)'}`,
    `raft.last_log_index: ${lastIndex}`,
    `raft.last_applied: ${appliedIndex}`,
    'raft.membership:',
    ...voters.map(memberLine('voter')),
    ...learners.map(memberLine('learner')),
  ];
}

function domainLines(domains: readonly DomainRecord[]): readonly string[] {
  if (domains.length === 0) return ['- none'];
  return domains.map((domain) => {
    return `- ${domain.name} status=${domainStatus(domain)} pace=UNPACED`;
  });
}

function warningLines({ members }: Pick<ControlContext, 'members'>): readonly string[] {
  const silent = members().filter(({ isLive }) => !isLive);
  if (silent.length === 0) return ['- none'];
  return silent.map(
    ({ name }) => `- raft member '${name}' is marked unavailable by application health`,
  );
}
