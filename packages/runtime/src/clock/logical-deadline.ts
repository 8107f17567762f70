/**
 * When something of a domain is due: an instant on the time axis of one start of it. It is no
 * number and no instant of UTC, so that it cannot be mistaken for a physical deadline.
 */
export class LogicalDeadline {
  readonly domain: string;
  /** Start of the domain that it belongs to; it means nothing in another one. */
  readonly generation: number;
  /** On the axis of that start's clock; before 1970 is legal. */
  readonly targetNanos: bigint;

  constructor(domain: string, generation: number, targetNanos: bigint) {
    this.domain = domain;
    this.generation = generation;
    this.targetNanos = targetNanos;
  }
}

/** How a wait for a logical deadline ended. */
export type DeadlineOutcome =
  /** The deadline passed; `nowNanos` is the domain's time at the moment of saying so. */
  | { readonly kind: 'due'; readonly dueNanos: bigint; readonly nowNanos: bigint }
  | { readonly kind: 'cancelled' }
  /** The deadline is of another start of the domain, or the clock ended. */
  | { readonly kind: 'stale' };
