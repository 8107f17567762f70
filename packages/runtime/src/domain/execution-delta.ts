import {
  type EmitterPlan,
  type ExecutionPlan,
  equalData,
  type IngestorPlan,
  type MessageErrorPlan,
} from '@nervix/model';
import { canonicalPlan } from './canonical-plan.js';
import { usedDefinitions, withoutSpans } from './used-definitions.js';

/** What a change holds while it is made, from nothing to the whole domain. */
export type PauseLevel = 'DYNAMIC' | 'ENTITY_PAUSE' | 'DOMAIN_PAUSE';

/** How a running graph becomes that of another plan. Nodes are named `KIND name`. */
export type ExecutionDelta =
  /** Parts that may change while everything runs, and nothing of a node where none is revised. */
  | { readonly kind: 'dynamic'; readonly revised: ReadonlySet<string> }
  /** Some nodes are replaced, others revised; relays and all other nodes stay. */
  | {
      readonly kind: 'swap';
      readonly swapped: ReadonlySet<string>;
      readonly revised: ReadonlySet<string>;
    }
  /** Everything is built anew. */
  | { readonly kind: 'rebuild' };

/** Any plan of a node. */
export type NodePlan = IngestorPlan | ExecutionPlan['processors'][number] | EmitterPlan;

const LEVELS: Readonly<Record<ExecutionDelta['kind'], PauseLevel>> = {
  dynamic: 'DYNAMIC',
  swap: 'ENTITY_PAUSE',
  rebuild: 'DOMAIN_PAUSE',
};

/** What a plan holds of the one that runs while it takes its place. */
export function executionPause(running: ExecutionPlan, next: ExecutionPlan): PauseLevel {
  return pauseOf(executionDelta(canonicalPlan(running), canonicalPlan(next)));
}

/** What has to be held while a delta is made. */
export function pauseOf({ kind }: ExecutionDelta): PauseLevel {
  return LEVELS[kind];
}

/** The node of a plan, as gates, reports and deltas name it. */
export function nodeKey({ kind, name }: NodePlan): string {
  return `${kind.toUpperCase()} ${name}`;
}

/** Every node of a plan, sources first. */
export function nodePlans(plan: ExecutionPlan): readonly NodePlan[] {
  return [...plan.ingestors, ...plan.processors, ...plan.emitters];
}

/** Judges a plan against the one that runs, both of them canonical. */
export function executionDelta(before: ExecutionPlan, after: ExecutionPlan): ExecutionDelta {
  const isOther =
    before.generation !== after.generation ||
    !equalData(before.endpoints, after.endpoints) ||
    !equalData(relayFrames(before), relayFrames(after)) ||
    hasOtherDefinitions(before, after);
  if (isOther) return { kind: 'rebuild' };
  const nodes = nodePlans(after);
  const former = nodePlans(before);
  if (!equalData(former.map(nodeKey), nodes.map(nodeKey))) return { kind: 'rebuild' };
  const swapped = new Set<string>();
  const revised = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const change = nodeChange(former[index] as NodePlan, node);
    if (change === 'shape') return { kind: 'rebuild' };
    if (change === 'structure') swapped.add(nodeKey(node));
    if (change === 'program') revised.add(nodeKey(node));
  }
  return swapped.size > 0 ? { kind: 'swap', swapped, revised } : { kind: 'dynamic', revised };
}

/** Relays without what may change at any time. */
function relayFrames({ relays }: ExecutionPlan): unknown {
  return relays.map(({ name, schema, branch }) => ({ name, schema, branch }));
}

/** Whether something that both plans refer to under one name is not the same in both. */
function hasOtherDefinitions(before: ExecutionPlan, after: ExecutionPlan): boolean {
  const former = usedDefinitions(before);
  for (const [name, definition] of usedDefinitions(after)) {
    const old = former.get(name);
    if (old !== undefined && !equalData(old, definition)) return true;
  }
  return false;
}

type NodeChange = 'none' | 'program' | 'structure' | 'shape';

function nodeChange(before: NodePlan, after: NodePlan): NodeChange {
  // Most nodes of a change are as they were, and need no copies to tell that.
  if (equalData(before, after)) return 'none';
  const [old, latter] = [withoutSpans(before), withoutSpans(after)] as [NodePlan, NodePlan];
  if (equalData(old, latter)) return 'none';
  if (!equalData(shapeOf(old), shapeOf(latter))) return 'shape';
  return equalData(structureOf(old), structureOf(latter)) ? 'program' : 'structure';
}

/** What the graph around a node is built on. */
function shapeOf(plan: NodePlan): unknown {
  switch (plan.kind) {
    case 'ingestor':
      return null;
    case 'emitter':
      return plan.inputs.map(({ relay }) => relay).sort();
    default:
      return [plan.inputSchema, plan.branch];
  }
}

/** Everything of a node that cannot change while it runs. */
function structureOf(plan: NodePlan): unknown {
  switch (plan.kind) {
    case 'ingestor':
      return plan;
    case 'emitter':
      return { ...plan, flush: null };
    case 'junction':
      return { ...inputStructure(plan), ...routeStructure(plan.routes) };
    case 'deduplicator':
      return { ...inputStructure(plan), ...routeStructure(plan.routes), maxTimeNanos: null };
    case 'window_processor': {
      const aggregates = plan.routes.map((route) => route.aggregates);
      return { ...inputStructure(plan), ...routeStructure(plan.routes), aggregates };
    }
  }
}

function inputStructure<P extends ExecutionPlan['processors'][number]>(plan: P): object {
  const inputs = plan.inputs.map(({ relay }) => relay);
  return { ...plan, inputs, collect: null, filter: null };
}

/** Routes by their relays, and the relays of their errors as one set. */
function routeStructure(
  routes: readonly { readonly relay: string; readonly messageError: MessageErrorPlan }[],
): object {
  const errorRelays = routes.flatMap(({ messageError }) =>
    messageError.kind === 'send_to' ? [messageError.relay] : [],
  );
  return {
    routes: routes.map(({ relay }) => relay),
    errorRelays: [...new Set(errorRelays)].sort(),
  };
}
