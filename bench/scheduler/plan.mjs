// Plans of a generated domain, each from its definition to its schedule.
import { computeSchedule, DomainResolver, scheduleSteps } from './engine.mjs';

/** Cluster nodes that may all receive work. */
export function clusterOf(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `node-${String(index).padStart(3, '0')}`,
    isLive: true,
    isCordoned: false,
    isTerminating: false,
  }));
}

/** Milliseconds that this process has spent on a processor, in all its threads. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A planner of one domain that keeps what it learned. */
export class Planner {
  #resolver = new DomainResolver();
  #definition;
  #nodes;
  #previous = [];

  constructor({ nodes: members, edges }, clusterNodes) {
    this.#definition = { domain: 'd', members, edges };
    this.#nodes = clusterOf(clusterNodes);
  }

  /** Resolves the rules and computes the schedule that follows the last one. */
  plan(rules) {
    const outcome = this.#resolver.resolve({ ...this.#definition, rules });
    return this.#keep(computeSchedule(this.#input(outcome)));
  }

  /** The same step by step: milliseconds of the longest step. */
  longestStep(rules) {
    const watch = { longest: 0 };
    const outcome = timed(this.#resolver.resolveSteps({ ...this.#definition, rules }), watch);
    this.#keep(timed(scheduleSteps(this.#input(outcome)), watch));
    return watch.longest;
  }

  #input(outcome) {
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    return { ...outcome, nodes: this.#nodes, replicaCount: 1, previous: this.#previous };
  }

  #keep(schedule) {
    this.#previous = schedule.entries;
    return schedule;
  }
}

function timed(steps, watch) {
  for (;;) {
    const startedAt = cpuMs();
    const { done, value } = steps.next();
    watch.longest = Math.max(watch.longest, cpuMs() - startedAt);
    if (done) return value;
  }
}
