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
    // Digits are read at once, where shifting would copy the whole set for each of its bits.
    const digits = set.toString(2);
    for (let number = 0; number < digits.length; number += 1) {
      if (digits.at(-1 - number) === '1') list.push(number);
    }
    this.#lists.set(set, list);
    return list;
  }
}
