/** Reads that a follower has asked its leader about, by their number. */
export class ForwardedReads {
  readonly #sentAt = new Map<bigint, number>();

  add(context: bigint, tick: number): void {
    this.#sentAt.set(context, tick);
  }

  /** Whether the read was waiting; then it no longer is. */
  take(context: bigint): boolean {
    return this.#sentAt.delete(context);
  }

  /** Takes those that were sent before `tick`: request or answer was lost. */
  expire(tick: number): readonly bigint[] {
    const expired: bigint[] = [];
    for (const [context, sentAt] of this.#sentAt) {
      if (sentAt > tick) break;
      expired.push(context);
    }
    for (const context of expired) this.#sentAt.delete(context);
    return expired;
  }

  takeAll(): readonly bigint[] {
    const contexts = [...this.#sentAt.keys()];
    this.#sentAt.clear();
    return contexts;
  }
}
