import type { Clock } from '../clock/clock.js';
import type { DomainClock } from '../clock/domain-clock.js';
import type { SecretReader } from '../connector/client-secrets.js';
import type { RuntimeLog } from '../log.js';
import type { DomainMetrics, MeteredKind } from '../metrics/domain-metrics.js';
import type { ExecutionSnapshot } from '../program/row-set.js';
import type { UdfCalls } from '../udf/udf-calls.js';
import type { IngestGroupLimits } from './ingest-group.js';

/** What every node of a domain works with. */
export interface NodeContext {
  readonly domain: string;
  readonly generation: number;
  /** Physical time and UTC: for what has to do with the world, never with records. */
  readonly clock: Clock;
  /** The domain's time. */
  readonly time: DomainClock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: RuntimeLog;
  readonly metrics: DomainMetrics;
  readonly ingestGroup: IngestGroupLimits;
  readonly udfs: UdfCalls;
  /** Reads current values of the domain's secrets. */
  readonly secrets: SecretReader;
}

/** A graph node's kind and name. */
export interface NodeIdentity {
  readonly kind: Exclude<MeteredKind, 'RELAY'>;
  readonly name: string;
}

/** The one reading of clock and generation that all work of one unit shares. */
export function takeSnapshot(context: NodeContext): ExecutionSnapshot {
  return {
    generation: context.generation,
    nowNanos: context.time.nowNanos(),
    randomBytes: context.randomBytes,
    udfs: context.udfs,
  };
}

/** How messages name a node: `window processor 'w'`. */
export function nodeLabel(node: NodeIdentity): string {
  return `${node.kind.toLowerCase().replace('_', ' ')} '${node.name}'`;
}

/** How gates of relays know a node: `WINDOW_PROCESSOR w`. */
export function publisherOf({ kind, name }: NodeIdentity): string {
  return `${kind} ${name}`;
}

/** `prefix`, then why, for errors and refusals. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
