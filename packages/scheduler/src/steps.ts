/** Work that can be put down between any two steps, each of a few milliseconds at most. */
export type Steps<Result> = Generator<void, Result>;

/** Runs work to its end at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** What time-sliced work has to be given. */
export interface SliceHost {
  /** Milliseconds of a clock that never goes back, such as `performance.now()`. */
  readonly now: () => number;
  /** Lets everything else run that waits, as a macrotask does. */
  readonly pause: () => Promise<void>;
  /** Milliseconds after which a slice ends with its current step; absent means 10. */
  readonly sliceMs?: number;
}

/**
 * Runs work to its end in slices and pauses between them, so that an event loop with other duties
 * keeps turning. The result is that of {@link finish}; the work must not change under way.
 */
export async function runSliced<Result>(
  steps: Steps<Result>,
  { now, pause, sliceMs = 10 }: SliceHost,
): Promise<Result> {
  let end = now() + sliceMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (now() < end) continue;
    await pause();
    end = now() + sliceMs;
  }
}
