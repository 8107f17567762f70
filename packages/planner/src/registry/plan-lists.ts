import { assert, type ExecutionPlan, equalData, type ModelKind } from '@nervix/model';
import { emptyParts, type PlanParts } from '../checks/judge-model.js';
import { compareModels, compareNames } from '../domain-models.js';
import { orderedList } from './ordered-list.js';

type PlanList = keyof PlanParts;
type Part = ExecutionPlan[PlanList][number];

/** What a model runs as. */
interface Placed {
  readonly list: PlanList;
  readonly part: Part;
}

/** What changes of a list. */
interface ListChange {
  readonly gone: Set<Part>;
  readonly come: Part[];
}

/** The lists of a plan, which are replaced and never changed where models run as something else. */
export class PlanLists {
  readonly #placed = new Map<string, Placed>();
  #lists: Pick<ExecutionPlan, PlanList> = emptyParts();

  get lists(): Pick<ExecutionPlan, PlanList> {
    return this.#lists;
  }

  /**
   * Takes what models run as from now on, by model key; a model with empty lists runs as nothing. A
   * part that equals the one before it is not taken.
   */
  change(models: ReadonlyMap<string, PlanParts>): void {
    const changes = new Map<PlanList, ListChange>();
    const changeOf = (list: PlanList): ListChange => {
      const change = changes.get(list) ?? { gone: new Set(), come: [] };
      changes.set(list, change);
      return change;
    };
    for (const [key, parts] of models) {
      const [before, after] = [this.#placed.get(key), placedIn(parts)];
      if (equalData(before, after)) continue;
      if (before !== undefined) changeOf(before.list).gone.add(before.part);
      if (after !== undefined) changeOf(after.list).come.push(after.part);
      if (after === undefined) this.#placed.delete(key);
      else this.#placed.set(key, after);
    }
    const next: Partial<Record<PlanList, readonly Part[]>> = { ...this.#lists };
    for (const [list, { gone, come }] of changes) {
      next[list] = orderedList<Part>(this.#lists[list], gone, come, compareParts);
    }
    this.#lists = next as Pick<ExecutionPlan, PlanList>;
  }
}

function placedIn(parts: PlanParts): Placed | undefined {
  const lists = Object.keys(parts) as readonly PlanList[];
  const [list, ...others] = lists.filter((each) => parts[each].length > 0);
  if (list === undefined) return undefined;
  const [part, ...rest] = parts[list];
  assert(part !== undefined && others.length + rest.length === 0, 'a model runs as one part');
  return { list, part };
}

/** Dependency order of kinds, then names; a list of parts without a kind is of one kind. */
function compareParts(left: Part, right: Part): number {
  return 'kind' in left && 'kind' in right
    ? compareModels(
        left as { kind: ModelKind; name: string },
        right as typeof left & { kind: ModelKind },
      )
    : compareNames(left.name, right.name);
}
