import { PLACEMENT_POLICIES, type PlacementPolicy } from '@nervix/model';
import type { BitMatrix } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import { aboveMask, type NodeSet } from './reach-sets.js';
import type { RuleOutcomes } from './rule-outcomes.js';
import type { TieredRule } from './tiers.js';
import { transposed } from './transpose.js';

/**
 * Resolves one class at a time: what its members have to do with each other and with the classes
 * above. Classes below have been resolved before. One pass over the corridors of the class,
 * strongest tier first, costs a word operation for each corridor and 32 classes.
 */
export class ClaimRows {
  /** Classes from the one at hand on that some rule pairs it with. */
  readonly claimed: NodeSet;
  readonly #outcomes: RuleOutcomes;
  readonly #classes: ClaimClasses;
  /** Bit (corridor, class). */
  readonly #corridors: BitMatrix;
  /** Index of the rule of each corridor. */
  readonly #ruleOf: Uint32Array;
  readonly #rules: readonly TieredRule[];
  readonly #policyOf: Uint8Array;
  /** By policy: the classes that it decides, and those that the tier at hand gives it. */
  readonly #decided: readonly NodeSet[];
  readonly #tier: readonly NodeSet[];
  readonly #row: number[] = [];

  /**
   * @param ruleOf rules of the corridors that the signatures of the classes refer to
   * @param outcomes is told what every class shows about the rules
   */
  constructor(
    classes: ClaimClasses,
    ruleOf: Uint32Array,
    rules: readonly TieredRule[],
    outcomes: RuleOutcomes,
  ) {
    this.#classes = classes;
    this.#corridors = transposed(classes.signatures);
    this.#ruleOf = ruleOf;
    this.#rules = rules;
    this.#outcomes = outcomes;
    this.#policyOf = Uint8Array.from(rules, ({ rule }) => PLACEMENT_POLICIES.indexOf(rule.policy));
    const { words } = this.#corridors;
    this.#decided = PLACEMENT_POLICIES.map(() => new Uint32Array(words));
    this.#tier = PLACEMENT_POLICIES.map(() => new Uint32Array(words));
    this.claimed = new Uint32Array(words);
  }

  /**
   * Classes whose pairs with the one at hand a policy decides; its own bit stands for pairs of its
   * members, lower bits mean nothing.
   */
  decided(policy: PlacementPolicy): NodeSet {
    return this.#decided[PLACEMENT_POLICIES.indexOf(policy)] ?? this.claimed;
  }

  /** Whether some corridor asks for a policy. */
  mayDecide(policy: PlacementPolicy): boolean {
    return this.#ruleOf.some((rule) => this.#rules[rule]?.rule.policy === policy);
  }

  /**
   * Resolves a class.
   *
   * @returns the lowest node over whose pair with the smallest member rules of one tier disagree,
   *   or -1
   */
  resolve(index: number): number {
    const low = index >>> 5;
    for (const set of [this.claimed, ...this.#decided]) set.fill(0, low);
    this.#readSignature(index);
    const sight = { classes: this.#classes, index, claimed: this.claimed };
    let lowest = -1;
    let observed = 0;
    for (let start = 0; start < this.#row.length; ) {
      const tier = this.#tierAt(start);
      let end = start + 1;
      while (end < this.#row.length && this.#tierAt(end) === tier) end += 1;
      observed = this.#outcomes.observe(sight, tier, observed);
      const conflict = this.#resolveTier(start, end, index);
      if (conflict >= 0 && (lowest < 0 || conflict < lowest)) lowest = conflict;
      start = end;
    }
    this.#outcomes.observe(sight, this.#rules.length, observed);
    this.#outcomes.settle();
    if (this.#isSingle(index)) this.#clear(index);
    return lowest;
  }

  #isSingle(index: number): boolean {
    const { starts } = this.#classes.members;
    return (starts[index + 1] ?? 0) - (starts[index] ?? 0) === 1;
  }

  /** A class of one has no pair of its own. */
  #clear(index: number): void {
    for (const set of [this.claimed, ...this.#decided]) {
      set[index >>> 5] = (set[index >>> 5] ?? 0) & ~(1 << (index & 31));
    }
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
    return this.#ruleOf[this.#row[position] ?? 0] ?? 0;
  }

  #tierAt(position: number): number {
    return this.#rules[this.#ruleAt(position)]?.tier ?? 0;
  }

  #resolveTier(start: number, end: number, index: number): number {
    const low = index >>> 5;
    const { bits, words } = this.#corridors;
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
    const conflict = (present & (present - 1)) === 0 ? -1 : this.#conflict(present, index);
    this.#settle(present, low);
    return conflict;
  }

  /** The lowest node of an unclaimed pair with the smallest member that two policies are given. */
  #conflict(present: number, index: number): number {
    const { starts, targets } = this.#classes.members;
    let mask = this.#isSingle(index) ? aboveMask(index) : -1 << (index & 31);
    let mate = -1;
    for (let word = index >>> 5; word < this.claimed.length; word += 1, mask = -1) {
      let disputed = this.#disputed(present, word) & mask;
      // The class itself comes first, but its second member need not be below all other classes.
      if (word === index >>> 5 && ((disputed >>> (index & 31)) & 1) === 1) {
        mate = targets[(starts[index] ?? 0) + 1] ?? 0;
        disputed &= ~(1 << (index & 31));
      }
      if (disputed === 0) continue;
      const other = (word << 5) + 31 - Math.clz32(disputed & -disputed);
      const first = targets[starts[other] ?? 0] ?? 0;
      return mate < 0 ? first : Math.min(first, mate);
    }
    return mate;
  }

  /** Bits of a word that several policies of the tier are given and no stronger tier took. */
  #disputed(present: number, word: number): number {
    let once = 0;
    let twice = 0;
    for (const [policy, set] of this.#tier.entries()) {
      const given = (present & (1 << policy)) === 0 ? 0 : (set[word] ?? 0);
      twice |= once & given;
      once |= given;
    }
    return twice & ~(this.claimed[word] ?? 0);
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
