import type { Capacity } from '../feasibility/node-facts.js';
import { mapAmounts } from './amounts.js';

/** What is measured and promised on one node. All amounts are absolute; CPU counts in cores. */
export interface CapacityAccount {
  /** Everything the machine has. */
  readonly measured: Capacity;
  /** Set aside for the operating system. */
  readonly systemHeadroom: Capacity;
  /** Promised to managed work, both sides of a rolling move included. */
  readonly reservations: readonly Capacity[];
  /** What is in use now, by whomever. */
  readonly usage: Capacity;
  /** The part of the usage that managed work causes. */
  readonly attributedUsage: Capacity;
}

/**
 * What is left for new work: capacity less the system's share, less reservations, less unmanaged
 * load. Managed work counts by its reservation alone, so nothing is taken off twice. Never below 0.
 */
export function availableCapacity(account: CapacityAccount): Capacity {
  const { measured, systemHeadroom, reservations, usage, attributedUsage } = account;
  return mapAmounts((amount) => {
    const reserved = reservations.reduce((sum, capacity) => sum + capacity[amount], 0);
    const unmanaged = Math.max(0, usage[amount] - attributedUsage[amount]);
    return Math.max(0, measured[amount] - systemHeadroom[amount] - reserved - unmanaged);
  });
}
