import type { ExecutionPlan } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';

/** What a node runs of a graph. */
export type OwnPart =
  /** Nothing of it is the node's. */
  | { readonly kind: 'none' }
  | { readonly kind: 'part'; readonly plan: ExecutionPlan }
  /** The node's part needs a relay of another node, which nothing leads to yet. */
  | { readonly kind: 'severed'; readonly relay: string };

type Parts = Pick<ExecutionPlan, 'relays' | 'ingestors' | 'processors' | 'emitters'>;

/**
 * Takes out of a graph what a node owns by its schedule. Ingestors that listen run on every node
 * that is listed, everything else on the first.
 */
export function ownPart(
  plan: ExecutionPlan,
  schedule: readonly ScheduleEntry[],
  node: string,
): OwnPart {
  const { relays, ingestors, processors, emitters } = ownershipOf(schedule, node);
  const parts: Parts = {
    relays: relays.among(plan.relays),
    ingestors: ingestors.among(plan.ingestors),
    processors: processors.among(plan.processors),
    emitters: emitters.among(plan.emitters),
  };
  const size = sizeOf(parts);
  if (size === sizeOf(plan)) return { kind: 'part', plan };
  if (size === 0) return { kind: 'none' };
  const held = new Set(parts.relays.map(({ name }) => name));
  const relay = [...parts.ingestors, ...parts.processors, ...parts.emitters]
    .flatMap(relaysNamedIn)
    .find((name) => !held.has(name));
  return relay === undefined
    ? { kind: 'part', plan: { ...plan, ...parts } }
    : { kind: 'severed', relay };
}

function sizeOf({ relays, ingestors, processors, emitters }: Parts): number {
  return relays.length + ingestors.length + processors.length + emitters.length;
}

/** What of one list of graphs a node owns. Graphs that follow each other mostly have the same parts. */
class OwnedParts<Part extends object> {
  readonly #isOwn: (part: Part) => boolean;
  #given: readonly Part[] = [];
  #own: readonly Part[] = this.#given;

  constructor(isOwn: (part: Part) => boolean) {
    this.#isOwn = isOwn;
  }

  /** Those of a list that are the node's; the list itself where all are. */
  among(list: readonly Part[]): readonly Part[] {
    if (list === this.#given) return this.#own;
    const former = this.#own === this.#given ? this.#given : [];
    const areOwn = list.every((part, place) => part === former[place] || this.#isOwn(part));
    this.#given = list;
    this.#own = areOwn ? list : list.filter(this.#isOwn);
    return this.#own;
  }
}

type Ownership = { readonly [List in keyof Parts]: OwnedParts<Parts[List][number]> };

/** What nodes own, by the schedules that say so, which are never changed in place. */
const ownerships = new WeakMap<readonly ScheduleEntry[], Map<string, Ownership>>();

function ownershipOf(schedule: readonly ScheduleEntry[], node: string): Ownership {
  const known = ownerships.get(schedule) ?? new Map<string, Ownership>();
  ownerships.set(schedule, known);
  const found = known.get(node);
  if (found !== undefined) return found;
  const names = ownedNames(schedule, node);
  const isOwn = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
    names.get(kind)?.has(name) === true;
  const ownership: Ownership = {
    relays: new OwnedParts(({ name }) => isOwn({ kind: 'relay', name })),
    ingestors: new OwnedParts<Parts['ingestors'][number]>(isOwn),
    processors: new OwnedParts<Parts['processors'][number]>(isOwn),
    emitters: new OwnedParts<Parts['emitters'][number]>(isOwn),
  };
  known.set(node, ownership);
  return ownership;
}

/** Names of the graph nodes that a node owns, by kind. */
function ownedNames(
  schedule: readonly ScheduleEntry[],
  node: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { kind, name, nodes } of schedule) {
    // Every ingestor of a graph listens.
    const isOwn = kind === 'ingestor' ? nodes.includes(node) : nodes[0] === node;
    if (isOwn) names.set(kind, (names.get(kind) ?? new Set()).add(name));
  }
  return names;
}

/** Relays by the nodes that name them, which are never changed in place. */
const relaysNamed = new WeakMap<object, readonly string[]>();

/** Names of the relays that a node reads or writes, errors included. */
function relaysNamedIn(node: object): readonly string[] {
  const known = relaysNamed.get(node);
  if (known !== undefined) return known;
  const named = new Set<string>();
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object') continue;
    if ('relay' in value && typeof value.relay === 'string') named.add(value.relay);
    pending.push(...Object.values(value));
  }
  const names = [...named];
  relaysNamed.set(node, names);
  return names;
}
