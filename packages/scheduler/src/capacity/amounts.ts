import type { Capacity } from '../feasibility/node-facts.js';

/** The amounts of a capacity, each of which counts by itself. */
export const AMOUNTS = ['cpuCores', 'memoryBytes', 'diskBytes', 'fileHandles'] as const;

export const NO_CAPACITY: Capacity = mapAmounts(() => 0);

/** A capacity made of its amounts. */
export function mapAmounts(value: (amount: keyof Capacity) => number): Capacity {
  return {
    cpuCores: value('cpuCores'),
    memoryBytes: value('memoryBytes'),
    diskBytes: value('diskBytes'),
    fileHandles: value('fileHandles'),
  };
}

/** What two uses need together; what is not said of the second is none. */
export function plusCapacity(one: Capacity, other: Partial<Capacity>): Capacity {
  return mapAmounts((amount) => one[amount] + (other[amount] ?? 0));
}

/** What remains after something was taken. */
export function lessCapacity(available: Capacity, taken: Capacity): Capacity {
  return mapAmounts((amount) => available[amount] - taken[amount]);
}

/** Whether every amount of what is wanted is there; nothing covers an amount below 0. */
export function coversCapacity(available: Capacity, wanted: Partial<Capacity>): boolean {
  return AMOUNTS.every((amount) => {
    const own = wanted[amount];
    return own === undefined || (own >= 0 && own <= available[amount]);
  });
}
