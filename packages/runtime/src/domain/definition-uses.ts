import type { ExecutionPlan } from '@nervix/model';
import type { NodePlan } from './node-plans.js';

/** Kinds of definitions that nodes and relays refer to by name. */
export type DefinitionKind = 'schemas' | 'codecs' | 'branches' | 'clients' | 'endpoints' | 'udfs';

type Uses = Readonly<Record<DefinitionKind, readonly (string | null)[]>>;

/** Uses by the nodes that they are of, and names by lists of nodes; neither is changed in place. */
const known = new WeakMap<NodePlan, Uses>();
const listed = new WeakMap<readonly NodePlan[], Map<DefinitionKind, ReadonlySet<string | null>>>();

/**
 * Names of the definitions of a kind that the nodes and relays of a plan refer to. Those that nothing
 * runs are not among them.
 */
export function usedNames(plan: ExecutionPlan, kind: DefinitionKind): ReadonlySet<string> {
  const names = new Set<string | null>();
  for (const nodes of [plan.ingestors, plan.processors, plan.emitters]) {
    for (const name of namesIn(nodes, kind)) names.add(name);
  }
  if (kind === 'branches') for (const { branch } of plan.relays) names.add(branch);
  if (kind === 'schemas') {
    for (const { schema } of plan.relays) names.add(schema);
    const branches = usedNames(plan, 'branches');
    for (const { name, schema } of plan.branches) if (branches.has(name)) names.add(schema);
  }
  names.delete(null);
  return names as ReadonlySet<string>;
}

function namesIn(nodes: readonly NodePlan[], kind: DefinitionKind): ReadonlySet<string | null> {
  const byKind = listed.get(nodes) ?? new Map<DefinitionKind, ReadonlySet<string | null>>();
  listed.set(nodes, byKind);
  const names = byKind.get(kind) ?? new Set(nodes.flatMap((node) => usesOf(node)[kind]));
  byKind.set(kind, names);
  return names;
}

function usesOf(node: NodePlan): Uses {
  const found = known.get(node);
  if (found !== undefined) return found;
  const uses = { ...definitionsOf(node), branches: [], udfs: [...calledBy(node)] };
  known.set(node, uses);
  return uses;
}

/** Branches are those of the relays that nodes read and write. */
function definitionsOf(node: NodePlan): Omit<Uses, 'branches' | 'udfs'> {
  switch (node.kind) {
    case 'ingestor':
      return {
        ...{ schemas: [node.schema], codecs: [node.codec] },
        ...{ clients: [], endpoints: [node.endpoint] },
      };
    case 'emitter': {
      const { inputSchema, outputSchema, sink } = node;
      return {
        ...{ schemas: [inputSchema, outputSchema], codecs: [sink.codec] },
        ...{ clients: [sink.client], endpoints: [] },
      };
    }
    default:
      return { schemas: [node.inputSchema], codecs: [], clients: [], endpoints: [] };
  }
}

/** Names of the UDFs that the expressions of a node call. */
function calledBy(node: NodePlan): ReadonlySet<string> {
  const called = new Set<string>();
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object') continue;
    if ('kind' in value && value.kind === 'udf_call' && 'name' in value) {
      called.add(String(value.name));
    }
    pending.push(...Object.values(value));
  }
  return called;
}
