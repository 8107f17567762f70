import { isSameMember } from '../raft/member-id.ts';
import { membersOf } from '../raft/membership.ts';
import { TICK_UNITS } from './fault-plan.ts';
import type { SimulatedCluster, SimulatedNode } from './simulated-cluster.ts';
import { SIMULATED_TIMING, type SimulatedProcess } from './simulated-process.ts';
import type { Workload } from './workload.ts';

const ELECTION_UNITS = SIMULATED_TIMING.electionTicksMax * TICK_UNITS;

const WRITE_UNITS = SIMULATED_TIMING.writeTicksMax * TICK_UNITS;

/** Runs events until a condition holds; `false` when it does not within the time. */
export type RunUntil = (isOver: () => boolean, unitsMax: number) => boolean;

/** What must be true once the faults have ended: CS-304, and CS-359 for a healthy leader. */
export class Recovery {
  readonly #cluster: SimulatedCluster;
  readonly #workload: Workload;
  readonly #runUntil: RunUntil;

  constructor(cluster: SimulatedCluster, workload: Workload, runUntil: RunUntil) {
    this.#cluster = cluster;
    this.#workload = workload;
    this.#runUntil = runUntil;
  }

  /** One leader, equal logs and records, everything acknowledged there, and a write that works. */
  heal(): void {
    this.#cluster.calm();
    const { watch } = this.#cluster;
    if (!this.#runUntil(() => this.#isConverged(), 10 * ELECTION_UNITS)) {
      watch.violate('heal', `the members do not come together: ${this.#describe()}`);
      return;
    }
    this.#write('heal', 4 * ELECTION_UNITS);
    this.#runUntil(() => this.#isConverged(), 4 * ELECTION_UNITS);
    if (!this.#isConverged()) watch.violate('heal', `a write parts them: ${this.#describe()}`);
  }

  /** Trials of a healthy leader. */
  stability(): void {
    this.#isolatedFollower();
    this.#deafFollower();
    this.#deafLeader();
    this.#hangingLeader();
  }

  #isolatedFollower(): void {
    const found = this.#leaderAndFollower();
    if (found === undefined) return;
    const { leader, follower, node } = found;
    const before = { term: leader.core.term, follower: follower.core.term };
    this.#cutAround(node, true, true);
    this.#wait(3 * ELECTION_UNITS);
    const { watch, network } = this.#cluster;
    if (follower.core.term !== before.follower) {
      watch.violate('I11', `${follower.name} raised its term while it was alone`);
    }
    network.restoreAll();
    this.#wait(3 * ELECTION_UNITS);
    this.#mustLead(leader, before.term, 'an isolated follower returned');
  }

  #deafFollower(): void {
    const found = this.#leaderAndFollower();
    if (found === undefined) return;
    const { leader, node } = found;
    const { term } = leader.core;
    this.#cluster.network.cut(leader.node, node.number);
    this.#wait(6 * ELECTION_UNITS);
    this.#mustLead(leader, term, 'a follower could not hear it');
    this.#cluster.network.restoreAll();
    this.#wait(3 * ELECTION_UNITS);
    this.#runUntil(() => this.#isConverged(), 6 * ELECTION_UNITS);
  }

  #deafLeader(): void {
    const found = this.#leaderAndFollower();
    if (found === undefined) return;
    const { leader } = found;
    const node = this.#cluster.nodes[leader.node];
    if (node === undefined) return;
    this.#cutAround(node, false, true);
    const isReplaced = this.#runUntil(() => {
      const newest = this.#cluster.leader();
      return newest !== undefined && newest !== leader && newest.core.hasCommittedOwnTerm;
    }, 6 * ELECTION_UNITS);
    if (isReplaced) this.#write('stability', 6 * ELECTION_UNITS);
    else this.#cluster.watch.violate('stability', 'a leader that hears nobody was not replaced');
    this.#cluster.network.restoreAll();
  }

  /** BC-28: a leader whose write does not return. */
  #hangingLeader(): void {
    const found = this.#leaderAndFollower();
    if (found === undefined) return;
    const { leader } = found;
    const { disk, watch } = this.#cluster;
    disk.hanging = leader.node;
    this.#workload.probe(leader, () => {});
    const isReplaced = this.#runUntil(
      () => {
        const newest = this.#cluster.leader();
        return newest !== undefined && newest !== leader && newest.core.hasCommittedOwnTerm;
      },
      WRITE_UNITS + 3 * ELECTION_UNITS,
    );
    if (!isReplaced) watch.violate('stability', 'a leader whose write hangs was not replaced');
    else if (leader.core.role === 'leader') {
      watch.violate('stability', `${leader.name} leads while its write hangs`);
    } else this.#write('stability', 2 * ELECTION_UNITS);
    disk.hanging = undefined;
    this.#cluster.unstall(leader);
    if (watch.violation !== undefined) return;
    if (!this.#runUntil(() => this.#isConverged(), 6 * ELECTION_UNITS)) {
      watch.violate('stability', `a write that hung has parted them: ${this.#describe()}`);
    }
  }

  #mustLead(leader: SimulatedProcess, term: bigint, after: string): void {
    const { core } = leader;
    if (core.role === 'leader' && core.term === term) return;
    this.#cluster.watch.violate('stability', `the leader of term ${term} was lost when ${after}`);
  }

  /** A leader with a follower that votes, in a cluster that does not need that follower. */
  #leaderAndFollower():
    | { leader: SimulatedProcess; follower: SimulatedProcess; node: SimulatedNode }
    | undefined {
    if (!this.#runUntil(() => this.#isConverged(), 6 * ELECTION_UNITS)) return undefined;
    const leader = this.#cluster.leader();
    const voters = leader?.core.configuration?.voters ?? [];
    const running = this.#cluster.nodes.filter((node) =>
      voters.some((voter) => isSameMember(voter, this.#cluster.memberOf(node))),
    );
    const node = running.find(({ number }) => number !== leader?.node);
    const follower = node?.process;
    if (leader === undefined || node === undefined || follower === undefined) return undefined;
    // Without that one follower a quorum must remain.
    if ((running.length - 1) * 2 <= voters.length || voters.length < 3) return undefined;
    return { leader, follower, node };
  }

  #cutAround(node: SimulatedNode, isMute: boolean, isDeaf: boolean): void {
    for (const { number } of this.#cluster.nodes) {
      if (number === node.number) continue;
      if (isMute) this.#cluster.network.cut(node.number, number);
      if (isDeaf) this.#cluster.network.cut(number, node.number);
    }
  }

  #wait(units: number): void {
    this.#runUntil(() => false, units);
  }

  #write(rule: 'heal' | 'stability', unitsMax: number): void {
    let isAnswered = false;
    let asked: SimulatedProcess | undefined;
    const isDone = this.#runUntil(() => {
      const leader = this.#cluster.leader();
      // A single fault may strike as late as this, and whoever is dead answers nothing.
      const isWaiting = asked?.isDead === false;
      if (isAnswered || isWaiting || leader === undefined) return isAnswered;
      asked = leader;
      this.#workload.probe(leader, (answered) => {
        asked = undefined;
        isAnswered ||= answered;
      });
      return isAnswered;
    }, unitsMax);
    if (!isDone) this.#cluster.watch.violate(rule, 'a write is not answered');
  }

  /** Whether the members of the leader's configuration have and know the same. */
  #isConverged(): boolean {
    const leader = this.#cluster.leader();
    const configuration = leader?.core.configuration;
    if (leader === undefined || configuration === undefined) return false;
    const { core } = leader;
    const { lastIndex } = core;
    if (configuration.outgoing.length > 0 || core.commit !== lastIndex) return false;
    if (lastIndex < BigInt(this.#cluster.watch.committedIndex)) return false;
    const members = membersOf(configuration);
    return this.#cluster.nodes.every((node) => {
      const member = this.#cluster.memberOf(node);
      const { process } = node;
      if (!members.some((it) => isSameMember(it, member))) return true;
      if (process === undefined) return false;
      if (process !== leader && process.core.role === 'leader') return false;
      return process.core.lastIndex === lastIndex && process.replica.applied.index === lastIndex;
    });
  }

  #describe(): string {
    const parts = this.#cluster.nodes.map(({ process, nodeId, content }) => {
      if (process === undefined) return `${nodeId} is down`;
      const { core, replica } = process;
      const { voters, outgoing, learners } = core.configuration ?? {};
      const names = [voters, outgoing, learners].map((it) => it?.map((m) => m.nodeId).join());
      const place = `${core.lastIndex}/${core.commit}/${replica.applied.index}`;
      const id = `${process.name}:${content.storeId.slice(-6)}`;
      const { oldest, newest } = process.levels;
      const levels = `${process.session.content.level} of ${oldest} to ${newest}`;
      return `${id} ${core.role} term ${core.term} at ${place} in {${names.join('|')}} ${levels}`;
    });
    return parts.join('; ');
  }
}
