import { runtimeError } from '../errors.js';
import type { Clock } from './clock.js';
import { DomainClock } from './domain-clock.js';
import { ExactRate } from './exact-rate.js';

const INT64_MAX = 2n ** 63n - 1n;

/** How the time of a paced domain follows UTC from one instant on. */
export interface ClockMapping {
  /** UTC of the anchor, Unix nanoseconds. */
  readonly anchorNanos: bigint;
  /** The domain's time at the anchor, and before it. */
  readonly originNanos: bigint;
  /** Nanoseconds of the domain that pass in one of UTC: positive and finite. */
  readonly rate: number;
}

/**
 * The time of a paced domain: origin + ⌊max(0, UTC − anchor) · rate⌋, raised so that it never goes
 * back. Without a mapping it stands, and so does everything that waits by it.
 */
export class PacedClock extends DomainClock {
  #mapping: ClockMapping | null;
  #rate: ExactRate | null;
  #watermarkNanos: bigint | null = null;

  constructor(domain: string, generation: number, physical: Clock, mapping: ClockMapping) {
    super(domain, generation, physical);
    this.#mapping = mapping;
    this.#rate = new ExactRate(mapping.rate);
  }

  /** Follows another mapping from now on, or none; who waits by the clock is looked at again. */
  install(mapping: ClockMapping | null): void {
    const standsAt = this.nowNanos();
    this.#rate = mapping === null ? null : new ExactRate(mapping.rate);
    this.#mapping = mapping;
    this.#watermarkNanos = standsAt;
    this.reevaluate();
  }

  /** @throws RuntimeError RUNTIME_CLOCK_OVERFLOW when the time has no place in 64 bits */
  nowNanos(): bigint {
    const mapped = this.#mapped();
    if (mapped !== null && mapped > INT64_MAX) {
      throw runtimeError('RUNTIME_CLOCK_OVERFLOW', { domain: this.domain });
    }
    const before = this.#watermarkNanos;
    const now = mapped === null || (before !== null && before > mapped) ? before : mapped;
    this.#watermarkNanos = now;
    return now ?? 0n;
  }

  elapsedNanos(): bigint {
    return this.nowNanos();
  }

  protected physicalMs(deltaNanos: bigint): number {
    const mapping = this.#mapping;
    if (mapping === null || this.#rate === null) return Infinity;
    const behindNanos = this.nowNanos() - (this.#mapped() ?? 0n);
    const untilAnchor = mapping.anchorNanos - this.physical.utcNanos();
    const waitNanos = this.#rate.ceilQuotient(deltaNanos + behindNanos);
    return Number(waitNanos + (untilAnchor > 0n ? untilAnchor : 0n)) / 1e6;
  }

  #mapped(): bigint | null {
    if (this.#mapping === null || this.#rate === null) return null;
    const { anchorNanos, originNanos } = this.#mapping;
    const passed = this.physical.utcNanos() - anchorNanos;
    return passed <= 0n ? originNanos : originNanos + this.#rate.floorOf(passed);
  }
}
