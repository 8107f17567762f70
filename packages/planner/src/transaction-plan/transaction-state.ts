import type { Model, PlacementPolicy } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { DomainModels } from '../domain-models.js';
import { type ImpactGraph, impactGraph } from './impact/impact-graph.js';
import type { ResourceCatalog } from './resource-bindings.js';

/** The domain between two steps, as the steps before leave it. */
export interface TransactionState {
  readonly status: 'running' | 'stopped';
  readonly startGeneration: number;
  readonly placement: PlacementPolicy;
  readonly models: DomainModels;
  readonly resources: ResourceCatalog;
  readonly schedule: readonly ScheduleEntry[];
}

/** The graphs of model maps; each is built once. */
export class ImpactGraphs {
  readonly #graphs = new WeakMap<ReadonlyMap<string, Model>, ImpactGraph>();

  of(models: DomainModels): ImpactGraph {
    const known = this.#graphs.get(models);
    if (known !== undefined) return known;
    const graph = impactGraph(models);
    this.#graphs.set(models, graph);
    return graph;
  }
}
