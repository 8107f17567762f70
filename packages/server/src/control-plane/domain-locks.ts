/**
 * Who mutates which domain right now. A second mutation is refused, never queued, so that a caller
 * always learns at once whether its change is being made.
 */
export class DomainLocks {
  readonly #owners = new Map<string, string>();

  /**
   * Takes the domain for an owner, such as `command '<reference>'`.
   *
   * @returns undefined when taken, else the text of the refusal
   */
  acquire(domain: string, owner: string): string | undefined {
    const holder = this.#owners.get(domain);
    if (holder !== undefined) return `domain '${domain}' mutation is owned by ${holder}`;
    this.#owners.set(domain, owner);
    return undefined;
  }

  release(domain: string): void {
    this.#owners.delete(domain);
  }

  /** Who mutates the domain right now, or undefined. */
  ownerOf(domain: string): string | undefined {
    return this.#owners.get(domain);
  }
}
