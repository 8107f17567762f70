import type { RelayBatch } from '../relay/relay-batch.js';
import type { Histogram } from './histogram.js';
import type { MetricSample } from './metric-sample.js';
import type { MetricStore, Series } from './metric-store.js';
import type { RateCounter } from './rate-counter.js';

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

type Labels = Readonly<Record<string, string>>;

/** Counts messages where they are no batch yet, or no batch any more. */
export class PayloadMeter {
  readonly #store: MetricStore;
  readonly #messages: RateCounter;
  readonly #bytes: RateCounter;

  constructor(store: MetricStore, labels: Labels) {
    this.#store = store;
    this.#messages = store.rateCounter('nervix_messages_total', labels);
    this.#bytes = store.rateCounter('nervix_bytes_total', labels);
  }

  count(messages: number, bytes: number): void {
    this.countAt(messages, bytes, this.#store.nowMs());
  }

  countAt(messages: number, bytes: number, nowMs: number): void {
    this.#messages.add(messages, nowMs);
    this.#bytes.add(bytes, nowMs);
  }
}

/** Counts what passes one edge, a batch at a time. */
export class TrafficMeter {
  readonly #store: MetricStore;
  readonly #payloads: PayloadMeter;
  readonly #batches: RateCounter;
  readonly #perBatch: Histogram;

  constructor(store: MetricStore, labels: Labels, isDescribed: boolean) {
    this.#store = store;
    this.#payloads = new PayloadMeter(store, labels);
    this.#batches = store.rateCounter('nervix_batches_total', labels);
    this.#perBatch = store.histogram('nervix_messages_per_batch', labels, {
      bounds: BATCH_SIZE_BOUNDS,
      isDescribed,
    });
  }

  /** Counts a batch that passed. */
  count(batch: RelayBatch): void {
    this.countAt(batch, this.#store.nowMs());
  }

  countAt({ batch }: RelayBatch, nowMs: number): void {
    const { rowCount } = batch;
    this.#payloads.countAt(rowCount, batch.byteSize, nowMs);
    this.#batches.add(1, nowMs);
    this.#perBatch.observe(rowCount, nowMs);
  }
}

/** Counts the batches that a consumer accepts, and how old they are by then. */
export class ReceptionMeter {
  readonly #store: MetricStore;
  readonly #traffic: TrafficMeter;
  readonly #latency: Histogram;

  constructor(store: MetricStore, labels: Labels) {
    this.#store = store;
    this.#traffic = new TrafficMeter(store, labels, true);
    this.#latency = store.histogram('nervix_delivery_latency_seconds', labels, {
      bounds: LATENCY_BOUNDS,
      isDescribed: true,
    });
  }

  /** Counts a batch; its age is that of its first row's high watermark. */
  accept(batch: RelayBatch, nowNanos: bigint): void {
    const nowMs = this.#store.nowMs();
    this.#traffic.countAt(batch, nowMs);
    const high = batch.high[0];
    if (high === undefined) return;
    this.#latency.observe(Math.max(0, Number(nowNanos - high) / 1e9), nowMs);
  }
}

/** Observes how many batches a relay holds. */
export class BufferMeter {
  readonly #store: MetricStore;
  readonly #lengths: Histogram;

  constructor(store: MetricStore, labels: Labels) {
    this.#store = store;
    this.#lengths = store.histogram('nervix_relay_buffer_len', labels, {
      bounds: BUFFER_BOUNDS,
      isDescribed: true,
    });
  }

  observe(depth: number): void {
    this.#lengths.observe(depth, this.#store.nowMs());
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

  /** Descriptions show a relay's buffer, never its traffic. */
  meter(edge: Edge): TrafficMeter {
    return new TrafficMeter(this.#store, this.#edgeLabels(edge), edge.kind !== 'RELAY');
  }

  payloadMeter(edge: Edge): PayloadMeter {
    return new PayloadMeter(this.#store, this.#edgeLabels(edge));
  }

  receptionMeter(edge: Edge): ReceptionMeter {
    return new ReceptionMeter(this.#store, this.#edgeLabels(edge));
  }

  relayBuffer(relay: string): BufferMeter {
    const edge = { kind: 'RELAY', target: relay, direction: 'received', relay: '-' } as const;
    return new BufferMeter(this.#store, this.#edgeLabels(edge));
  }

  /** Every series of the domain as descriptions show it. */
  described(): readonly MetricSample[] {
    return this.#store.described({ domain: this.#domain });
  }

  /** A counter labelled with the domain, this node and whatever else is given. */
  counter(name: string, labels: Labels): Series {
    return this.#store.counter(name, this.#nodeLabels(labels));
  }

  /** A level labelled with the domain, this node and whatever else is given. */
  gauge(name: string, labels: Labels): Series {
    return this.#store.gauge(name, this.#nodeLabels(labels));
  }

  subscriptions(relay: string): Series {
    return this.#store.gauge('nervix_session_subscriptions', { domain: this.#domain, relay });
  }

  subscriptionLosses(relay: string): Series {
    const labels = { domain: this.#domain, relay };
    return this.#store.counter('nervix_session_subscription_dropped_rows_total', labels);
  }

  #nodeLabels(labels: Labels): Labels {
    return { domain: this.#domain, ...labels, physical_node_id: this.#nodeId };
  }

  /** Labels of an edge, whose node from now on has its two counters beside any relay. */
  #edgeLabels(edge: Edge): Labels {
    if (edge.kind !== 'RELAY') {
      for (const direction of ['received', 'sent'] as const) {
        const labels = this.#labelsOf({ ...edge, direction, relay: '-' });
        this.#store.rateCounter('nervix_messages_total', labels, false);
      }
    }
    return this.#labelsOf(edge);
  }

  #labelsOf(edge: Edge): Labels {
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
