// A whole plan of a generated domain, stage by stage.
import { buildPlacementGraph, computeSchedule, PlacementResolver } from './engine.mjs';

/** Cluster nodes that may all receive work. */
export function clusterOf(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `node-${String(index).padStart(3, '0')}`,
    isLive: true,
    isCordoned: false,
    isTerminating: false,
  }));
}

/** A planner of one domain that keeps what it learned. */
export class Planner {
  #resolver = new PlacementResolver();
  #graph;
  #nodes;
  #previous = [];

  constructor({ nodes, edges }, clusterNodes) {
    this.#graph = buildPlacementGraph(nodes, edges);
    this.#nodes = clusterOf(clusterNodes);
  }

  /** Resolves the rules and computes the schedule that follows the last one. */
  plan(rules) {
    const graph = this.#graph;
    const outcome = this.#resolver.resolve({ domain: 'd', graph, defaultPolicy: 'NEUTRAL', rules });
    if (outcome.kind === 'conflict') throw new Error(outcome.conflict.message);
    const { placement } = outcome;
    const schedule = computeSchedule({
      placement,
      traits: [],
      nodes: this.#nodes,
      replicaCount: 1,
      previous: this.#previous,
    });
    this.#previous = schedule.entries;
    return schedule;
  }
}
