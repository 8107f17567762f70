import type { CallerHabit } from '../caller.ts';
import { MOUNTING_PIPELINE, RELAYS, WHOLE_PIPELINE } from '../catalogue.ts';

/** Nodes of one graph run on one cluster node: nothing of this release leads to another. */
export const TOGETHER: CallerHabit = {
  entities: MOUNTING_PIPELINE,
  policies: ['REQUIRE COLOCATION'],
  ...{ isMounting: true, isCurious: true },
};
/** Now and then with a node that listens everywhere, which no graph in a cluster can have yet. */
export const WHOLE: CallerHabit = { ...TOGETHER, entities: WHOLE_PIPELINE };
/** Relays alone may be anywhere, and be moved. */
export const APART: CallerHabit = {
  entities: RELAYS,
  policies: ['NEUTRAL', 'PREFER COLOCATION', 'SUGGEST SEPARATION'],
  ...{ isCurious: true, nodes: ['n1', 'n2', 'n3'] },
};
