import { PLACEMENT_POLICIES, type PlacementPolicy } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import { aboveMask } from './hard-groups.js';
import type { NodeSet } from './reach-sets.js';
import type { RuleOutcomes } from './rule-outcomes.js';
import type { TieredRule } from './tiers.js';

/**
 * Resolves one class at a time: what its smallest member has to do with every higher graph node.
 * All pairs of the class follow, for its members are treated alike, and classes whose smallest
 * member is lower have been resolved before. One pass over the corridors of the class, strongest
 * tier first, costs a word operation for each corridor and 32 nodes.
 */
export class ClaimRows {
  /** Higher nodes that some rule pairs the class with. */
  readonly claimed: NodeSet;
  readonly #corridors: CorridorTable;
  readonly #outcomes: RuleOutcomes;
  readonly #classes: ClaimClasses;
  readonly #rules: readonly TieredRule[];
  readonly #policyOf: Uint8Array;
  /** By policy: the higher nodes that it decides, and those that the tier at hand gives it. */
  readonly #decided: readonly NodeSet[];
  readonly #tier: readonly NodeSet[];
  readonly #row: number[] = [];

  /**
   * @param corridors the essential ones, which the signatures of the classes refer to
   * @param outcomes is told what every class shows about the rules
   */
  constructor(
    classes: ClaimClasses,
    corridors: CorridorTable,
    rules: readonly TieredRule[],
    outcomes: RuleOutcomes,
  ) {
    const { words } = corridors.nodes;
    this.#outcomes = outcomes;
    this.#classes = classes;
    this.#corridors = corridors;
    this.#rules = rules;
    this.#policyOf = Uint8Array.from(rules, ({ rule }) => PLACEMENT_POLICIES.indexOf(rule.policy));
    this.#decided = PLACEMENT_POLICIES.map(() => new Uint32Array(words));
    this.#tier = PLACEMENT_POLICIES.map(() => new Uint32Array(words));
    this.claimed = new Uint32Array(words);
  }

  /** Higher nodes whose pair with the class a policy decides; bits up to the node mean nothing. */
  decided(policy: PlacementPolicy): NodeSet {
    return this.#decided[PLACEMENT_POLICIES.indexOf(policy)] ?? this.claimed;
  }

  /** Whether some corridor asks for a policy. */
  mayDecide(policy: PlacementPolicy): boolean {
    return this.#corridors.rule.some((rule) => this.#rules[rule]?.rule.policy === policy);
  }

  /**
   * Resolves a class.
   *
   * @returns the lowest higher node over whose pair rules of one tier disagree, or -1
   */
  resolve(index: number): number {
    const members = neighboursOf(this.#classes.members, index);
    const node = members[0] ?? 0;
    const low = node >>> 5;
    for (const set of [this.claimed, ...this.#decided]) set.fill(0, low);
    this.#readSignature(index);
    let lowest = -1;
    let observed = 0;
    for (let start = 0; start < this.#row.length; ) {
      const tier = this.#tierAt(start);
      let end = start + 1;
      while (end < this.#row.length && this.#tierAt(end) === tier) end += 1;
      observed = this.#outcomes.observe(members, this.claimed, tier, observed);
      const conflict = this.#resolveTier(start, end, node);
      if (conflict >= 0 && (lowest < 0 || conflict < lowest)) lowest = conflict;
      start = end;
    }
    this.#outcomes.observe(members, this.claimed, this.#rules.length, observed);
    this.#outcomes.settle();
    return lowest;
  }

  #readSignature(index: number): void {
    const { bits, words } = this.#classes.signatures;
    this.#row.length = 0;
    for (let word = 0; word < words; word += 1) {
      let rest = bits[index * words + word] ?? 0;
      for (; rest !== 0; rest &= rest - 1) {
        this.#row.push((word << 5) + 31 - Math.clz32(rest & -rest));
      }
    }
  }

  #ruleAt(position: number): number {
    return this.#corridors.rule[this.#row[position] ?? 0] ?? 0;
  }

  #tierAt(position: number): number {
    return this.#rules[this.#ruleAt(position)]?.tier ?? 0;
  }

  #resolveTier(start: number, end: number, node: number): number {
    const low = node >>> 5;
    const { bits, words } = this.#corridors.nodes;
    let present = 0;
    for (let position = start; position < end; position += 1) {
      const offset = (this.#row[position] ?? 0) * words;
      const policy = this.#policyOf[this.#ruleAt(position)] ?? 0;
      const set = this.#tier[policy] ?? this.claimed;
      if ((present & (1 << policy)) === 0)
        set.set(bits.subarray(offset + low, offset + words), low);
      else include(set, bits, offset, low);
      present |= 1 << policy;
    }
    const conflict = (present & (present - 1)) === 0 ? -1 : this.#conflict(present, node);
    this.#settle(present, low);
    return conflict;
  }

  /** The lowest higher node, unclaimed so far, that two policies of the tier are given. */
  #conflict(present: number, node: number): number {
    let mask = aboveMask(node);
    for (let word = node >>> 5; word < this.claimed.length; word += 1, mask = -1) {
      let once = 0;
      let twice = 0;
      for (const [policy, set] of this.#tier.entries()) {
        const given = (present & (1 << policy)) === 0 ? 0 : (set[word] ?? 0);
        twice |= once & given;
        once |= given;
      }
      const disputed = twice & ~(this.claimed[word] ?? 0) & mask;
      if (disputed !== 0) return (word << 5) + 31 - Math.clz32(disputed & -disputed);
    }
    return -1;
  }

  /** Gives every policy of the tier what no stronger tier took. */
  #settle(present: number, low: number): void {
    const { claimed } = this;
    for (const [policy, given] of this.#tier.entries()) {
      if ((present & (1 << policy)) === 0) continue;
      const decided = this.#decided[policy] ?? claimed;
      for (let word = low; word < claimed.length; word += 1) {
        decided[word] = (decided[word] ?? 0) | ((given[word] ?? 0) & ~(claimed[word] ?? 0));
      }
    }
    for (const [policy, given] of this.#tier.entries()) {
      if ((present & (1 << policy)) !== 0) include(claimed, given, 0, low);
    }
  }
}

function include(set: NodeSet, bits: NodeSet, offset: number, low: number): void {
  for (let word = low; word < set.length; word += 1) {
    set[word] = (set[word] ?? 0) | (bits[offset + word] ?? 0);
  }
}
