import { isFeasible } from '../computation/unit-feasibility.js';
import type { LoadedUnit, RebalanceState } from './rebalance-state.js';

/** The next move of a rebalance, by node index. */
export interface RebalanceChoice {
  readonly loaded: LoadedUnit;
  readonly from: number;
  readonly to: number;
}

/** A node's candidates for receiving work, those of equal load together, lowest load first. */
type Levels = readonly { readonly load: number; readonly nodes: readonly number[] }[];

/**
 * The move that comes next: from the most loaded node that has one, else from the next. Undefined
 * when no node has one.
 */
export function nextMove(state: RebalanceState): RebalanceChoice | undefined {
  const { load, cluster } = state;
  const sources = cluster.names
    .map((_, node) => node)
    .filter((node) => cluster.isLive[node] === 1 && state.unitsOn(node).length > 0)
    .sort((left, right) => (load[right] ?? 0) - (load[left] ?? 0) || left - right);
  const levels = loadLevels(state);
  for (const from of sources) {
    const choice = promotionFrom(state, from) ?? firstFitFrom(state, from, levels);
    if (choice !== undefined) return choice;
  }
  return undefined;
}

/** The best move onto a node that is a replica of the whole unit. */
function promotionFrom(state: RebalanceState, from: number): RebalanceChoice | undefined {
  let best: RebalanceChoice | undefined;
  // Units come in rank order and nodes in name order, so only a lower load replaces the best.
  for (const loaded of state.unitsOn(from)) {
    for (const to of state.wholeReplicas(loaded)) {
      if (!isAllowed(state, loaded, from, to)) continue;
      const isLower =
        (state.load[to] ?? 0) < (state.load[best?.to ?? -1] ?? Number.POSITIVE_INFINITY);
      if (isLower) best = { loaded, from, to };
    }
  }
  return best;
}

/** The first unit, in rank order, that a node of the lowest possible load can take. */
function firstFitFrom(
  state: RebalanceState,
  from: number,
  levels: Levels,
): RebalanceChoice | undefined {
  for (const level of levels) {
    const room = (state.load[from] ?? 0) - level.load;
    if (room <= 1) return undefined;
    for (const loaded of state.unitsOn(from)) {
      if (loaded.size >= room) continue;
      const to = nodesWorthTrying(state, loaded, from, level).find((node) =>
        isAllowed(state, loaded, from, node),
      );
      if (to !== undefined) return { loaded, from, to };
    }
  }
  return undefined;
}

/** A unit that likes where it is can only go where it likes it as much: those nodes are few. */
function nodesWorthTrying(
  state: RebalanceState,
  loaded: LoadedUnit,
  from: number,
  level: Levels[number],
): readonly number[] {
  const scores = state.softScores(loaded);
  if ((scores.get(from) ?? 0) <= 0) return level.nodes;
  return [...scores.keys()].filter((node) => state.load[node] === level.load);
}

/** Whether a move narrows the spread and costs the unit no preference. */
function isAllowed(state: RebalanceState, loaded: LoadedUnit, from: number, to: number): boolean {
  const { cluster, load } = state;
  if ((cluster.candidatePlace[to] ?? -1) < 0) return false;
  if ((load[from] ?? 0) - (load[to] ?? 0) <= loaded.size) return false;
  if (!isFeasible(loaded.state, loaded.unit, to)) return false;
  const scores = state.softScores(loaded);
  return (scores.get(to) ?? 0) >= (scores.get(from) ?? 0);
}

function loadLevels({ cluster, load }: RebalanceState): Levels {
  const byLoad = new Map<number, number[]>();
  for (const node of cluster.candidates) {
    const own = load[node] ?? 0;
    const level = byLoad.get(own) ?? [];
    level.push(node);
    byLoad.set(own, level);
  }
  return [...byLoad.entries()]
    .map(([own, nodes]) => ({ load: own, nodes }))
    .sort((left, right) => left.load - right.load);
}
