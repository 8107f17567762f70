import type { ScoreComponent } from '../score-component.js';

/**
 * Fewer graph nodes of the unit's spread sets in the failure domain: 100 for none, 50 for one, 33
 * for two. A unit without a set is at ease everywhere.
 */
export const domainSpread: ScoreComponent = {
  name: 'spread',
  score: ({ cluster, traits, table, primary, sets }, unit, scores) => {
    const domainOf = (node: number) => cluster.nodes[node]?.facts?.failureDomain?.value;
    const names = new Set(
      unit.members.flatMap((id) => traits[id]?.requirements?.spread?.set ?? []),
    );
    const present = new Map<string, number>();
    for (const id of [...names].flatMap((name) => sets.spread.get(name) ?? [])) {
      const domain = domainOf(primary[id] ?? -1);
      if (domain === undefined || table.unitOf[id] === unit.index) continue;
      present.set(domain, (present.get(domain) ?? 0) + 1);
    }
    for (const node of cluster.candidates) {
      scores[node] = Math.floor(100 / (1 + (present.get(domainOf(node) ?? '') ?? 0)));
    }
  },
};
