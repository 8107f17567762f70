import type { PlacementPolicy } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { ModelSet } from '../registry/model-set.js';
import type { ResourceCatalog } from './resource-bindings.js';

/** The domain between two steps, as the steps before leave it. */
export interface TransactionState {
  readonly status: 'running' | 'stopped';
  readonly startGeneration: number;
  readonly placement: PlacementPolicy;
  readonly models: ModelSet;
  readonly resources: ResourceCatalog;
  readonly schedule: readonly ScheduleEntry[];
}
