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
  /** Calls back after everything else that waits had its turn, as `setImmediate` does. */
  readonly defer: (resume: () => void) => void;
  /** Milliseconds after which a slice ends with its current step; absent means 10. */
  readonly sliceMs?: number;
}

/** How time-sliced work ends. */
export type SliceEnd<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Runs work to its end in slices, so that an event loop with other duties keeps turning. The first
 * slice runs at once; the result is that of {@link finish}. What the work reads must not change
 * under way.
 *
 * @param onEnd called once, with what the work returned or threw
 */
export function runSliced<Result>(
  steps: Steps<Result>,
  { now, defer, sliceMs = 10 }: SliceHost,
  onEnd: (end: SliceEnd<Result>) => void,
): void {
  const slice = () => {
    const end = sliceOf(steps, now, sliceMs);
    if (end === undefined) defer(slice);
    else onEnd(end);
  };
  slice();
}

/** Runs one slice; undefined when the work is not at its end. */
function sliceOf<Result>(
  steps: Steps<Result>,
  now: SliceHost['now'],
  sliceMs: number,
): SliceEnd<Result> | undefined {
  const until = now() + sliceMs;
  try {
    do {
      const { done, value } = steps.next();
      if (done === true) return { kind: 'done', result: value };
    } while (now() < until);
    return undefined;
  } catch (error) {
    return { kind: 'failed', error };
  }
}
