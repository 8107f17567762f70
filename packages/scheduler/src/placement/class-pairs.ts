import { PLACEMENT_POLICIES, type PlacementPolicy } from '@nervix/model';
import { type BitMatrix, matrixRow } from './bit-matrix.js';
import { type ClaimClasses, classSize } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import { uniteRows } from './row-union.js';
import type { TieredRule } from './tiers.js';
import { transposed } from './transpose.js';

/** Words of remembered rows at most: 16 MiB. */
const REMEMBERED_WORDS_MAX = 1 << 22;

/** Rows of one class by policy; undefined where nobody asks for the policy. */
type Rows = readonly (NodeSet | undefined)[];

const NOTHING: NodeSet = new Uint32Array(0);

/** Neighbouring corridors of one tier and one policy. */
export interface CorridorRun {
  readonly tier: number;
  /** Index into `PLACEMENT_POLICIES`. */
  readonly policy: number;
  /** Rows of the corridor matrix, ascending. */
  readonly rows: readonly number[];
}

/**
 * What rules give the pairs of classes, worked out class by class when it is asked for. A row costs
 * a word operation for each corridor of its class and 32 classes. No two rules of one tier disagree.
 */
export class ClassPairs {
  /** Bit (corridor, class). */
  readonly corridors: BitMatrix;
  /** All corridors in the order in which they decide. */
  readonly runs: readonly CorridorRun[];
  readonly #classes: ClaimClasses;
  /** By corridor. */
  readonly #tierOf: Uint32Array;
  readonly #policyOf: Uint8Array;
  readonly #claimed: NodeSet;
  readonly #given: NodeSet;
  /** Rows of all policies by class, the oldest first. */
  readonly #remembered = new Map<number, Rows>();
  readonly #rowsMax: number;
  /** By policy. */
  readonly #isAsked: readonly boolean[];

  /** @param table corridors that the signatures of the classes refer to, ordered by tier, policy */
  constructor(classes: ClaimClasses, table: CorridorTable, rules: readonly TieredRule[]) {
    this.#classes = classes;
    this.corridors = transposed(classes.signatures);
    this.#tierOf = table.rule.map((rule) => rules[rule]?.tier ?? 0);
    this.#policyOf = Uint8Array.from(table.rule, (rule) => policyIndex(rules[rule]?.rule.policy));
    this.runs = this.#grouped(table.rule.keys());
    const { words } = this.corridors;
    this.#claimed = new Uint32Array(words);
    this.#given = new Uint32Array(words);
    this.#isAsked = PLACEMENT_POLICIES.map(
      (policy, place) => policy !== 'NEUTRAL' && this.#policyOf.includes(place),
    );
    this.#rowsMax = Math.max(1, Math.floor(REMEMBERED_WORDS_MAX / (3 * Math.max(1, words))));
  }

  /**
   * Classes whose pairs with a class rules give a policy; the bit of the class itself stands for
   * pairs of its members. Not to be changed.
   */
  row(policy: PlacementPolicy, index: number): NodeSet {
    if (!this.asksFor(policy)) return NOTHING;
    const rows = this.#remembered.get(index) ?? this.#remember(index);
    return rows[policyIndex(policy)] ?? NOTHING;
  }

  /** Whether any corridor asks for a policy that rows are kept of; a neutral one asks for nothing. */
  asksFor(policy: PlacementPolicy): boolean {
    return this.#isAsked[policyIndex(policy)] === true;
  }

  /** The corridors of a class in the order in which they decide. */
  runsOf(index: number): readonly CorridorRun[] {
    return this.#grouped(setNodes(matrixRow(this.#classes.signatures, index)));
  }

  #grouped(rows: Iterable<number>): readonly CorridorRun[] {
    const runs: { tier: number; policy: number; rows: number[] }[] = [];
    for (const row of rows) {
      const [tier, policy] = [this.#tierOf[row] ?? 0, this.#policyOf[row] ?? 0];
      const last = runs.at(-1);
      if (last?.tier === tier && last.policy === policy) last.rows.push(row);
      else runs.push({ tier, policy, rows: [row] });
    }
    return runs;
  }

  #remember(index: number): Rows {
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= this.#rowsMax && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
    const rows = this.#compute(index);
    this.#remembered.set(index, rows);
    return rows;
  }

  #compute(index: number): Rows {
    const claimed = this.#claimed.fill(0);
    const given = this.#given;
    const decided = this.#isAsked.map((isAsked) =>
      isAsked ? new Uint32Array(claimed.length) : undefined,
    );
    for (const { policy, rows } of this.runsOf(index)) {
      // What nobody asks for is written over what was read last.
      const row = decided[policy] ?? given;
      uniteRows(this.corridors, rows, given);
      for (let word = 0; word < claimed.length; word += 1) {
        const [before, now] = [claimed[word] ?? 0, given[word] ?? 0];
        row[word] = (row[word] ?? 0) | (now & ~before);
        claimed[word] = before | now;
      }
    }
    if (classSize(this.#classes, index) === 1) {
      for (const row of decided) if (row !== undefined) clearBit(row, index);
    }
    return decided;
  }
}

/** Index into `PLACEMENT_POLICIES`. */
export function policyIndex(policy: PlacementPolicy | undefined): number {
  return policy === undefined ? -1 : PLACEMENT_POLICIES.indexOf(policy);
}

function clearBit(set: NodeSet, index: number): void {
  set[index >>> 5] = (set[index >>> 5] ?? 0) & ~(1 << (index & 31));
}
