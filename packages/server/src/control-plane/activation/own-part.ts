import type { ExecutionPlan } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';

/** What a node runs of a graph. */
export type OwnPart =
  /** Nothing of it is the node's. */
  | { readonly kind: 'none' }
  | { readonly kind: 'part'; readonly plan: ExecutionPlan }
  /** The node's part needs a relay of another node, which nothing leads to yet. */
  | { readonly kind: 'severed'; readonly relay: string };

/**
 * Takes out of a graph what a node owns by its schedule. Ingestors that listen run on every node
 * that is listed, everything else on the first.
 */
export function ownPart(
  plan: ExecutionPlan,
  schedule: readonly ScheduleEntry[],
  node: string,
): OwnPart {
  const owned = new Set(
    schedule
      // Every ingestor of a graph listens.
      .filter(({ kind, nodes }) => (kind === 'ingestor' ? nodes.includes(node) : nodes[0] === node))
      .map(({ kind, name }) => `${kind}/${name}`),
  );
  const isOwned = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
    owned.has(`${kind}/${name}`);
  const parts = {
    relays: plan.relays.filter(({ name }) => owned.has(`relay/${name}`)),
    ingestors: plan.ingestors.filter(isOwned),
    processors: plan.processors.filter(isOwned),
    emitters: plan.emitters.filter(isOwned),
  };
  const size = sizeOf(parts);
  if (size === sizeOf(plan)) return { kind: 'part', plan };
  if (size === 0) return { kind: 'none' };
  const held = new Set(parts.relays.map(({ name }) => name));
  const { relays: _, ...nodes } = parts;
  const relay = [...relaysNamedIn(nodes)].find((name) => !held.has(name));
  return relay === undefined
    ? { kind: 'part', plan: { ...plan, ...parts } }
    : { kind: 'severed', relay };
}

type Parts = Pick<ExecutionPlan, 'relays' | 'ingestors' | 'processors' | 'emitters'>;

function sizeOf({ relays, ingestors, processors, emitters }: Parts): number {
  return relays.length + ingestors.length + processors.length + emitters.length;
}

/** Names of the relays that nodes read or write, errors included. */
function relaysNamedIn(nodes: unknown): ReadonlySet<string> {
  const named = new Set<string>();
  const pending: unknown[] = [nodes];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object') continue;
    if ('relay' in value && typeof value.relay === 'string') named.add(value.relay);
    pending.push(...Object.values(value));
  }
  return named;
}
