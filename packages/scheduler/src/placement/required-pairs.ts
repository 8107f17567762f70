import type { Steps } from '../steps.js';
import { matrixRow } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import { DisjointSets } from './disjoint-sets.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import { lowestOutside, lowestShared, outside } from './set-difference.js';
import { StrongerCorridors } from './stronger-corridors.js';
import type { TieredRule } from './tiers.js';

const SETS_A_STEP = 64;

/**
 * Joins the graph nodes that rules require beside each other, corridor by corridor. A node that
 * lies in no stronger corridor is required beside all others of its own one, and mostly there is
 * such a node. The other corridors come last, when most of what they hold is together: only nodes
 * that are not have to be asked for their partners, as pairs of all others would join nothing.
 *
 * @param nodes number of graph nodes
 * @param deciding ordered by tier
 */
export function* joinRequired(
  nodes: number,
  rules: readonly TieredRule[],
  deciding: CorridorTable,
  classes: ClaimClasses,
): Steps<DisjointSets> {
  const joins = new RequiredJoins(nodes);
  const required = [...deciding.rule.entries()].flatMap(([row, index]) => {
    const own = rules[index];
    if (own?.rule.policy !== 'REQUIRE COLOCATION') return [];
    return [{ tier: own.tier, corridor: matrixRow(deciding.nodes, row) }];
  });
  const first = new StrongerCorridors(rules, deciding, classes);
  const left: typeof required = [];
  for (const { tier, corridor } of required) {
    first.advance(tier);
    if (!joins.joinFreely(corridor, first.nodes)) left.push({ tier, corridor });
    yield;
  }
  const again = new StrongerCorridors(rules, deciding, classes);
  for (const { tier, corridor } of left) {
    if (joins.isTogether(corridor)) continue;
    again.advance(tier);
    yield* new CorridorSearch(joins.joined, corridor, again).run(setNodes(corridor));
  }
  return joins.joined;
}

/** Joins corridor after corridor. */
class RequiredJoins {
  readonly joined: DisjointSets;
  /** Graph nodes that are known to be together; those of most corridors are among them. */
  readonly #together: NodeSet;

  constructor(nodes: number) {
    this.joined = new DisjointSets(nodes);
    this.#together = new Uint32Array((nodes + 31) >>> 5);
  }

  isTogether(corridor: NodeSet): boolean {
    return lowestOutside(corridor, this.#together) < 0;
  }

  /** Joins a whole corridor; false where each of its nodes is in a stronger one as well. */
  joinFreely(corridor: NodeSet, stronger: NodeSet): boolean {
    const free = lowestOutside(corridor, stronger);
    if (free >= 0 && !this.isTogether(corridor)) this.#joinAll(corridor, free);
    return free >= 0;
  }

  #joinAll(corridor: NodeSet, free: number): void {
    const known = lowestShared(corridor, this.#together);
    const first = known < 0 ? free : known;
    for (const node of outside(corridor, this.#together)) this.joined.join(first, node);
    const isFirst = this.#together.every((word) => word === 0);
    if (known < 0 && !isFirst) return;
    for (let word = 0; word < corridor.length; word += 1) {
      this.#together[word] = (this.#together[word] ?? 0) | (corridor[word] ?? 0);
    }
  }
}

/** Joins along the pairs of one corridor that stronger ones leave to it. */
class CorridorSearch {
  readonly #joined: DisjointSets;
  readonly #corridor: NodeSet;
  readonly #stronger: StrongerCorridors;
  /** A partner of all nodes that lie in the same stronger corridors, or -1 where they have none. */
  readonly #partnerOf = new Map<number, number>();

  constructor(joined: DisjointSets, corridor: NodeSet, stronger: StrongerCorridors) {
    this.#joined = joined;
    this.#corridor = corridor;
    this.#stronger = stronger;
  }

  *run(members: readonly number[]): Steps<void> {
    let main = mostJoined(this.#joined, members);
    // What was passed over was together with the former main, so a new one starts from the top.
    for (let next = -1; next !== main; ) {
      if (next >= 0) main = next;
      next = yield* this.#pass(members, main);
    }
  }

  /** Asks what is not together with the main node; ends early with a better main node. */
  *#pass(members: readonly number[], main: number): Steps<number> {
    for (const node of members) {
      if (this.#joined.root(node) === this.#joined.root(main)) continue;
      const found = this.#ask(node);
      if (this.#partnerOf.size % SETS_A_STEP === 0) yield;
      if (found * 2 > members.length && this.#joined.root(node) !== this.#joined.root(main)) {
        return node;
      }
    }
    return main;
  }

  /** Joins a node with its partners and tells how many of them are new to the search. */
  #ask(node: number): number {
    const set = this.#stronger.setOf(node);
    const known = this.#partnerOf.get(set);
    if (known !== undefined) {
      if (known >= 0) this.#joined.join(known, node);
      return 0;
    }
    const partners = outside(this.#corridor, this.#stronger.partnersOf(node));
    for (const partner of partners) this.#joined.join(node, partner);
    this.#partnerOf.set(set, partners[0] ?? -1);
    return partners.length;
  }
}

/** A node of the set that most of the nodes belong to. */
function mostJoined(joined: DisjointSets, nodes: readonly number[]): number {
  const counts = new Map<number, number>();
  let [most, mostCount] = [nodes[0] ?? 0, 0];
  for (const node of nodes) {
    const root = joined.root(node);
    const count = (counts.get(root) ?? 0) + 1;
    counts.set(root, count);
    if (count > mostCount) [most, mostCount] = [node, count];
  }
  return most;
}
