import type { MemberChange } from '../raft/configuration.ts';
import { isSameLevels, levelsOfRelease, supportsLevel } from '../raft/feature-levels.ts';
import { isSameMember } from '../raft/member-id.ts';
import { membersOf } from '../raft/membership.ts';
import type { Coverage } from './coverage.ts';
import type { RandomSource } from './random-source.ts';
import type { SimulatedCluster, SimulatedNode } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { StoreContent } from './simulated-store.ts';

/** Newest level of the newest release there is. */
const NEWEST_RELEASE = 4;

/**
 * Sees to it that the node starts: a release that does not run at the level of the store refuses
 * it, and whoever runs the node installs one that does.
 */
export function installFitting(
  node: SimulatedNode,
  coverage: Coverage,
  random: RandomSource,
): void {
  const { content } = node;
  if (isUnused(content)) content.level = node.levels.oldest;
  if (supportsLevel(node.levels, content.level)) return;
  coverage.refusedReleases += 1;
  node.levels = levelsOfRelease(content.level + random.below(2));
}

/** Whether a store never belonged to a cluster; a release that makes one writes its oldest level. */
function isUnused({ clusterUid, last }: StoreContent): boolean {
  return clusterUid === undefined && last.index === 0n;
}

/** Greatest level that any node has or may come to have without another activation. */
export function newestLevel(nodes: readonly SimulatedNode[]): number {
  const levels = nodes.flatMap(({ content, process }) => {
    const stored = content.configurations.map(({ configuration }) => configuration.level);
    return [
      isUnused(content) ? 0 : content.level,
      ...stored,
      process?.core.configuration?.level ?? 0,
    ];
  });
  return Math.max(...levels);
}

/** Gives a node that does not run a release for a level, unless it has one that takes its store too. */
export function settleRelease(node: SimulatedNode, level: number): boolean {
  const { levels, content } = node;
  const isFitting = supportsLevel(levels, level);
  if (isFitting && (isUnused(content) || supportsLevel(levels, content.level))) return false;
  node.levels = levelsOfRelease(level);
  return true;
}

/** Operators who exchange releases, and leaders who record and activate what these support. */
export class ReleaseSchedule {
  readonly #cluster: SimulatedCluster;
  readonly #random: RandomSource;

  constructor(cluster: SimulatedCluster, random: RandomSource) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** Installs the next release on a node, or now and then takes one back. */
  exchange(): void {
    const { plan, queue, coverage } = this.#cluster;
    const node = this.#random.pick(this.#cluster.nodes);
    if (node === undefined) return;
    const newest = node.levels.newest + (this.#random.chance(0.25) ? -1 : 1);
    if (newest < 1 || newest > NEWEST_RELEASE) return;
    coverage.releases += 1;
    this.#cluster.crash(node);
    node.levels = levelsOfRelease(newest);
    queue.add(this.#random.between(1, plan.downMax), () => this.#cluster.start(node));
  }

  /** The leader records what a member that runs supports. */
  report(): void {
    const leader = this.#cluster.leader();
    const configuration = leader?.core.configuration;
    if (leader === undefined || configuration === undefined) return;
    const members = membersOf(configuration);
    const outdated = this.#cluster.nodes
      .filter(({ process }) => process !== undefined)
      .map((node) => this.#cluster.memberOf(node))
      .find((member) => {
        const recorded = members.find((it) => isSameMember(it, member));
        return recorded !== undefined && !isSameLevels(recorded.levels, member.levels);
      });
    if (outdated !== undefined) this.#change(leader, { kind: 'update', member: outdated });
  }

  /** Somebody asks the leader for a level, mostly the next one. */
  activate(): void {
    const leader = this.#cluster.leader();
    const configuration = leader?.core.configuration;
    if (leader === undefined || configuration === undefined) return;
    const level = configuration.level + (this.#random.chance(0.1) ? 2 : 1);
    this.#change(leader, { kind: 'activate', level });
  }

  #change(leader: SimulatedProcess, change: MemberChange): void {
    leader.enter(() => {
      leader.replica.changeMembers([change], { resolve: () => {}, reject: () => {} });
    });
  }
}
