import type { PlanWarning } from '../errors.js';
import type { ImpactGraph } from './impact/impact-graph.js';
import type { JudgedRun } from './model-step.js';

/** Relays that a run makes and feeds, and that nothing reads afterwards. */
export function unreadRelays(graph: ImpactGraph, { changed }: JudgedRun): readonly PlanWarning[] {
  if (changed.length === 0) return [];
  const written = new Set<string>();
  for (const { key } of changed) {
    if (key.startsWith('relay/')) written.add(key);
    for (const { target } of graph.outgoing(key)) {
      if (target.model.kind === 'relay') written.add(target.key);
    }
  }
  return [...written].sort().flatMap((key) => {
    const relay = graph.node(key);
    const isRead = graph.outgoing(key).length > 0;
    const isWritten = graph.incoming(key).some(({ kind }) => kind === 'DATAFLOW');
    if (relay === undefined || isRead || !isWritten) return [];
    const { name } = relay.model;
    const message = `relay '${name}' is produced and never consumed`;
    return [{ message, model: { kind: 'relay', name } as const }];
  });
}
