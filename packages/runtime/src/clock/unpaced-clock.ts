import { DomainClock } from './domain-clock.js';

/**
 * The time of an unpaced domain is UTC. It advances at the physical rate, so durations are measured
 * on the physical clock, which no step of the host's UTC can stretch.
 */
export class UnpacedClock extends DomainClock {
  nowNanos(): bigint {
    return this.physical.utcNanos();
  }

  elapsedNanos(): bigint {
    return BigInt(Math.round(this.physical.monotonicMs() * 1e6));
  }

  protected physicalMs(deltaNanos: bigint): number {
    return Number(deltaNanos) / 1e6;
  }
}
