import type { Configuration, Member, MemberChange } from './configuration.ts';
import { MEMBERS_MAX } from './configuration-codec.ts';
import { activationProblem, supportsLevel, unsupportedLevel } from './feature-levels.ts';
import { isSameMember, type MemberId, memberKey } from './member-id.ts';
import type { VoterHalves } from './quorum.ts';

/** The groups of voters of a configuration, by member key. */
export function halvesOf(configuration: Configuration): VoterHalves {
  const { voters, outgoing } = configuration;
  const halves = [voters.map(memberKey)];
  if (outgoing.length > 0) halves.push(outgoing.map(memberKey));
  return halves;
}

/** Every member once: voters, those on their way out, learners. */
export function membersOf(configuration: Configuration): readonly Member[] {
  const { voters, outgoing, learners } = configuration;
  const members = new Map<string, Member>();
  for (const member of [...voters, ...outgoing, ...learners]) {
    if (!members.has(memberKey(member))) members.set(memberKey(member), member);
  }
  return [...members.values()];
}

/** Whether the member's vote counts in at least one half. */
export function isVoter(configuration: Configuration, id: MemberId): boolean {
  const { voters, outgoing } = configuration;
  return [...voters, ...outgoing].some((member) => isSameMember(member, id));
}

/** Whether the member is the only one whose vote counts. */
export function isSoleVoter(configuration: Configuration, id: MemberId): boolean {
  const { voters, outgoing } = configuration;
  const [voter] = voters;
  return outgoing.length === 0 && voters.length === 1 && voter !== undefined
    ? isSameMember(voter, id)
    : false;
}

/** A configuration that follows from changes, or why there is none. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly configuration: Configuration }
  | { readonly kind: 'refused'; readonly problem: string };

/**
 * Carries changes out on a configuration that is not joint. When they touch the votes of more than
 * one member the result is joint, and {@link leaveJoint} follows once it is committed: two
 * majorities that need not intersect never decide at the same time. `leader` may not be removed.
 */
export function changeConfiguration(
  from: Configuration,
  changes: readonly MemberChange[],
  leader: MemberId,
): ChangeOutcome {
  let roster: Roster = from;
  for (const change of changes) {
    const next = carryOut(roster, change, leader);
    if ('problem' in next) return { kind: 'refused', problem: next.problem };
    roster = next;
  }
  const { voters, learners, level } = roster;
  if (changes.length === 0) return { kind: 'refused', problem: 'a change of members changes some' };
  if (Math.max(voters.length, learners.length) > MEMBERS_MAX) {
    return {
      kind: 'refused',
      problem: `there are at most ${MEMBERS_MAX} voters and learners each`,
    };
  }
  const isJoint = voteChanges(from.voters, voters) > 1;
  const outgoing = isJoint ? from.voters : [];
  return { kind: 'changed', configuration: { ...from, level, voters, outgoing, learners } };
}

/** The configuration that a joint one moves to. */
export function leaveJoint(configuration: Configuration): Configuration {
  return { ...configuration, outgoing: [] };
}

type Roster = Pick<Configuration, 'level' | 'voters' | 'learners'>;

function carryOut(
  roster: Roster,
  change: MemberChange,
  leader: MemberId,
): Roster | { readonly problem: string } {
  if (change.kind === 'activate') return activate(roster, change.level);
  const isDescribed = change.kind === 'addLearner' || change.kind === 'update';
  if (isDescribed && !supportsLevel(change.member.levels, roster.level)) {
    return { problem: unsupportedLevel(change.member, roster.level) };
  }
  const next = changeMember(roster, change, leader);
  return 'problem' in next ? next : { ...next, level: roster.level };
}

/** One level at a time, and only what every member has reported, with a vote or without. */
function activate(roster: Roster, level: number): Roster | { readonly problem: string } {
  if (level !== roster.level + 1) {
    const present = `the cluster has activated level ${roster.level}`;
    return { problem: `cannot activate feature level ${level}: ${present}` };
  }
  const unfit = [...roster.voters, ...roster.learners].find(
    ({ levels }) => !supportsLevel(levels, level),
  );
  if (unfit !== undefined) return { problem: activationProblem(level, unfit) };
  return { ...roster, level };
}

function changeMember(
  { voters, learners }: Roster,
  change: Exclude<MemberChange, { readonly kind: 'activate' }>,
  leader: MemberId,
): Omit<Roster, 'level'> | { readonly problem: string } {
  const { nodeId } = change.member;
  const voter = voters.find((it) => isSameMember(it, change.member));
  const learner = learners.find((it) => isSameMember(it, change.member));
  if (change.kind === 'addLearner') {
    if (voter !== undefined || learner !== undefined) {
      return { problem: `node '${nodeId}' is already a raft member` };
    }
    return { voters, learners: [...learners, change.member] };
  }
  if (voter === undefined && learner === undefined) {
    return { problem: `node '${nodeId}' is not a raft member` };
  }
  switch (change.kind) {
    case 'promote':
      if (learner === undefined) return { problem: `node '${nodeId}' is a voter already` };
      return { voters: [...voters, learner], learners: without(learners, learner) };
    case 'demote':
      if (voter === undefined) return { problem: `node '${nodeId}' is a learner already` };
      if (voters.length === 1) return lastVoter(nodeId);
      return { voters: without(voters, voter), learners: [...learners, voter] };
    case 'update':
      return {
        voters: voters.map((it) => (it === voter ? change.member : it)),
        learners: learners.map((it) => (it === learner ? change.member : it)),
      };
    default:
      if (voter !== undefined && voters.length === 1) return lastVoter(nodeId);
      if (isSameMember(change.member, leader)) {
        return { problem: `cannot remove the local leader node '${nodeId}'` };
      }
      return { voters: without(voters, voter), learners: without(learners, learner) };
  }
}

function lastVoter(nodeId: string): { readonly problem: string } {
  return { problem: `cannot remove the last raft voter '${nodeId}'` };
}

function without(members: readonly Member[], member: Member | undefined): readonly Member[] {
  return members.filter((it) => it !== member);
}

function voteChanges(before: readonly Member[], after: readonly Member[]): number {
  const old = new Set(before.map(memberKey));
  const now = new Set(after.map(memberKey));
  let changes = 0;
  for (const key of old) if (!now.has(key)) changes += 1;
  for (const key of now) if (!old.has(key)) changes += 1;
  return changes;
}
