/** How long a process waits for its first live observation of every voter, in milliseconds. */
export const OBSERVATION_GRACE_MS = 10_000;

/** What one process has seen since it began to reconcile; a restart forgets it. */
export interface ObservationHistory {
  /** Time since the process began to reconcile, in milliseconds. */
  readonly elapsedMs: number;
  /** Names of the current voters. */
  readonly voters: readonly string[];
  /** Voters that the process saw live at any time; a first verdict of "dead" is no such sight. */
  readonly seenLive: ReadonlySet<string>;
}

/**
 * Whether a process may schedule by itself. After a restart of the whole cluster a leader can be
 * elected before it has heard of every voter, and would take the silent ones for lost.
 */
export function maySchedule({ elapsedMs, voters, seenLive }: ObservationHistory): boolean {
  return elapsedMs >= OBSERVATION_GRACE_MS || voters.every((name) => seenLive.has(name));
}
