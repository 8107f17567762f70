import type { Capacity } from './node-facts.js';
import type { Requirements } from './requirements.js';

const NOTHING: Capacity = { cpuCores: 0, memoryBytes: 0, diskBytes: 0, fileHandles: 0 };

/** What the decisions of one computation use up, by node index. */
export class UseLedger {
  readonly #reserved = new Map<number, Capacity>();
  readonly #ports = new Map<number, Set<number>>();

  /** Notes the requirements of work that was given to a node. */
  reserve(node: number, { capacity = {}, ports = [] }: Requirements): void {
    const before = this.reserved(node);
    this.#reserved.set(node, {
      cpuCores: before.cpuCores + (capacity.cpuCores ?? 0),
      memoryBytes: before.memoryBytes + (capacity.memoryBytes ?? 0),
      diskBytes: before.diskBytes + (capacity.diskBytes ?? 0),
      fileHandles: before.fileHandles + (capacity.fileHandles ?? 0),
    });
    this.#ports.set(node, new Set([...this.ports(node), ...ports]));
  }

  reserved(node: number): Capacity {
    return this.#reserved.get(node) ?? NOTHING;
  }

  ports(node: number): ReadonlySet<number> {
    return this.#ports.get(node) ?? new Set();
  }
}
