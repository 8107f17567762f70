/**
 * Who mutates which domain right now. A second mutation is refused, never queued, so that a caller
 * always learns at once whether its change is being made. A commit that is recorded as under way
 * owns its domain also while nobody is at work on it.
 */
export class DomainLocks {
  readonly #owners = new Map<string, string>();
  readonly #committingIn: (domain: string) => string | undefined;

  /** @param committingIn gives the id of the transaction that commits in a domain */
  constructor(committingIn: (domain: string) => string | undefined = () => undefined) {
    this.#committingIn = committingIn;
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
    const owner = this.#owners.get(domain);
    if (owner !== undefined) return owner;
    const id = this.#committingIn(domain);
    return id === undefined ? undefined : transactionOwner(id);
  }
}

/** How a transaction is named as the owner of its domain. */
export function transactionOwner(id: string): string {
  return `transaction '${id}'`;
}
