import {
  assert,
  type ExecutionPlan,
  type TypedAggregate,
  type WindowRoutePlan,
} from '@nervix/model';
import { withoutSpans } from './used-definitions.js';

/**
 * A plan whose window routes list each aggregate once and in one order, whatever order the
 * assignments have that read them. What windows retain then means the same as long as the same
 * aggregates are read.
 */
export function canonicalPlan(plan: ExecutionPlan): ExecutionPlan {
  const processors = plan.processors.map((processor) =>
    processor.kind === 'window_processor'
      ? { ...processor, routes: processor.routes.map(canonicalRoute) }
      : processor,
  );
  return { ...plan, processors };
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
