import type { EmitterModel, Model } from '@nervix/model';
import type { DomainStatus } from '@nervix/runtime/data-plane';
import type { GraphNodeStatus } from './domain-graph.js';

type EmitterFigures = DomainStatus['emitters'][number];

/** How an emitter fares, as DESCRIBE and the graph both tell. */
export interface EmitterHealth {
  readonly status: EmitterFigures['status'];
  /** Why it cannot send, or null. */
  readonly error: string | null;
  /** Milliseconds until it tries again; null while it does not wait. */
  readonly waitMs: number | null;
  /** The error with the pause between attempts, or null. */
  readonly detail: string | null;
}

/** @param failure why the whole domain does not run */
export function emitterHealth(
  { name, sink }: EmitterModel,
  { emitters }: Pick<DomainStatus, 'emitters'>,
  failure?: string,
): EmitterHealth {
  const figures = emitters.find((emitter) => emitter.name === name);
  const error = failure ?? figures?.transientError ?? null;
  const waitMs = figures?.reconnectWaitMs ?? null;
  const pause = waitMs === null ? '' : `; reconnect backoff: ${sink.mode.retry.backoff}`;
  return {
    status: failure === undefined ? (figures?.status ?? 'OK') : 'ERROR',
    error,
    waitMs,
    detail: error === null ? null : `${error}${pause}`,
  };
}

/** Health of one graph node; what has no health of its own is well. */
export function graphNodeStatus(report: DomainStatus, model: Model): GraphNodeStatus {
  if (model.kind !== 'emitter') return { status: 'OK' };
  const { status, detail } = emitterHealth(model, report);
  return { status, ...(detail === null ? {} : { detail }) };
}
