import type { ExecutionPlan } from '@nervix/model';
import { byName } from './plan-index.js';
import { PlanTopology, type RelayUse } from './plan-topology.js';

/** What is held while some nodes of a running graph are replaced. */
export interface HoldScope {
  /** The replaced nodes and all that lies downstream of them, as `KIND name`. */
  readonly entities: ReadonlySet<string>;
  /** Replaced ingestors, by name: they are held directly. */
  readonly ingestors: ReadonlySet<string>;
  /** Relays that are closed for publishers beyond the entities. */
  readonly gates: ReadonlySet<string>;
}

const INGESTOR = 'INGESTOR ';

/** Whether all that is held for one change is held for another one too. */
export function coversScope(own: HoldScope, { entities, ingestors, gates }: HoldScope): boolean {
  return (
    isPart(entities, own.entities) && isPart(ingestors, own.ingestors) && isPart(gates, own.gates)
  );
}

function isPart(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name));
}

/**
 * Follows the replaced nodes downstream in the plan that runs and in the next one, which has the same
 * nodes.
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
  const running = byName(before.relays);
  const gates = new Set(admitted.filter((relay) => running.has(relay)));
  const former = PlanTopology.of(before);
  const latter = PlanTopology.of(after, before);
  for (const topology of new Set([former, latter])) {
    const affected = downstreamOf(topology, swapped);
    for (const key of affected) {
      entities.add(key);
      for (const relay of topology.readBy(key)) {
        if (!isInner(topology.useOf(relay), affected)) gates.add(relay);
      }
    }
  }
  const ingestors = [...swapped].flatMap((key) =>
    key.startsWith(INGESTOR) && latter.has(key) ? [key.slice(INGESTOR.length)] : [],
  );
  return { entities, ingestors: new Set(ingestors), gates };
}

function downstreamOf(topology: PlanTopology, swapped: ReadonlySet<string>): ReadonlySet<string> {
  const affected = new Set<string>();
  const pending = [...swapped].filter((key) => topology.has(key));
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (affected.has(key)) continue;
    affected.add(key);
    for (const relay of topology.writtenBy(key)) {
      for (const reader of topology.useOf(relay).readers) {
        if (!affected.has(reader)) pending.push(reader);
      }
    }
  }
  return affected;
}

/** Whether all who publish into a relay are affected themselves, so that it empties with them. */
function isInner({ writers }: RelayUse, affected: ReadonlySet<string>): boolean {
  return writers.size > 0 && [...writers].every((key) => affected.has(key));
}
