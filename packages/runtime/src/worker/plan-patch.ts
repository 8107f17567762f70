import type { ExecutionPlan } from '@nervix/model';

/** The lists of a plan, by name. */
type PlanLists = Omit<ExecutionPlan, 'domain' | 'programVersion' | 'revision' | 'generation'>;
type PlanList = keyof PlanLists;

/** A stretch of a list: parts of the base, which keep their identity, or parts that are new. */
type Stretch =
  | { readonly kind: 'kept'; readonly from: number; readonly count: number }
  | { readonly kind: 'new'; readonly parts: readonly unknown[] };

/**
 * How a plan follows from one that the receiver has: what is the same object in both is named by its
 * place. Plain data that survives structured clone.
 */
export interface PlanPatch
  extends Pick<ExecutionPlan, 'domain' | 'programVersion' | 'revision' | 'generation'> {
  /** Lists that are not the same, stretch by stretch. */
  readonly lists: Partial<Readonly<Record<PlanList, readonly Stretch[]>>>;
}

const NO_PARTS: PlanLists = {
  schemas: [],
  codecs: [],
  branches: [],
  udfs: [],
  relays: [],
  endpoints: [],
  clients: [],
  ingestors: [],
  processors: [],
  emitters: [],
};
const PLAN_LISTS = Object.keys(NO_PARTS) as readonly PlanList[];

/** @param base the plan that the receiver has; everything is sent where it has none */
export function planPatch(base: ExecutionPlan | undefined, plan: ExecutionPlan): PlanPatch {
  const { domain, programVersion, revision, generation } = plan;
  const lists: Partial<Record<PlanList, readonly Stretch[]>> = {};
  for (const list of PLAN_LISTS) {
    const [before, after] = [(base ?? NO_PARTS)[list], plan[list]];
    if (before !== after) lists[list] = stretches(before, after);
  }
  return { domain, programVersion, revision, generation, lists };
}

/** The plan that a patch was made for. @param base the plan that it was made from */
export function patchedPlan(base: ExecutionPlan | undefined, patch: PlanPatch): ExecutionPlan {
  const { lists: changes, ...rest } = patch;
  const lists: Record<string, readonly unknown[]> = { ...NO_PARTS };
  for (const list of PLAN_LISTS) {
    const before: readonly unknown[] = (base ?? NO_PARTS)[list];
    const change = changes[list];
    lists[list] = change === undefined ? before : patchedList(before, change);
  }
  return { ...rest, ...(lists as unknown as PlanLists) };
}

function stretches(before: readonly unknown[], after: readonly unknown[]): readonly Stretch[] {
  const places = placesBetween(before, after);
  const placeOf = (at: number): number | undefined =>
    before[at] === after[at] ? at : places.get(after[at]);
  const found: Stretch[] = [];
  let end = 0;
  while (end < after.length) {
    const start = end;
    const from = placeOf(start);
    end += 1;
    if (from === undefined) {
      while (end < after.length && placeOf(end) === undefined) end += 1;
      found.push({ kind: 'new', parts: after.slice(start, end) });
    } else {
      while (end < after.length && placeOf(end) === from + end - start) end += 1;
      found.push({ kind: 'kept', from, count: end - start });
    }
  }
  return found;
}

/** Places of the parts of a list that another one does not have at the same place. */
function placesBetween(
  before: readonly unknown[],
  after: readonly unknown[],
): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [place, part] of before.entries()) if (after[place] !== part) places.set(part, place);
  return places;
}

function patchedList(before: readonly unknown[], change: readonly Stretch[]): readonly unknown[] {
  return change.flatMap((stretch) =>
    stretch.kind === 'new'
      ? stretch.parts
      : before.slice(stretch.from, stretch.from + stretch.count),
  );
}
