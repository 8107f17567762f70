import type { RelayBatch } from '../relay/relay-batch.js';
import type { Histogram, MetricStore, Series } from './metric-store.js';

const BATCH_SIZE_BOUNDS = [
  1, 2, 5, 10, 50, 100, 500, 1000, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
];
const LATENCY_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const BUFFER_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];

/** Kinds of graph nodes that count traffic, as labels name them. */
export type MeteredKind =
  | 'INGESTOR'
  | 'JUNCTION'
  | 'DEDUPLICATOR'
  | 'WINDOW_PROCESSOR'
  | 'EMITTER'
  | 'RELAY';

/** Where traffic is counted. `relay` is the relay the edge runs through, or `-`. */
export interface Edge {
  readonly kind: MeteredKind;
  readonly target: string;
  readonly direction: 'received' | 'sent';
  readonly relay: string;
}

/** Counts messages where they are no batch yet, or no batch any more. */
export class PayloadMeter {
  readonly #messages: Series;
  readonly #bytes: Series;

  constructor(store: MetricStore, labels: Readonly<Record<string, string>>) {
    this.#messages = store.counter('nervix_messages_total', labels);
    this.#bytes = store.counter('nervix_bytes_total', labels);
  }

  count(messages: number, bytes: number): void {
    this.#messages.value += messages;
    this.#bytes.value += bytes;
  }
}

/** Counts what passes one edge, a batch at a time. */
export class TrafficMeter {
  readonly #payloads: PayloadMeter;
  readonly #batches: Series;
  readonly #perBatch: Histogram;

  constructor(store: MetricStore, labels: Readonly<Record<string, string>>) {
    this.#payloads = new PayloadMeter(store, labels);
    this.#batches = store.counter('nervix_batches_total', labels);
    this.#perBatch = store.histogram('nervix_messages_per_batch', labels, BATCH_SIZE_BOUNDS);
  }

  /** Counts a batch that passed. */
  count({ batch }: RelayBatch): void {
    this.#payloads.count(batch.rowCount, batch.byteSize);
    this.#batches.value += 1;
    this.#perBatch.observe(batch.rowCount);
  }
}

/** Counts the batches that a consumer accepts, and how old they are by then. */
export class ReceptionMeter {
  readonly #traffic: TrafficMeter;
  readonly #latency: Histogram;

  constructor(store: MetricStore, labels: Readonly<Record<string, string>>) {
    this.#traffic = new TrafficMeter(store, labels);
    this.#latency = store.histogram('nervix_delivery_latency_seconds', labels, LATENCY_BOUNDS);
  }

  /** Counts a batch; its age is that of its first row's high watermark. */
  accept(batch: RelayBatch, nowNanos: bigint): void {
    this.#traffic.count(batch);
    const high = batch.high[0];
    if (high !== undefined) this.#latency.observe(Math.max(0, Number(nowNanos - high) / 1e9));
  }
}

/** The series of one domain, with the labels that all of them share. */
export class DomainMetrics {
  readonly #store: MetricStore;
  readonly #domain: string;
  readonly #nodeId: string;

  constructor(store: MetricStore, domain: string, nodeId: string) {
    this.#store = store;
    this.#domain = domain;
    this.#nodeId = nodeId;
  }

  meter(edge: Edge): TrafficMeter {
    return new TrafficMeter(this.#store, this.#edgeLabels(edge));
  }

  payloadMeter(edge: Edge): PayloadMeter {
    return new PayloadMeter(this.#store, this.#edgeLabels(edge));
  }

  receptionMeter(edge: Edge): ReceptionMeter {
    return new ReceptionMeter(this.#store, this.#edgeLabels(edge));
  }

  relayBuffer(relay: string): Histogram {
    const edge = { kind: 'RELAY', target: relay, direction: 'received', relay: '-' } as const;
    return this.#store.histogram('nervix_relay_buffer_len', this.#edgeLabels(edge), BUFFER_BOUNDS);
  }

  /** A counter labelled with the domain, this node and whatever else is given. */
  counter(name: string, labels: Readonly<Record<string, string>>): Series {
    return this.#store.counter(name, this.#nodeLabels(labels));
  }

  /** A level labelled with the domain, this node and whatever else is given. */
  gauge(name: string, labels: Readonly<Record<string, string>>): Series {
    return this.#store.gauge(name, this.#nodeLabels(labels));
  }

  subscriptions(relay: string): Series {
    return this.#store.gauge('nervix_session_subscriptions', { domain: this.#domain, relay });
  }

  subscriptionLosses(relay: string): Series {
    const labels = { domain: this.#domain, relay };
    return this.#store.counter('nervix_session_subscription_dropped_rows_total', labels);
  }

  #nodeLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { domain: this.#domain, ...labels, physical_node_id: this.#nodeId };
  }

  #edgeLabels(edge: Edge): Readonly<Record<string, string>> {
    return {
      domain: this.#domain,
      target_kind: edge.kind,
      target: edge.target,
      physical_node_id: this.#nodeId,
      direction: edge.direction,
      relay: edge.relay,
      peer_kind: '-',
      peer: '-',
    };
  }
}
