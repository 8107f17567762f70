import {
  assert,
  type ExecutionPlan,
  type TypedAggregate,
  type WindowPlan,
  type WindowRoutePlan,
} from '@nervix/model';
import { withoutSpans } from './without-spans.js';

type Processors = ExecutionPlan['processors'];

/** Canonical lists by the given ones, and canonical windows: plans share what they have in common. */
const lists = new WeakMap<Processors, Processors>();
const windows = new WeakMap<WindowPlan, WindowPlan>();

/**
 * A plan whose window routes list each aggregate once and in one order, whatever order the
 * assignments have that read them. What windows retain then means the same as long as the same
 * aggregates are read.
 */
export function canonicalPlan(plan: ExecutionPlan): ExecutionPlan {
  const processors = canonicalList(plan.processors);
  return processors === plan.processors ? plan : { ...plan, processors };
}

function canonicalList(given: Processors): Processors {
  const known = lists.get(given);
  if (known !== undefined) return known;
  const canonical = given.map((each) =>
    each.kind === 'window_processor' ? canonicalWindow(each) : each,
  );
  const list = canonical.every((each, place) => each === given[place]) ? given : canonical;
  lists.set(given, list);
  return list;
}

function canonicalWindow(given: WindowPlan): WindowPlan {
  const known = windows.get(given);
  if (known !== undefined) return known;
  const routes = given.routes.map(canonicalRoute);
  const isCanonical = routes.every((route, place) => route === given.routes[place]);
  const window = isCanonical ? given : { ...given, routes };
  windows.set(given, window);
  return window;
}

function canonicalRoute(route: WindowRoutePlan): WindowRoutePlan {
  const identities = route.aggregates.map(identityOf);
  const sorted = [...new Set(identities)].sort();
  const isCanonical =
    sorted.length === identities.length && sorted.every((each, at) => each === identities[at]);
  if (isCanonical) return route;
  const places = identities.map((identity) => sorted.indexOf(identity));
  const aggregates = sorted.map((identity) => {
    const aggregate = route.aggregates[identities.indexOf(identity)];
    assert(aggregate !== undefined, 'an identity is that of an aggregate');
    return aggregate;
  });
  return { ...route, aggregates, construction: replaced(route.construction, places) };
}

function identityOf(aggregate: TypedAggregate): string {
  return JSON.stringify(withoutSpans(aggregate), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** The same data with every reference to an aggregate by its new place. */
function replaced<T>(value: T, places: readonly number[]): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((part) => replaced(part, places)) as T;
  const entries = Object.entries(value).map(([name, part]) => [name, replaced(part, places)]);
  const copy = Object.fromEntries(entries) as T & { readonly kind?: unknown; index?: unknown };
  if (copy.kind === 'aggregate' && typeof copy.index === 'number') copy.index = places[copy.index];
  return copy;
}
