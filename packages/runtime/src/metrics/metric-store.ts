import type { HistogramSample, MetricSample, ValueSample } from './metric-sample.js';

/** A number that only grows, or a level. The holder adds to `value` directly. */
export interface Series {
  value: number;
}

/** Counts observations by upper bound. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds ascending upper bounds, without infinity */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  sample(name: string, labels: Readonly<Record<string, string>>): HistogramSample {
    let count = 0;
    const buckets = this.#counts.map((own, index) => {
      count += own;
      return { le: this.#bounds[index] ?? Infinity, count };
    });
    return { kind: 'histogram', name, labels, buckets, sum: this.#sum, count };
  }
}

interface Registered {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  read(): MetricSample;
}

/**
 * The series of a data plane. A series is looked up once, when its holder is built, and keeps its
 * value when the holder is built anew.
 */
export class MetricStore {
  readonly #series = new Map<string, Registered & { readonly metric: Series | Histogram }>();

  counter(name: string, labels: Readonly<Record<string, string>>): Series {
    return this.#value('counter', name, labels);
  }

  gauge(name: string, labels: Readonly<Record<string, string>>): Series {
    return this.#value('gauge', name, labels);
  }

  histogram(
    name: string,
    labels: Readonly<Record<string, string>>,
    bounds: readonly number[],
  ): Histogram {
    const key = seriesKey(name, labels);
    const known = this.#series.get(key)?.metric;
    if (known instanceof Histogram) return known;
    const metric = new Histogram(bounds);
    this.#series.set(key, { name, labels, metric, read: () => metric.sample(name, labels) });
    return metric;
  }

  /** Drops every series whose labels contain all of `labels`. */
  forget(labels: Readonly<Record<string, string>>): void {
    const wanted = Object.entries(labels);
    for (const [key, series] of this.#series) {
      if (wanted.every(([name, value]) => series.labels[name] === value)) this.#series.delete(key);
    }
  }

  /** Every series whose labels contain all of `labels`. */
  samples(labels: Readonly<Record<string, string>> = {}): MetricSample[] {
    const wanted = Object.entries(labels);
    const samples: MetricSample[] = [];
    for (const series of this.#series.values()) {
      if (wanted.every(([name, value]) => series.labels[name] === value)) {
        samples.push(series.read());
      }
    }
    return samples;
  }

  #value(
    kind: ValueSample['kind'],
    name: string,
    labels: Readonly<Record<string, string>>,
  ): Series {
    const key = seriesKey(name, labels);
    const known = this.#series.get(key)?.metric;
    if (known !== undefined && !(known instanceof Histogram)) return known;
    const metric: Series = { value: 0 };
    this.#series.set(key, {
      name,
      labels,
      metric,
      read: () => ({ kind, name, labels, value: metric.value }),
    });
    return metric;
  }
}

function seriesKey(name: string, labels: Readonly<Record<string, string>>): string {
  return `${name} ${JSON.stringify(labels)}`;
}
