import { finish, type Steps } from '../steps.js';
import type { Adjacency } from './placement-graph.js';

/**
 * Neighbour lists of `count` nodes from pairs of (source, target), by counting: linear in both.
 *
 * @param pairs sources at even, targets at odd positions; repeats are dropped
 */
export function adjacencyOf(count: number, pairs: ArrayLike<number>): Adjacency {
  return finish(adjacencySteps(count, pairs));
}

/** The work of {@link adjacencyOf}. */
export function* adjacencySteps(count: number, pairs: ArrayLike<number>): Steps<Adjacency> {
  // Filling in the order of ascending targets leaves every list ascending without a sort.
  const byTarget = bucket(count, pairs, 1);
  yield;
  const starts = offsets(count, pairs, 0);
  const targets = new Uint32Array(pairs.length >>> 1);
  const next = starts.slice();
  for (const pair of byTarget) {
    const source = pairs[2 * pair] ?? 0;
    const place = next[source] ?? 0;
    targets[place] = pairs[2 * pair + 1] ?? 0;
    next[source] = place + 1;
  }
  yield;
  return withoutRepeats(starts, targets);
}

/** The neighbours of a node, ascending. */
export function neighboursOf({ starts, targets }: Adjacency, node: number): Uint32Array {
  return targets.subarray(starts[node] ?? 0, starts[node + 1] ?? 0);
}

function offsets(count: number, pairs: ArrayLike<number>, end: 0 | 1): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let index = end; index < pairs.length; index += 2) {
    const node = pairs[index] ?? 0;
    starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  }
  for (let node = 0; node < count; node += 1) {
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  }
  return starts;
}

/** Positions of the pairs, ordered by one of their ends. */
function bucket(count: number, pairs: ArrayLike<number>, end: 0 | 1): Uint32Array {
  const next = offsets(count, pairs, end);
  const order = new Uint32Array(pairs.length >>> 1);
  for (let pair = 0; pair < order.length; pair += 1) {
    const node = pairs[2 * pair + end] ?? 0;
    const place = next[node] ?? 0;
    order[place] = pair;
    next[node] = place + 1;
  }
  return order;
}

function withoutRepeats(starts: Uint32Array, targets: Uint32Array): Adjacency {
  const kept = new Uint32Array(starts.length);
  let length = 0;
  for (let node = 0; node + 1 < starts.length; node += 1) {
    kept[node] = length;
    for (let index = starts[node] ?? 0; index < (starts[node + 1] ?? 0); index += 1) {
      const target = targets[index] ?? 0;
      if (length > (kept[node] ?? 0) && targets[length - 1] === target) continue;
      targets[length] = target;
      length += 1;
    }
  }
  kept[starts.length - 1] = length;
  return { starts: kept, targets: targets.slice(0, length) };
}
