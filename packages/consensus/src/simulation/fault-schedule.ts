import type { MemberChange } from '../raft/configuration.ts';
import { isSameMember } from '../raft/member-id.ts';
import { changeConfiguration, membersOf } from '../raft/membership.ts';
import type { RandomSource } from './random-source.ts';
import type { SimulatedCluster, SimulatedNode } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { ReleaseSchedule } from './simulated-releases.ts';

/** What a changed bit lies in, each as often as it stands here. */
const FLIPPED_PARTS = ['entry', 'entry', 'hardState', 'registers', 'snapshot', 'snapshot'] as const;

/** Lets the faults of a plan happen, at random times around their means. */
export class FaultSchedule {
  readonly #cluster: SimulatedCluster;
  readonly #random: RandomSource;
  readonly #releases: ReleaseSchedule;

  constructor(cluster: SimulatedCluster, random: RandomSource) {
    this.#cluster = cluster;
    this.#random = random;
    this.#releases = new ReleaseSchedule(cluster, random.fork(1));
  }

  start(): void {
    const { plan } = this.#cluster;
    this.#repeat(plan.crashEvery, () => this.#crash());
    this.#repeat(plan.partitionEvery, () => this.#partition());
    this.#repeat(plan.pauseEvery, () => this.#pause());
    this.#repeat(plan.changeEvery, () => this.#change());
    this.#repeat(plan.transferEvery, () => this.#transfer());
    this.#repeat(plan.flipEvery, () => this.#flip());
    this.#repeat(plan.releaseEvery, () => this.#releases.exchange());
    this.#repeat(plan.releaseEvery, () => this.#releases.report());
    this.#repeat(plan.releaseEvery, () => this.#releases.activate());
  }

  #repeat(mean: number, happen: () => void): void {
    if (mean <= 0) return;
    this.#cluster.queue.add(this.#random.between(1, 2 * mean), () => {
      if (this.#cluster.isCalm) return;
      happen();
      this.#repeat(mean, happen);
    });
  }

  #crash(): void {
    const { plan, queue } = this.#cluster;
    const leader = this.#random.chance(0.3) ? this.#cluster.leader() : undefined;
    const node = this.#cluster.nodes[leader?.node ?? -1] ?? this.#random.pick(this.#cluster.nodes);
    if (node === undefined) return;
    this.#cluster.crash(node);
    if (this.#random.chance(plan.wipeShare)) this.#cluster.wipe(node);
    queue.add(this.#random.between(1, plan.downMax), () => this.#cluster.start(node));
  }

  #flip(): void {
    const node = this.#random.pick(this.#cluster.nodes);
    const part = this.#random.pick(FLIPPED_PARTS);
    if (node !== undefined && part !== undefined) this.#cluster.flip(node, part);
  }

  #pause(): void {
    const { plan, queue, coverage } = this.#cluster;
    const leader = this.#random.chance(0.4) ? this.#cluster.leader() : undefined;
    const process = leader ?? this.#random.pick(this.#cluster.nodes)?.process;
    if (process === undefined || process.isPaused) return;
    process.isPaused = true;
    process.isDisconnected = this.#random.chance(0.5);
    coverage.pauses += 1;
    queue.add(this.#random.between(10, plan.pauseMax), () => process.resume());
  }

  #partition(): void {
    const { plan, queue, network, coverage } = this.#cluster;
    coverage.partitions += 1;
    network.restoreAll();
    this.#cut(this.#random.below(6));
    queue.add(this.#random.between(20, plan.partitionMax), () => network.restoreAll());
  }

  #cut(shape: number): void {
    const size = this.#cluster.nodes.length;
    const one = this.#random.below(size);
    const other = this.#random.below(size);
    switch (shape) {
      case 0:
        this.#cluster.network.cut(one, other);
        break;
      case 1:
        this.#cutWhere((from, to) => (from === one) !== (to === one));
        break;
      case 2: {
        const leader = this.#cluster.leader()?.node ?? one;
        this.#cutWhere((from, to) => (from === leader) !== (to === leader));
        break;
      }
      case 3: {
        const side = Array.from({ length: size }, () => this.#random.chance(0.5));
        this.#cutWhere((from, to) => side[from] !== side[to]);
        break;
      }
      case 4:
        // A ring: everyone reaches its two neighbours alone.
        this.#cutWhere((from, to) => ![1, size - 1].includes((from - to + size) % size));
        break;
      default: {
        const isDeaf = this.#random.chance(0.5);
        const leader = this.#cluster.leader()?.node ?? one;
        this.#cutWhere((from, to) => (isDeaf ? to === leader : from === leader));
      }
    }
  }

  #cutWhere(isCut: (from: number, to: number) => boolean): void {
    const { nodes, network } = this.#cluster;
    for (const { number: from } of nodes) {
      for (const { number: to } of nodes) if (from !== to && isCut(from, to)) network.cut(from, to);
    }
  }

  #transfer(): void {
    const leader = this.#cluster.leader();
    const configuration = leader?.core.configuration;
    if (leader === undefined || configuration === undefined) return;
    const target = this.#random.pick(configuration.voters);
    if (target === undefined) return;
    leader.enter(() => {
      if (leader.replica.transferLeader(target) === undefined) {
        this.#cluster.coverage.transfers += 1;
      }
    });
  }

  #change(): void {
    const leader = this.#cluster.leader();
    if (leader === undefined) return;
    const { plan } = this.#cluster;
    const changes: MemberChange[] = [];
    const count = this.#random.chance(plan.jointShare) ? 2 : 1;
    for (let i = 0; i < count; i += 1) changes.push(...this.#drawChange(leader));
    leader.enter(() => {
      const { configuration } = leader.core;
      if (changes.length === 0 || configuration === undefined) return;
      const outcome = changeConfiguration(configuration, changes, leader.self);
      // Nobody moves votes to disks that are known to be lost.
      if (outcome.kind === 'changed' && !this.#cluster.survives(outcome.configuration)) return;
      leader.replica.changeMembers(changes, { resolve: () => {}, reject: () => {} });
    });
  }

  #drawChange(leader: SimulatedProcess): readonly MemberChange[] {
    const { plan } = this.#cluster;
    const configuration = leader.core.configuration;
    if (configuration === undefined) return [];
    const node = this.#random.pick(this.#cluster.nodes);
    if (node === undefined) return [];
    const member = this.#cluster.memberOf(node);
    const members = membersOf(configuration);
    const replaced = members.filter(
      (it) => it.nodeId === node.nodeId && it.storeId !== member.storeId,
    );
    const removals = replaced.map((it): MemberChange => ({ kind: 'remove', member: it }));
    if (!members.some((it) => isSameMember(it, member))) {
      // What a release supports is known of one that runs, on a store that it has opened.
      if (plan.releaseEvery > 0 && node.process === undefined) return [];
      const isDirect = plan.seedClass === 'voters';
      const add: MemberChange = { kind: 'addLearner', member };
      if (isDirect) return [...removals, add, { kind: 'promote', member }];
      return [...removals, add];
    }
    return this.#drawMemberChange(leader, node);
  }

  #drawMemberChange(leader: SimulatedProcess, node: SimulatedNode): readonly MemberChange[] {
    const configuration = leader.core.configuration;
    const member = this.#cluster.memberOf(node);
    if (configuration === undefined) return [];
    const { voters, learners } = configuration;
    const isVoter = voters.some((it) => isSameMember(it, member));
    if (!isVoter) {
      const isGone = learners.length > 1 && this.#random.chance(0.2);
      return [{ kind: isGone ? 'remove' : 'promote', member }];
    }
    const least = this.#random.chance(0.1) ? 1 : 2;
    if (voters.length <= least) return [];
    return [{ kind: this.#random.chance(0.5) ? 'demote' : 'remove', member }];
  }
}
