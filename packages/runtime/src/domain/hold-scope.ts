import type { ExecutionPlan, MessageErrorPlan } from '@nervix/model';
import { type NodePlan, nodeKey, nodePlans } from './execution-delta.js';

/** What is held while some nodes of a running graph are replaced. */
export interface HoldScope {
  /** The replaced nodes and all that lies downstream of them, as `KIND name`. */
  readonly entities: ReadonlySet<string>;
  /** Replaced ingestors, by name: they are held directly. */
  readonly ingestors: ReadonlySet<string>;
  /** Relays that are closed for publishers beyond the entities. */
  readonly gates: ReadonlySet<string>;
}

/**
 * Follows the replaced nodes downstream in the plan that runs and in the next one.
 *
 * @param admitted relays that are closed besides; those that do not run are left out
 */
export function holdScope(
  before: ExecutionPlan,
  after: ExecutionPlan,
  swapped: ReadonlySet<string>,
  admitted: readonly string[] = [],
): HoldScope {
  const entities = new Set<string>();
  const running = new Set(before.relays.map(({ name }) => name));
  const gates = new Set(admitted.filter((relay) => running.has(relay)));
  for (const plan of [before, after]) {
    const nodes = nodePlans(plan);
    const uses = relayUses(nodes);
    const affected = downstreamOf(nodes, uses, swapped);
    for (const key of affected) entities.add(key);
    for (const [relay, use] of uses) {
      const isRead = use.readers.some((node) => affected.has(nodeKey(node)));
      if (isRead && !isInner(use, affected)) gates.add(relay);
    }
  }
  const ingestors = nodePlans(after).flatMap((node) =>
    node.kind === 'ingestor' && swapped.has(nodeKey(node)) ? [node.name] : [],
  );
  return { entities, ingestors: new Set(ingestors), gates };
}

/** Nodes around a relay. */
interface RelayUse {
  readonly readers: NodePlan[];
  readonly writers: NodePlan[];
}

/** Who reads and who writes each relay, by its name. */
function relayUses(nodes: readonly NodePlan[]): ReadonlyMap<string, RelayUse> {
  const uses = new Map<string, RelayUse>();
  const useOf = (relay: string): RelayUse => {
    const use = uses.get(relay) ?? { readers: [], writers: [] };
    uses.set(relay, use);
    return use;
  };
  for (const node of nodes) {
    for (const relay of readRelays(node)) useOf(relay).readers.push(node);
    for (const relay of writtenRelays(node)) useOf(relay).writers.push(node);
  }
  return uses;
}

function downstreamOf(
  nodes: readonly NodePlan[],
  uses: ReadonlyMap<string, RelayUse>,
  swapped: ReadonlySet<string>,
): ReadonlySet<string> {
  const affected = new Set<string>();
  const pending = nodes.filter((node) => swapped.has(nodeKey(node)));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const key = nodeKey(node);
    if (affected.has(key)) continue;
    affected.add(key);
    for (const relay of writtenRelays(node)) {
      for (const reader of uses.get(relay)?.readers ?? []) {
        if (!affected.has(nodeKey(reader))) pending.push(reader);
      }
    }
  }
  return affected;
}

/** Whether all who publish into a relay are affected themselves, so that it empties with them. */
function isInner({ writers }: RelayUse, affected: ReadonlySet<string>): boolean {
  return writers.length > 0 && writers.every((node) => affected.has(nodeKey(node)));
}

function readRelays(node: NodePlan): readonly string[] {
  return node.kind === 'ingestor' ? [] : node.inputs.map(({ relay }) => relay);
}

function writtenRelays(node: NodePlan): ReadonlySet<string> {
  const written = new Set<string>();
  const addErrors = (policy: MessageErrorPlan): void => {
    if (policy.kind === 'send_to') written.add(policy.relay);
  };
  if (node.kind === 'emitter') {
    addErrors(node.messageError);
    return written;
  }
  for (const { relay, messageError } of node.routes) {
    written.add(relay);
    addErrors(messageError);
  }
  if (node.kind === 'ingestor' && node.decodeError?.kind === 'send_to') {
    written.add(node.decodeError.relay);
  }
  return written;
}
