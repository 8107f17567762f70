import type { WindowBoundPlan } from './execution-plan.js';
import type { TypedAggregate } from './typed-expression.js';

/** Bytes that are kept free beside sketches. */
const BASE_BYTES = 1_024n;
/** Panes that are only begun or only left by the rows of a window, and one to join them in. */
const PARTIAL_PANES = 3n;
/** Bytes of a sketch beside its registers, means or counters. */
const HEADER_BYTES = 128;

/** Bytes that one sketch of an aggregate may take; undefined for an aggregate without a sketch. */
export function sketchBytes({
  function: name,
  constants,
}: Pick<TypedAggregate, 'function' | 'constants'>): number | undefined {
  const size = Number(constants.at(-1)?.value ?? 0);
  switch (name) {
    case 'APPROX_COUNT_DISTINCT':
      return 2 ** size + HEADER_BYTES;
    case 'APPROX_QUANTILE':
      return 32 * size + HEADER_BYTES;
    case 'APPROX_TOP_K':
      return 160 * size + HEADER_BYTES;
    default:
      return undefined;
  }
}

/** Length in nanoseconds of the panes by which sketches are kept; null without two durations. */
export function paneNanos(width: WindowBoundPlan, step: WindowBoundPlan): bigint | null {
  if (width.durationNanos === null || step.durationNanos === null) return null;
  let [larger, smaller] = [width.durationNanos, step.durationNanos];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Bytes that all sketches of a window may take together, and in how many panes. */
export interface SketchBudget {
  readonly bytes: bigint;
  readonly panes: bigint;
}

/** The budget of sketches of so many bytes in panes of a length in nanoseconds. */
export function sketchBudget(
  sketches: readonly number[],
  widthNanos: bigint,
  pane: bigint,
): SketchBudget {
  const panes = widthNanos / pane + PARTIAL_PANES;
  const each = sketches.reduce((sum, bytes) => sum + BigInt(bytes), 0n);
  return { bytes: BASE_BYTES + each * panes, panes };
}
