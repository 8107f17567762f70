import type { Timer } from './clock.js';
import type { DomainClock } from './domain-clock.js';

/** How long something is held back: by the physical clock in milliseconds, or by the domain's. */
export type Delay =
  | { readonly kind: 'physical'; readonly ms: number }
  | { readonly kind: 'logical'; readonly nanos: bigint };

/** A moment on both axes. */
export interface Mark {
  readonly monotonicMs: number;
  readonly elapsedNanos: bigint;
}

/** The present moment. */
export function markOf(clock: DomainClock): Mark {
  return { monotonicMs: clock.physical.monotonicMs(), elapsedNanos: clock.elapsedNanos() };
}

/** Whether a delay that began at a moment is over. */
export function isOver(delay: Delay, since: Mark, clock: DomainClock): boolean {
  return delay.kind === 'physical'
    ? clock.physical.monotonicMs() >= since.monotonicMs + delay.ms
    : clock.elapsedNanos() >= since.elapsedNanos + delay.nanos;
}

/** Runs `run` once a delay that began at a moment is over; never before this returned. */
export function afterDelay(delay: Delay, since: Mark, clock: DomainClock, run: () => void): Timer {
  if (delay.kind === 'physical') {
    const { physical } = clock;
    return physical.after(since.monotonicMs + delay.ms - physical.monotonicMs(), run);
  }
  const deadline = clock.deadlineIn(delay.nanos, since.elapsedNanos);
  return clock.wait(deadline, (outcome) => {
    if (outcome.kind === 'due') run();
  });
}
