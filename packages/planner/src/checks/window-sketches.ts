import {
  paneNanos,
  sketchBudget,
  sketchBytes,
  type TypedAggregate,
  type WindowPlan,
} from '@nervix/model';

/** Largest number of bytes that a plan can name. */
const BYTES_MAX = 2n ** 64n - 1n;

/** What of a window processor decides whether sketches fit into it. */
export interface SketchSurroundings {
  readonly window: Pick<WindowPlan, 'width' | 'step' | 'maxStateBytes'>;
  /** Whether the number of windows is bounded: there is one, or its branch evicts. */
  readonly isBounded: boolean;
}

/**
 * Why the sketches of a window route cannot be kept within bounds, or undefined. A sketch that several
 * aggregates read counts once.
 */
export function sketchDefect(
  aggregates: readonly TypedAggregate[],
  { window, isBounded }: SketchSurroundings,
): string | undefined {
  const sketches = new Map<string, number>();
  for (const aggregate of aggregates) {
    const bytes = sketchBytes(aggregate);
    if (bytes !== undefined) sketches.set(identityOf(aggregate), bytes);
  }
  if (sketches.size === 0) return undefined;
  const { width, step, maxStateBytes } = window;
  if (maxStateBytes === null) return 'uses a sketch and requires MAX STATE SIZE';
  const pane = paneNanos(width, step);
  if (pane === null || width.durationNanos === null) {
    return 'uses a sketch and requires duration WIDTH and STEP';
  }
  if (!isBounded) return 'uses a sketch and requires its branch to declare MAX INSTANCES';
  const { bytes, panes } = sketchBudget([...sketches.values()], width.durationNanos, pane);
  if (bytes > BYTES_MAX) return 'has a sketch pane budget that cannot be represented';
  if (bytes <= maxStateBytes) return undefined;
  return `requires ${bytes} bytes for ${panes} sketch panes, above MAX STATE SIZE ${maxStateBytes} bytes`;
}

/** Equal for aggregates that read one sketch: what is asked of it and where they stand are no part. */
function identityOf({ function: name, arguments: read, constants }: TypedAggregate): string {
  const size = constants.at(-1)?.value;
  return JSON.stringify([name, size, read], (key, value) => (key === 'span' ? undefined : value));
}
