import type { Clock } from '../clock/clock.js';
import { Histogram } from './histogram.js';
import type { MetricSample, ValueSample } from './metric-sample.js';
import { RateCounter } from './rate-counter.js';

/** A number that only grows, or a level. The holder adds to `value` directly. */
export interface Series {
  value: number;
}

type Labels = Readonly<Record<string, string>>;
type Metric =
  | { readonly kind: 'value'; readonly type: ValueSample['kind']; readonly series: Series }
  | { readonly kind: 'rate'; readonly counter: RateCounter }
  | { readonly kind: 'histogram'; readonly histogram: Histogram };

interface Registered {
  readonly name: string;
  readonly labels: Labels;
  readonly metric: Metric;
  /** Whether a scrape shows it; descriptions show every series. */
  isScraped: boolean;
}

/**
 * The series of a data plane. A series is looked up once, when its holder is built, and keeps its
 * value when the holder is built anew.
 */
export class MetricStore {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #series = new Map<string, Registered>();

  /** @param clock by which counters know their rates, and histograms their last minutes */
  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.monotonicMs();
  }

  counter(name: string, labels: Labels): Series {
    return this.#value('counter', name, labels);
  }

  gauge(name: string, labels: Labels): Series {
    return this.#value('gauge', name, labels);
  }

  /** A counter that knows its rates. One that only descriptions show joins the scrape later on. */
  rateCounter(name: string, labels: Labels, isScraped = true): RateCounter {
    const known = this.#registered(name, labels);
    if (known?.metric.kind === 'rate') {
      known.isScraped ||= isScraped;
      return known.metric.counter;
    }
    const counter = new RateCounter(this.nowMs());
    this.#register({ name, labels, metric: { kind: 'rate', counter }, isScraped });
    return counter;
  }

  /** A histogram with these bounds; one that descriptions show keeps its last minutes too. */
  histogram(
    name: string,
    labels: Labels,
    shape: { readonly bounds: readonly number[]; readonly isDescribed: boolean },
  ): Histogram {
    const known = this.#registered(name, labels)?.metric;
    if (known?.kind === 'histogram') return known.histogram;
    const histogram = new Histogram(shape.bounds, shape.isDescribed);
    this.#register({ name, labels, metric: { kind: 'histogram', histogram }, isScraped: true });
    return histogram;
  }

  /** Drops every series whose labels contain all of `labels`. */
  forget(labels: Labels): void {
    for (const [key, series] of this.#series) {
      if (contains(series.labels, labels)) this.#series.delete(key);
    }
  }

  /** What a scrape shows of the series whose labels contain all of `labels`. */
  samples(labels: Labels = {}): MetricSample[] {
    const samples: MetricSample[] = [];
    for (const series of this.#series.values()) {
      if (series.isScraped && contains(series.labels, labels)) samples.push(sampleOf(series));
    }
    return samples;
  }

  /** What descriptions show of those series: also rates, and the last minutes of histograms. */
  described(labels: Labels): MetricSample[] {
    const nowMs = this.nowMs();
    const samples: MetricSample[] = [];
    for (const series of this.#series.values()) {
      if (contains(series.labels, labels)) samples.push(describedSample(series, nowMs));
    }
    return samples;
  }

  #value(type: ValueSample['kind'], name: string, labels: Labels): Series {
    const known = this.#registered(name, labels)?.metric;
    if (known?.kind === 'value') return known.series;
    const series: Series = { value: 0 };
    this.#register({ name, labels, metric: { kind: 'value', type, series }, isScraped: true });
    return series;
  }

  #registered(name: string, labels: Labels): Registered | undefined {
    return this.#series.get(seriesKey(name, labels));
  }

  #register(series: Registered): void {
    this.#series.set(seriesKey(series.name, series.labels), series);
  }
}

function sampleOf({ name, labels, metric }: Registered): MetricSample {
  switch (metric.kind) {
    case 'value':
      return { kind: metric.type, name, labels, value: metric.series.value };
    case 'rate':
      return { kind: 'counter', name, labels, value: metric.counter.value };
    case 'histogram':
      return metric.histogram.sample(name, labels);
  }
}

function describedSample(series: Registered, nowMs: number): MetricSample {
  const { name, labels, metric } = series;
  switch (metric.kind) {
    case 'value':
      return sampleOf(series);
    case 'rate': {
      const { counter } = metric;
      return {
        kind: 'counter',
        name,
        labels,
        value: counter.value,
        derived: counter.rates(nowMs),
      };
    }
    case 'histogram':
      return metric.histogram.described(name, labels, nowMs);
  }
}

function contains(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function seriesKey(name: string, labels: Labels): string {
  return `${name} ${JSON.stringify(labels)}`;
}
