import type { Capacity } from '../../feasibility/node-facts.js';
import type { ScoreComponent } from '../score-component.js';

const AMOUNTS = ['cpuCores', 'memoryBytes', 'diskBytes', 'fileHandles'] as const;

/**
 * The smallest share, in percent, that stays free of any amount once the unit has what it declares.
 * A node whose capacity is unknown has 0.
 */
export const capacityHeadroom: ScoreComponent = {
  name: 'headroom',
  score: ({ cluster, traits, use }, { members }, scores) => {
    const wanted = (amount: keyof Capacity) =>
      members.reduce((sum, id) => sum + (traits[id]?.requirements?.capacity?.[amount] ?? 0), 0);
    for (const node of cluster.candidates) {
      const { total, available } = cluster.nodes[node]?.facts ?? {};
      if (total === undefined || available === undefined) continue;
      const reserved = use.reserved(node);
      const shares = AMOUNTS.filter((amount) => total.value[amount] > 0).map((amount) => {
        const free = available.value[amount] - reserved[amount] - wanted(amount);
        return Math.floor((100 * Math.max(0, free)) / total.value[amount]);
      });
      scores[node] = shares.length === 0 ? 0 : Math.min(100, ...shares);
    }
  },
};
