import {
  type ExecutionPlan,
  equalData,
  type MessageErrorPlan,
  type RelayPlan,
} from '@nervix/model';
import { canonicalPlan } from './canonical-plan.js';
import { type DefinitionKind, usedNames } from './definition-uses.js';
import { type NodePlan, nodeKey } from './node-plans.js';
import { byName } from './plan-index.js';
import { withoutSpans } from './without-spans.js';

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

/**
 * Judges a plan against the one that runs, both of them canonical. Parts that are the same object in
 * both are the same, so that plans which share most of their parts cost what differs.
 */
export function executionDelta(before: ExecutionPlan, after: ExecutionPlan): ExecutionDelta {
  const isOther =
    before.generation !== after.generation ||
    !isSameList(before.relays, after.relays, isSameFrame) ||
    hasOtherDefinitions(before, after);
  if (isOther) return { kind: 'rebuild' };
  const swapped = new Set<string>();
  const revised = new Set<string>();
  const compare = (old: NodePlan, node: NodePlan): boolean => {
    if (old.kind !== node.kind || old.name !== node.name) return false;
    const change = nodeChange({ plan: old, of: before }, { plan: node, of: after });
    if (change === 'structure') swapped.add(nodeKey(node));
    if (change === 'program') revised.add(nodeKey(node));
    return change !== 'shape';
  };
  const isSameShape =
    isSameList(before.ingestors, after.ingestors, compare) &&
    isSameList(before.processors, after.processors, compare) &&
    isSameList(before.emitters, after.emitters, compare);
  if (!isSameShape) return { kind: 'rebuild' };
  return swapped.size > 0 ? { kind: 'swap', swapped, revised } : { kind: 'dynamic', revised };
}

/** Whether two lists have the same parts in the same order. */
function isSameList<Part>(
  before: readonly Part[],
  after: readonly Part[],
  isSame: (old: Part, latter: Part) => boolean,
): boolean {
  if (before === after) return true;
  if (before.length !== after.length) return false;
  return after.every((part, place) => {
    const old = before[place] as Part;
    return old === part || isSame(old, part);
  });
}

/** Relays but for what may change at any time. */
function isSameFrame(before: RelayPlan, after: RelayPlan): boolean {
  return (
    before.name === after.name && before.schema === after.schema && before.branch === after.branch
  );
}

const DEFINITION_KINDS: readonly DefinitionKind[] = [
  'branches',
  'schemas',
  'codecs',
  'clients',
  'endpoints',
  'udfs',
];

/** Whether something that both plans refer to under one name is not the same in both. */
function hasOtherDefinitions(before: ExecutionPlan, after: ExecutionPlan): boolean {
  return DEFINITION_KINDS.some((kind) => {
    const others = otherDefinitions(before[kind], after[kind]);
    if (others.length === 0) return false;
    const [former, latter] = [usedNames(before, kind), usedNames(after, kind)];
    return others.some((name) => former.has(name) && latter.has(name));
  });
}

interface Definition {
  readonly name: string;
}

/** Names under which two lists do not define the same, or of which one defines nothing. */
function otherDefinitions(
  before: readonly Definition[],
  after: readonly Definition[],
): readonly string[] {
  if (before === after) return [];
  const former = new Map(before.map((definition) => [definition.name, definition]));
  const others: string[] = [];
  for (const definition of after) {
    const old = former.get(definition.name);
    former.delete(definition.name);
    if (old === definition) continue;
    if (!equalData(withoutSpans(old ?? null), withoutSpans(definition)))
      others.push(definition.name);
  }
  return [...others, ...former.keys()];
}

type NodeChange = 'none' | 'program' | 'structure' | 'shape';

/** A node, and the plan that it is of. */
interface NodeOfPlan {
  readonly plan: NodePlan;
  readonly of: ExecutionPlan;
}

function nodeChange(before: NodeOfPlan, after: NodeOfPlan): NodeChange {
  // Most nodes of a change are as they were, and need no copies to tell that.
  if (equalData(before.plan, after.plan)) return 'none';
  const [old, latter] = [before.plan, after.plan].map(withoutSpans) as [NodePlan, NodePlan];
  if (equalData(old, latter)) return 'none';
  if (!equalData(shapeOf(before), shapeOf(after))) return 'shape';
  return equalData(structureOf(old), structureOf(latter)) ? 'program' : 'structure';
}

/**
 * What the graph around a node is built on: of a processor its branching and the fields that arrive
 * at it, by whatever name their schema goes.
 */
function shapeOf({ plan, of }: NodeOfPlan): unknown {
  switch (plan.kind) {
    case 'ingestor':
      return null;
    case 'emitter':
      return plan.inputs.map(({ relay }) => relay).sort();
    default:
      return [byName(of.schemas).get(plan.inputSchema)?.fields, plan.branch];
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
