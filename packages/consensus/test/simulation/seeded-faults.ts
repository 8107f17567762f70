import type { FaultPlan, SeedClass } from '../../src/simulation.ts';

/** One rule of the code under test, broken by an exact change of its text. */
export interface SeededFault {
  /** The broken rule. */
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly seedClass: SeedClass;
  /** How many seeds it is looked for in; those that need many are left to the long mode. */
  readonly seeds: number;
  readonly steps: number;
  readonly isLong?: boolean;
  readonly changes?: Partial<FaultPlan>;
}

const general = { seedClass: 'general', seeds: 400, steps: 5_000 } as const;
const joint = { seedClass: 'joint', seeds: 400, steps: 5_000 } as const;
const stability = { seedClass: 'stability', seeds: 100, steps: 3_000 } as const;
const reads = { seedClass: 'reads', seeds: 400, steps: 5_000 } as const;
const damage = { seedClass: 'damage', seeds: 200, steps: 5_000 } as const;
const rare = { seeds: 20_000, steps: 5_000, isLong: true } as const;

/** The faults of the table of CS-357 and some of the driver. */
export const SEEDED_FAULTS: readonly SeededFault[] = [
  {
    rule: 'one vote a term',
    file: 'raft/elections.ts',
    from: 'const isFree = state.votedFor === undefined || isSameMember(state.votedFor, from);',
    to: 'const isFree = isSameMember(from, from);',
    ...general,
  },
  {
    rule: 'a vote is durable before it is granted',
    file: 'raft/elections.ts',
    from: "state.outbox.sendAfter(from, { kind: 'voteResponse'",
    to: "state.outbox.send(from, { kind: 'voteResponse'",
    ...general,
  },
  {
    rule: 'a vote is stored',
    file: 'raft/job-sequence.ts',
    from: 'if (!isVote && !outbox.hasStoreWork) return undefined;',
    to: 'if (!outbox.hasStoreWork) return undefined;',
    ...general,
  },
  {
    rule: 'the own vote is durable before votes are asked for',
    file: 'raft/elections.ts',
    from: "if (phase === 'vote') outbox.sendAfter(voter, message);",
    to: "if (phase === 'vote') outbox.send(voter, message);",
    ...general,
  },
  {
    rule: 'an append is durable before it is confirmed',
    file: 'raft/follower.ts',
    from: "outbox.sendAfter(from, { kind: 'appendAccepted', term, match, generation, batch });",
    to: "outbox.send(from, { kind: 'appendAccepted', term, match, generation, batch });",
    ...general,
  },
  {
    rule: 'the own append is durable before it counts',
    file: 'raft/leader.ts',
    from: 'voter === this.#self ? log.stable',
    to: 'voter === this.#self ? log.lastIndex',
    ...general,
  },
  {
    rule: 'CS-87: effects are those of committed entries',
    file: 'node/appliable-index.ts',
    from: 'if (appended !== undefined) return lesser(committed, appended);',
    to: 'if (appended !== undefined) return appended;',
    ...general,
  },
  {
    rule: 'CS-86: effects are published after the write that they share with their entries',
    file: 'node/replica.ts',
    from: '    this.#turn = planned;',
    to: `    this.#turn = planned;
    const { merged, applied: effects } = planned;
    if (merged !== undefined && effects !== undefined) this.#publish(effects);`,
    ...general,
  },
  {
    rule: 'answers queue behind the writes that they confirm',
    file: 'node/gated-messages.ts',
    from: 'if (message.seq <= this.#persisted) this.#ports.send',
    to: 'if (message.seq >= 0n) this.#ports.send',
    ...general,
  },
  {
    rule: 'votes go to logs that are as new',
    file: 'raft/elections.ts',
    from: 'const isElectable = state.log.isUpToDate(candidate);',
    to: 'const isElectable = candidate.index >= 0n;',
    ...general,
  },
  {
    rule: 'only entries of the own term are committed by count',
    file: 'raft/commitment.ts',
    from: 'reached > state.commit && state.log.termAt(reached) === state.term',
    to: 'reached > state.commit',
    seedClass: 'churn',
    ...rare,
  },
  {
    rule: 'a follower cuts only what conflicts',
    file: 'raft/log-writer.ts',
    from: 'if (present === body.term) return undefined;',
    to: 'if (present === body.term && (index <= commit || index === log.lastIndex)) return undefined;',
    ...general,
  },
  {
    rule: 'a follower commits only what the append proved',
    file: 'raft/follower.ts',
    from: 'state.commitTo(lesser(message.commit, match));',
    to: 'state.commitTo(lesser(message.commit, state.log.lastIndex));',
    ...general,
    seeds: 2_000,
  },
  {
    rule: 'a follower confirms only what the append proved',
    file: 'raft/log-writer.ts',
    from: "return { kind: 'accepted', match: index };",
    to: "return { kind: 'accepted', match: log.lastIndex };",
    ...general,
    seeds: 2_000,
  },
  {
    rule: 'a heartbeat carries no more commit than is confirmed',
    file: 'raft/leader.ts',
    from: 'const known = lesser(commit, progress.match);',
    to: 'const known = commit;',
    ...general,
  },
  {
    rule: 'an old snapshot is answered with the commit index',
    file: 'raft/follower.ts',
    from: 'this.#acceptTo(from, state.commit);',
    to: 'this.#acceptTo(from, state.log.lastIndex);',
    ...general,
    seeds: 1_000,
  },
  {
    rule: 'durability is told of entries by index and term',
    file: 'raft/raft-log.ts',
    from: 'if (index <= this.#stable || this.termAt(index) !== term) return;',
    to: 'if (index <= this.#stable || this.termAt(index) === undefined) return;',
    seedClass: 'late',
    ...rare,
  },
  {
    rule: 'a cut takes back durability',
    file: 'raft/raft-log.ts',
    from: 'if (this.#stable >= from) this.#stable = from - 1n;',
    to: '',
    ...general,
    seeds: 3_000,
    isLong: true,
  },
  {
    rule: 'both halves of a joint configuration commit',
    file: 'raft/quorum.ts',
    from: 'for (const half of halves) {',
    to: 'for (const half of halves.slice(0, 1)) {',
    ...joint,
  },
  {
    rule: 'both halves of a joint configuration elect',
    file: 'raft/quorum.ts',
    from: 'halves.every((half) => {',
    to: 'halves.slice(0, 1).every((half) => {',
    ...joint,
    seeds: 2_000,
  },
  {
    rule: 'several votes change only through a joint configuration',
    file: 'raft/membership.ts',
    from: 'voteChanges(from.voters, voters) > 1',
    to: 'voteChanges(from.voters, voters) > 9',
    ...joint,
  },
  {
    rule: 'one uncommitted configuration at a time',
    file: 'raft/proposals.ts',
    from: 'if (!isConfigurationSettled || configurations.isJoint ||',
    to: 'if (configurations.isJoint ||',
    ...joint,
  },
  {
    rule: 'no configuration before an entry of the own term is committed',
    file: 'raft/proposals.ts',
    from: 'configurations.isJoint || !leadership.hasCommittedOwnTerm) {',
    to: 'configurations.isJoint) {',
    seedClass: 'voters',
    ...rare,
  },
  {
    rule: 'a cut takes back configurations',
    file: 'raft/configuration-log.ts',
    from: 'this.#records = this.#records.filter(({ index }) => index < from);',
    to: '',
    seedClass: 'late',
    ...rare,
  },
  {
    rule: 'a snapshot carries the configuration at its index',
    file: 'node/turn-plan.ts',
    from: 'snapshots.begin(configurations.at(applied))',
    to: 'snapshots.begin(configurations.newest)',
    seedClass: 'joint',
    ...rare,
  },
  {
    rule: 'a read needs a round',
    file: 'raft/leader.ts',
    from: 'if (configurations.isSelfSoleVoter) {',
    to: 'if (configurations.newest !== undefined) {',
    ...reads,
  },
  {
    rule: 'a read needs a committed entry of the own term',
    file: 'raft/leader.ts',
    from: 'if (!this.hasCommittedOwnTerm) return;',
    to: '',
    ...reads,
    seeds: 2_000,
  },
  {
    rule: 'a read waits until its index is applied',
    file: 'node/read-queue.ts',
    from: 'this.#confirmed.push({ index, read });',
    to: 'this.#confirmed.push({ index: 0n, read });',
    ...reads,
  },
  {
    rule: 'an answer to a read names the process',
    file: 'raft/read-index.ts',
    from: 'read.epoch !== options.epoch || ',
    to: '',
    seedClass: 'reads',
    ...rare,
    changes: { fencesProcesses: false },
  },
  {
    rule: 'elections begin with a pre-vote',
    file: 'raft/elections.ts',
    from: "if (this.#mayCampaign) this.campaign('preVote', false);",
    to: "if (this.#mayCampaign) this.campaign('vote', false);",
    ...stability,
  },
  {
    rule: 'no votes while a leader is alive',
    file: 'raft/elections.ts',
    from: 'return !message.transfer && this.#state.hasLeader;',
    to: 'return false;',
    ...stability,
  },
  {
    rule: 'a leader without a quorum steps down',
    file: 'raft/raft.ts',
    from: "if (!leadership.isQuorumActive) state.follow(undefined, 'no quorum answers');",
    to: '',
    ...stability,
  },
  {
    rule: 'refusals are answered',
    file: 'raft/elections.ts',
    from: 'outbox.send(from, { kind, term, granted: false });',
    to: '',
    ...general,
    seeds: 3_000,
    isLong: true,
  },
  {
    rule: 'leaders of old terms are told',
    file: 'raft/raft.ts',
    from: "if (isFromLeader(message)) outbox.send(from, { kind: 'termNotice', term });",
    to: 'if (isFromLeader(message)) return;',
    seedClass: 'general',
    ...rare,
  },
  {
    rule: 'membership is no reason to refuse a vote',
    file: 'raft/elections.ts',
    from: "if (state.role === 'leader' || !(isNewTerm",
    to: "if (!state.configurations.isSelfVoter || state.role === 'leader' || !(isNewTerm",
    seedClass: 'joint',
    seeds: 1_000,
    steps: 5_000,
  },
  {
    rule: 'who may hold the only electable log stands without a vote',
    file: 'raft/elections.ts',
    from: 'return configurations.isSelfVoter || !isConfigurationSettled || now < this.#standUntil;',
    to: 'return configurations.isSelfVoter;',
    ...joint,
    seeds: 2_000,
  },
  {
    rule: 'a joint configuration is left by whoever leads',
    file: 'raft/commitment.ts',
    from: 'this.appendConfiguration(leaveJoint(newest));',
    to: '',
    ...joint,
  },
  {
    rule: 'an append below the purged part is not refused',
    file: 'raft/log-writer.ts',
    from: "if (prevIndex < log.purged.index) return { kind: 'accepted', match: commit };",
    to: 'if (prevIndex < log.purged.index) return this.#reject(prevIndex, prevTerm);',
    seedClass: 'general',
    ...rare,
  },
  {
    rule: 'a member that ends below the purged part gets a snapshot',
    file: 'raft/leader.ts',
    from: 'return lesser(hintIndex, purged.index - 1n);',
    to: 'return index;',
    ...general,
  },
  {
    rule: 'the first failed write is the last',
    file: 'node/replica.ts',
    from: 'this.#fail(asError(result.error));\n      return;\n    }\n    if (turn.turn',
    to: '}\n    if (turn.turn',
    seedClass: 'churn',
    seeds: 200,
    steps: 5_000,
  },
  {
    rule: 'CS-96: a member that fails leaves open what becomes of the commands in its log',
    file: 'node/replica.ts',
    from: 'this.#waiters.rejectAll(outcomeAfter(failure));',
    to: 'this.#waiters.rejectAll(failure);',
    ...damage,
  },
  {
    rule: 'the log keeps what no snapshot holds',
    file: 'node/turn-plan.ts',
    from: 'const { covered } = snapshots;',
    to: 'const covered: bigint | undefined = applied;',
    ...general,
  },
  {
    rule: 'BC-28: a leader whose write hangs lets another one lead',
    file: 'node/write-watch.ts',
    from: 'return this.#ticks === this.#ticksMax;',
    to: 'return false;',
    ...stability,
  },
  {
    rule: 'CS-84: a stored entry whose checksum differs is not read',
    file: 'simulation/store-session.ts',
    from: 'return range.every((entry) => this.#content.isWhole(entry)) ? range : undefined;',
    to: 'return range;',
    ...damage,
  },
  {
    rule: 'CS-84: a store that differs from its checksums is not opened',
    file: 'simulation/simulated-cluster.ts',
    from: 'if (damage === undefined) return;',
    to: 'if (damage !== null) return;',
    ...damage,
  },
  {
    rule: 'CS-110: a damaged snapshot is made anew',
    file: 'node/snapshot-schedule.ts',
    from: 'if (this.#isDamaged) return true;',
    to: 'if (this.#isDamaged) return false;',
    ...damage,
  },
  {
    rule: 'reads are not confirmed by clocks',
    file: 'raft/raft-options.ts',
    from: "readMode: 'round',",
    to: "readMode: 'round' as const,",
    ...reads,
    seeds: 1_200,
    // A leader whose clock is slow, often alone, among members that hardly suffer otherwise.
    changes: {
      ...{ readMode: 'lease', rateLeast: 0.27, slowShare: 0.34, voters: 3, spares: 0 },
      ...{ partitionEvery: 300, partitionMax: 900, writeMax: 5, delayMax: 5 },
      ...{ crashEvery: 0, changeEvery: 0, transferEvery: 0, pauseEvery: 0 },
      ...{ lateShare: 0, lossShare: 0, writeStallShare: 0, writeFailShare: 0 },
    },
  },
];
