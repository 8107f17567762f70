import { expect } from 'vitest';
import { lesser } from '../../src/raft/big-order.ts';
import { memberKey } from '../../src/raft/member-id.ts';
import type { Message } from '../../src/raft/message.ts';
import type { Output, Role } from '../../src/raft/output.ts';
import type { CoreCluster } from './core-cluster.ts';
import type { CoreMember } from './core-member.ts';

interface Committed {
  readonly term: bigint;
  readonly chain: string;
  /** Term of the member that first knew it to be committed. */
  readonly knownIn: bigint;
}

/** Watches a cluster over its whole history; every look takes in what happened since the last. */
export class CoreInvariants {
  readonly #leaders = new Map<bigint, CoreMember>();
  readonly #chains = new Map<string, string>();
  readonly #committed = new Map<bigint, Committed>();
  readonly #votes = new Map<string, string>();
  readonly #roles = new Map<CoreMember, Role>();
  readonly #seen = new Map<CoreMember, { outputs: number; commit: bigint; term: bigint }>();

  check(cluster: CoreCluster): void {
    for (const member of cluster.members.values()) {
      const seen = this.#seen.get(member) ?? { outputs: 0, commit: 0n, term: 0n };
      this.#seen.set(member, seen);
      const outputs = member.outputs.slice(seen.outputs);
      seen.outputs = member.outputs.length;
      for (const output of outputs) this.#checkOutput(member, output);
      this.#checkCommit(member, seen);
      this.#checkDisk(member);
      this.#checkConfigurations(member);
    }
  }

  get committed(): number {
    return this.#committed.size;
  }

  get elections(): number {
    return this.#leaders.size;
  }

  #checkOutput(member: CoreMember, output: Output): void {
    const { messagesNow, storeJob, events } = output;
    for (const { message } of messagesNow) {
      expect(isAssertion(message), `I9: ${message.kind} leaves before it is durable`).toBe(false);
    }
    for (const entry of storeJob?.entries ?? []) {
      const key = `${entry.index}/${entry.term}`;
      const chain = toHex(entry.chain);
      expect(this.#chains.get(key) ?? chain, `I3: entry ${key} has two pasts`).toBe(chain);
      this.#chains.set(key, chain);
    }
    for (const event of events) {
      expect(event.kind, 'no log contradicts what is committed').not.toBe('invariantViolated');
      if (event.kind === 'elected') this.#checkElected(member, event.term);
    }
    const role = output.softState?.role ?? this.#roles.get(member) ?? 'follower';
    this.#roles.set(member, role);
    // A member that was deposed in this step may cut its log; one that still leads may not.
    const isCut = events.some(({ kind }) => kind === 'truncated');
    expect(isCut && role === 'leader', 'I2: a leader cut its log').toBe(false);
  }

  #checkElected(member: CoreMember, term: bigint): void {
    const other = this.#leaders.get(term) ?? member;
    expect(other === member, `I1: term ${term} has two leaders`).toBe(true);
    this.#leaders.set(term, member);
    for (const [index, { term: entryTerm, chain, knownIn }] of this.#committed) {
      if (knownIn >= term || index < member.core.log.purged.index) continue;
      const label = `I4: leader of term ${term} lacks entry ${index} committed in ${knownIn}`;
      expect(member.core.log.termAt(index), label).toBe(entryTerm);
      expect(toHex(member.core.log.chainAt(index)), label).toBe(chain);
    }
  }

  #checkCommit(member: CoreMember, seen: { commit: bigint; term: bigint }): void {
    const { core } = member;
    expect(core.term >= seen.term, 'I7: terms only grow').toBe(true);
    expect(core.commit >= seen.commit, 'I7: the commit index only grows').toBe(true);
    expect(core.applied <= core.commit && core.commit <= core.lastIndex, 'I7: order').toBe(true);
    for (let index = seen.commit + 1n; index <= core.commit; index += 1n) {
      const term = core.log.termAt(index);
      if (term === undefined) continue;
      const chain = toHex(core.log.chainAt(index));
      const known = this.#committed.get(index) ?? { term, chain, knownIn: core.term };
      expect({ term, chain }, `I5: entry ${index} is committed twice`).toEqual({
        term: known.term,
        chain: known.chain,
      });
      const knownIn = lesser(known.knownIn, core.term);
      this.#committed.set(index, { ...known, knownIn });
    }
    seen.commit = core.commit;
    seen.term = core.term;
  }

  #checkDisk(member: CoreMember): void {
    const { term, votedFor } = member.disk.hardState;
    if (votedFor === undefined) return;
    const key = `${member.self.storeId}/${term}`;
    const vote = memberKey(votedFor);
    expect(this.#votes.get(key) ?? vote, `I6: two votes in term ${term}`).toBe(vote);
    this.#votes.set(key, vote);
  }

  #checkConfigurations({ core, disk, jobs }: CoreMember): void {
    if (core.role !== 'leader') return;
    const records = [...disk.configurations, ...jobs.flatMap((job) => job.configurations)];
    const open = new Set(records.map(({ index }) => index).filter((index) => index > core.commit));
    expect(open.size, 'I10: one uncommitted configuration').toBeLessThanOrEqual(1);
  }
}

/** Whether the message says that something is durable. */
function isAssertion(message: Message): boolean {
  if (message.kind === 'appendAccepted' || message.kind === 'vote') return true;
  const isVote = message.kind === 'voteResponse' || message.kind === 'preVoteResponse';
  return isVote && message.granted;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
