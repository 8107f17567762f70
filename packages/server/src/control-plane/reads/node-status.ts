import type { ModelKind } from '@nervix/model';
import type { DomainStatus } from '@nervix/runtime/data-plane';
import type { GraphNodeStatus } from './domain-graph.js';

/** Health of one graph node; what has no health of its own is well. */
export function graphNodeStatus(
  status: DomainStatus,
  kind: ModelKind,
  name: string,
): GraphNodeStatus {
  if (kind !== 'emitter') return { status: 'OK' };
  const figures = status.emitters.find((emitter) => emitter.name === name);
  if (figures === undefined) return { status: 'OK' };
  return {
    status: figures.status,
    ...(figures.transientError === null ? {} : { detail: figures.transientError }),
  };
}
