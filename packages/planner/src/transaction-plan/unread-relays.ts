import type { DomainModels } from '../domain-models.js';
import type { PlanWarning } from '../errors.js';
import type { JudgedRun } from './model-step.js';
import type { ImpactGraphs } from './transaction-state.js';

/** Relays that a run makes and feeds, and that nothing reads afterwards. */
export function unreadRelays(
  graphs: ImpactGraphs,
  models: DomainModels,
  { changed }: JudgedRun,
): readonly PlanWarning[] {
  if (changed.length === 0) return [];
  const graph = graphs.of(models);
  const written = new Set<string>();
  for (const { key } of changed) {
    if (key.startsWith('relay/')) written.add(key);
    for (const { target } of graph.outgoing.get(key) ?? []) {
      if (target.model.kind === 'relay') written.add(target.key);
    }
  }
  return [...written].sort().flatMap((key) => {
    const relay = graph.nodes.get(key);
    const isRead = graph.outgoing.has(key);
    const isWritten = (graph.incoming.get(key) ?? []).some(({ kind }) => kind === 'DATAFLOW');
    if (relay === undefined || isRead || !isWritten) return [];
    const { name } = relay.model;
    const message = `relay '${name}' is produced and never consumed`;
    return [{ message, model: { kind: 'relay', name } as const }];
  });
}
