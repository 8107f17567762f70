import { NO_CAPACITY, plusCapacity } from '../capacity/amounts.js';
import type { Capacity } from './node-facts.js';
import type { Requirements } from './requirements.js';

/** What the decisions of one computation use up, by node index. */
export class UseLedger {
  readonly #reserved = new Map<number, Capacity>();
  readonly #ports = new Map<number, Set<number>>();

  /** Notes the requirements of work that was given to a node. */
  reserve(node: number, { capacity = {}, ports = [] }: Requirements): void {
    this.#reserved.set(node, plusCapacity(this.reserved(node), capacity));
    this.#ports.set(node, new Set([...this.ports(node), ...ports]));
  }

  reserved(node: number): Capacity {
    return this.#reserved.get(node) ?? NO_CAPACITY;
  }

  ports(node: number): ReadonlySet<number> {
    return this.#ports.get(node) ?? new Set();
  }
}
