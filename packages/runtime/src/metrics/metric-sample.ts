/** One series at one instant, as a scrape shows it. */
export type MetricSample = ValueSample | HistogramSample;

export interface ValueSample {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export interface HistogramSample {
  readonly kind: 'histogram';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Observations up to and including each bound; the last bound is Infinity. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}
