import type { BitMatrix } from './bit-matrix.js';
import type { CorridorRun } from './corridor-run.js';
import type { NodeSet } from './reach-sets.js';
import { uniteRows } from './row-union.js';

const WORD_VALUES = 2 ** 32;

/**
 * What a class meets in the corridors of one run. Classes that lie in the same corridors of the run
 * meet the same, and they are many: of thousands of classes some hundreds differ. Each union is
 * worked out once, when it is first asked for.
 */
export class RunUnions {
  /** By class: which of the unions is its own, or -1. */
  readonly #unionOf: Int32Array;
  /** By union: a class that has it. */
  readonly #examples: number[] = [];
  readonly #unions: (NodeSet | undefined)[] = [];
  readonly #signatures: BitMatrix;
  readonly #corridors: BitMatrix;
  readonly #run: CorridorRun;

  /**
   * @param signatures bit (class, corridor)
   * @param corridors the same with rows and columns exchanged
   */
  constructor(signatures: BitMatrix, corridors: BitMatrix, run: CorridorRun) {
    this.#signatures = signatures;
    this.#corridors = corridors;
    this.#run = run;
    this.#unionOf = new Int32Array(signatures.rows).fill(-1);
    // Signatures are told apart word by word: a path through this tree is numbered by its end.
    const tree = new Map<number, number>();
    const numbers = new Map<number, number>();
    for (let index = 0; index < signatures.rows; index += 1) {
      let place = 0;
      let any = 0;
      for (let word = run.start >>> 5; word << 5 < run.end; word += 1) {
        const bits = this.#word(index, word);
        any |= bits;
        const key = place * WORD_VALUES + bits;
        place = tree.get(key) ?? tree.size + 1;
        tree.set(key, place);
      }
      if (any === 0) continue;
      const number = numbers.get(place) ?? numbers.size;
      if (number === numbers.size) this.#examples.push(index);
      numbers.set(place, number);
      this.#unionOf[index] = number;
    }
  }

  /** Classes that share a corridor of the run with a class; undefined where it lies in none. */
  of(index: number): NodeSet | undefined {
    const number = this.#unionOf[index] ?? -1;
    if (number < 0) return undefined;
    const known = this.#unions[number];
    if (known !== undefined) return known;
    const union = new Uint32Array(this.#corridors.words);
    uniteRows(this.#corridors, this.#rowsOf(this.#examples[number] ?? 0), union);
    this.#unions[number] = union;
    return union;
  }

  /** Bits of a word of a signature that belong to the run, as an unsigned number. */
  #word(index: number, word: number): number {
    const { bits, words } = this.#signatures;
    const { start, end } = this.#run;
    const from = Math.max(0, start - (word << 5));
    const behind = end - (word << 5);
    const mask = (-1 << from) & (behind >= 32 ? -1 : (1 << behind) - 1);
    return ((bits[index * words + word] ?? 0) & mask) >>> 0;
  }

  #rowsOf(index: number): readonly number[] {
    const rows: number[] = [];
    for (let word = this.#run.start >>> 5; word << 5 < this.#run.end; word += 1) {
      for (let rest = this.#word(index, word); rest !== 0; rest &= rest - 1) {
        rows.push((word << 5) + 31 - Math.clz32(rest & -rest));
      }
    }
    return rows;
  }
}
