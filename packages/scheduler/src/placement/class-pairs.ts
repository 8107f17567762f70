import { PLACEMENT_POLICIES, type PlacementPolicy } from '@nervix/model';
import type { Steps } from '../steps.js';
import type { BitMatrix } from './bit-matrix.js';
import { type ClaimClasses, classSize } from './claim-classes.js';
import { type CorridorRun, corridorRuns, policyIndex } from './corridor-run.js';
import type { CorridorTable } from './corridor-table.js';
import type { NodeSet } from './reach-sets.js';
import { RunUnions } from './run-unions.js';
import type { TieredRule } from './tiers.js';
import { transposed } from './transpose.js';

/** Words of remembered rows at most: 16 MiB. */
const REMEMBERED_WORDS_MAX = 1 << 22;

/** Rows of one class by policy; undefined where nobody asks for the policy. */
type Rows = readonly (NodeSet | undefined)[];

const NOTHING: NodeSet = new Uint32Array(0);

/**
 * What rules give the pairs of classes, worked out class by class when it is asked for: a word
 * operation for each run of corridors and 32 classes. No two rules of one tier disagree.
 */
export class ClassPairs {
  /** All corridors in the order in which they decide. */
  readonly runs: readonly CorridorRun[];
  readonly #classes: ClaimClasses;
  /** Bit (corridor, class). */
  readonly #corridors: BitMatrix;
  /** By run, once it was asked for. */
  readonly #unions: (RunUnions | undefined)[];
  /** By policy: whether a corridor asks for it; a neutral one asks for nothing. */
  readonly #isAsked: readonly boolean[];
  readonly #claimed: NodeSet;
  /** Rows by class, the oldest first. */
  readonly #remembered = new Map<number, Rows>();
  readonly #rowsMax: number;

  /** @param table corridors that the signatures of the classes refer to, ordered by tier, policy */
  constructor(classes: ClaimClasses, table: CorridorTable, rules: readonly TieredRule[]) {
    this.#classes = classes;
    this.runs = corridorRuns(table, rules);
    this.#corridors = transposed(classes.signatures);
    this.#unions = this.runs.map(() => undefined);
    this.#isAsked = PLACEMENT_POLICIES.map(
      (policy, place) => policy !== 'NEUTRAL' && this.runs.some((run) => run.policy === place),
    );
    const { words } = this.#corridors;
    this.#claimed = new Uint32Array(words);
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

  /** Whether any corridor asks for a policy that rows are kept of. */
  asksFor(policy: PlacementPolicy): boolean {
    return this.#isAsked[policyIndex(policy)] === true;
  }

  /**
   * Classes that share a corridor of a run with a class, itself included; undefined where it lies
   * in none of them. Not to be changed.
   *
   * @param run place of the run
   */
  union(run: number, index: number): NodeSet | undefined {
    return this.#unionsOf(run)?.of(index);
  }

  /** Gets every run ready, one a step; a run that is asked before is made ready then. */
  *prepare(): Steps<void> {
    for (const run of this.runs.keys()) {
      this.#unionsOf(run);
      yield;
    }
  }

  #unionsOf(run: number): RunUnions | undefined {
    const range = this.runs[run];
    if (range === undefined) return undefined;
    const known = this.#unions[run];
    const unions = known ?? new RunUnions(this.#classes.signatures, this.#corridors, range);
    this.#unions[run] = unions;
    return unions;
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
    const decided = this.#isAsked.map((isAsked) =>
      isAsked ? new Uint32Array(claimed.length) : undefined,
    );
    for (const [place, { policy }] of this.runs.entries()) {
      const given = this.union(place, index);
      if (given === undefined) continue;
      const row = decided[policy];
      if (row !== undefined) addUnclaimed(row, given, claimed);
      for (let word = 0; word < claimed.length; word += 1) {
        claimed[word] = (claimed[word] ?? 0) | (given[word] ?? 0);
      }
    }
    if (classSize(this.#classes, index) === 1) {
      for (const row of decided) if (row !== undefined) clearBit(row, index);
    }
    return decided;
  }
}

function addUnclaimed(row: NodeSet, given: NodeSet, claimed: NodeSet): void {
  for (let word = 0; word < row.length; word += 1) {
    row[word] = (row[word] ?? 0) | ((given[word] ?? 0) & ~(claimed[word] ?? 0));
  }
}

function clearBit(set: NodeSet, index: number): void {
  set[index >>> 5] = (set[index >>> 5] ?? 0) & ~(1 << (index & 31));
}
