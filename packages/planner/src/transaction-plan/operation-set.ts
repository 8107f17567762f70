/** A set of operation numbers as bits: bit n stands for operation n. */
export type OperationSet = bigint;

export const NO_OPERATIONS: OperationSet = 0n;

/** The set of one operation. */
export function operationBit(number: number): OperationSet {
  return 1n << BigInt(number);
}

/** The set of a range, both ends included. */
export function operationRange(first: number, last: number): OperationSet {
  return operationBit(last + 1) - operationBit(first);
}

/** Lists of numbers, one for each set that is met; equal sets share one list. */
export class Attributions {
  readonly #lists = new Map<OperationSet, readonly number[]>();

  /** The numbers of a set, ascending. */
  listOf(set: OperationSet): readonly number[] {
    const known = this.#lists.get(set);
    if (known !== undefined) return known;
    const list: number[] = [];
    let rest = set;
    for (let number = 0; rest !== 0n; number += 1, rest >>= 1n) {
      if ((rest & 1n) === 1n) list.push(number);
    }
    this.#lists.set(set, list);
    return list;
  }
}
