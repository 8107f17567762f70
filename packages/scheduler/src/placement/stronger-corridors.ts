import { type BitMatrix, matrixRow } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import type { NodeSet } from './reach-sets.js';
import { uniteRows } from './row-union.js';
import type { TieredRule } from './tiers.js';

/** Words of unions that are kept of one tier at most: 16 MiB. */
const KEPT_WORDS_MAX = 1 << 22;

/**
 * The deciding corridors that are stronger than one tier after the other: what they take from whom.
 * Graph nodes that lie in the same of them have the same partners left, so that what is worked out
 * for one is kept for all, until the next tier has its turn.
 */
export class StrongerCorridors {
  readonly #table: CorridorTable;
  readonly #classes: ClaimClasses;
  readonly #tierOf: Uint32Array;
  /** Graph nodes of all corridors that are stronger than the tier at hand. */
  readonly #nodes: NodeSet;
  #count = 0;
  /** By class: the number of the set of stronger corridors that it lies in, or -1 before asked. */
  readonly #setOf: Int32Array;
  readonly #sets = new Map<string, number>();
  /** By set. */
  readonly #unions = new Map<number, NodeSet>();

  /** @param deciding ordered by tier */
  constructor(rules: readonly TieredRule[], deciding: CorridorTable, classes: ClaimClasses) {
    this.#table = deciding;
    this.#classes = classes;
    this.#tierOf = deciding.rule.map((rule) => rules[rule]?.tier ?? 0);
    this.#nodes = new Uint32Array(deciding.nodes.words);
    this.#setOf = new Int32Array(classes.signatures.rows).fill(-1);
  }

  /** Graph nodes of all stronger corridors together. */
  get nodes(): NodeSet {
    return this.#nodes;
  }

  /** Number of stronger corridors, which are the first of the table. */
  get count(): number {
    return this.#count;
  }

  /** Goes on to a tier; tiers come in their order. */
  advance(tier: number): void {
    const before = this.#count;
    for (; (this.#tierOf[this.#count] ?? tier) < tier; this.#count += 1) {
      const added = matrixRow(this.#table.nodes, this.#count);
      for (let word = 0; word < added.length; word += 1) {
        this.#nodes[word] = (this.#nodes[word] ?? 0) | (added[word] ?? 0);
      }
    }
    if (this.#count === before) return;
    this.#setOf.fill(-1);
    this.#sets.clear();
    this.#unions.clear();
  }

  /** A number that graph nodes of the same stronger corridors have in common. */
  setOf(node: number): number {
    const index = this.#classes.classOf[node] ?? -1;
    const known = this.#setOf[index] ?? -1;
    if (known >= 0) return known;
    const key = signatureText(this.#classes.signatures, index, this.#count);
    const number = this.#sets.get(key) ?? this.#sets.size;
    this.#sets.set(key, number);
    this.#setOf[index] = number;
    return number;
  }

  /** Everything that shares a stronger corridor with a graph node; not to be changed. */
  partnersOf(node: number): NodeSet {
    const set = this.setOf(node);
    const known = this.#unions.get(set);
    if (known !== undefined) return known;
    const { words } = this.#table.nodes;
    if (this.#unions.size * words > KEPT_WORDS_MAX) this.#unions.clear();
    const union = new Uint32Array(words);
    const { classOf, signatures } = this.#classes;
    const rows = firstColumns(signatures, classOf[node] ?? -1, this.#count);
    if (rows.length > 0) uniteRows(this.#table.nodes, rows, union);
    this.#unions.set(set, union);
    return union;
  }
}

/** The set columns of a row below a bound, as a text. */
function signatureText({ bits, words }: BitMatrix, row: number, bound: number): string {
  let text = '';
  for (let word = 0; word << 5 < bound; word += 1) {
    text += `${(bits[row * words + word] ?? 0) & maskBelow(bound - (word << 5))} `;
  }
  return text;
}

/** The set columns of a row below a bound, ascending. */
function firstColumns({ bits, words }: BitMatrix, row: number, bound: number): readonly number[] {
  const columns: number[] = [];
  for (let word = 0; word << 5 < bound; word += 1) {
    const mask = maskBelow(bound - (word << 5));
    for (let rest = (bits[row * words + word] ?? 0) & mask; rest !== 0; rest &= rest - 1) {
      columns.push((word << 5) + 31 - Math.clz32(rest & -rest));
    }
  }
  return columns;
}

function maskBelow(count: number): number {
  return count >= 32 ? -1 : (1 << count) - 1;
}
