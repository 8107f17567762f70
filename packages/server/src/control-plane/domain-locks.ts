import type { LeaseOwner } from '../replicated-state/records.js';

/**
 * Who mutates which domain right now. A second mutation is refused, never queued, so that a caller
 * always learns at once whether its change is being made. Beside what this node is at work on counts
 * the lease of a domain, which its owner holds also while nobody is at work on it.
 */
export class DomainLocks {
  readonly #owners = new Map<string, string>();
  readonly #leaseOf: (domain: string) => { readonly owner: LeaseOwner } | undefined;

  /** @param leaseOf gives the lease of a domain */
  constructor(
    leaseOf: (domain: string) => { readonly owner: LeaseOwner } | undefined = () => undefined,
  ) {
    this.#leaseOf = leaseOf;
  }

  /**
   * Takes the domain for an owner, such as `command '<reference>'`.
   *
   * @returns undefined when taken, else the text of the refusal
   */
  acquire(domain: string, owner: string): string | undefined {
    const holder = this.ownerOf(domain);
    const isResumed = holder === owner && !this.#owners.has(domain);
    if (holder !== undefined && !isResumed) {
      return `domain '${domain}' mutation is owned by ${holder}`;
    }
    this.#owners.set(domain, owner);
    return undefined;
  }

  release(domain: string): void {
    this.#owners.delete(domain);
  }

  /** Who mutates the domain right now, or undefined. */
  ownerOf(domain: string): string | undefined {
    const lease = this.#leaseOf(domain);
    return this.#owners.get(domain) ?? (lease === undefined ? undefined : ownerText(lease.owner));
  }
}

/** How the owner of a domain is named. */
export function ownerText(owner: LeaseOwner): string {
  return owner.kind === 'command' ? `command '${owner.reference}'` : `transaction '${owner.id}'`;
}
