import type { ScheduleUnit } from '@nervix/scheduler';
import { type DomainModels, sortedModels } from './domain-models.js';
import { isExecutable } from './quiesce-level.js';

/**
 * The units of a domain's graph. Endpoint ingestors listen on every node; the rest has one owner.
 */
export function scheduleUnits(models: DomainModels): readonly ScheduleUnit[] {
  return sortedModels(models)
    .filter((model) => isExecutable(model.kind))
    .map(({ kind, name }) => ({
      kind,
      name,
      placement: kind === 'ingestor' ? 'every_node' : 'single',
    }));
}
