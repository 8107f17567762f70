/** What one health probe of a member came to. */
export type ProbeOutcome = 'healthy' | 'failure' | 'capacity_exhausted';

export interface Observation {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly outcome: ProbeOutcome;
}

/**
 * Verdict on a member. `failing` is on its way to `unavailable`; `unknown` says that nothing current
 * is known, which makes nobody unavailable.
 */
export type Availability = 'available' | 'failing' | 'unavailable' | 'unknown';

/** Durations in milliseconds. */
export interface AvailabilityLimits {
  /** How long failures have to go on before the member counts as unavailable. */
  readonly unavailableAfterMs: number;
  /** Age from which the latest observation says nothing any more. */
  readonly staleAfterMs: number;
}

export const AVAILABILITY_LIMITS: AvailabilityLimits = {
  unavailableAfterMs: 10_000,
  staleAfterMs: 3_000,
};

/** What a sequence of observations leaves behind: all that its verdict depends on. */
export interface ObservedRun {
  readonly latest: Observation;
  /** When the failures that still go on began; undefined where the latest is none. */
  readonly failingSinceMs: number | undefined;
}

/**
 * The run after one more observation. One that is older than the latest is ignored: probes may end
 * in another order than they began. A gap in which nothing current was known ends a run of failures,
 * and so does a peer that had no room for the probe.
 */
export function afterObservation(
  run: ObservedRun | undefined,
  observation: Observation,
  { staleAfterMs }: AvailabilityLimits,
): ObservedRun {
  if (run !== undefined && observation.atMs < run.latest.atMs) return run;
  if (observation.outcome !== 'failure') return { latest: observation, failingSinceMs: undefined };
  const isContinuous = run !== undefined && observation.atMs - run.latest.atMs <= staleAfterMs;
  const since = isContinuous ? run.failingSinceMs : undefined;
  return { latest: observation, failingSinceMs: since ?? observation.atMs };
}

/** The verdict at a moment; pure, so that equal observations give every process the same. */
export function availabilityAt(
  run: ObservedRun | undefined,
  nowMs: number,
  { unavailableAfterMs, staleAfterMs }: AvailabilityLimits,
): Availability {
  if (run === undefined || nowMs - run.latest.atMs > staleAfterMs) return 'unknown';
  const { latest, failingSinceMs } = run;
  if (latest.outcome === 'healthy') return 'available';
  if (failingSinceMs === undefined) return 'unknown';
  return nowMs - failingSinceMs >= unavailableAfterMs ? 'unavailable' : 'failing';
}
