/** One series at one instant, as a scrape or a description shows it. */
export type MetricSample = ValueSample | HistogramSample;

export interface ValueSample {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Only in a description, and only of counters of traffic. */
  readonly derived?: CounterRates;
}
export interface HistogramSample {
  readonly kind: 'histogram';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Observations up to and including each bound; the last bound is Infinity. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
  /** Only in a description, and only of histograms that descriptions show. */
  readonly derived?: RollingWindows;
}

/** How fast a counter grows, by the wall clock and by the domain's clock. */
export interface CounterRates {
  readonly wall: ClockRates;
  readonly domain: ClockRates;
}
export interface ClockRates {
  /** Of the whole series; null while it spans no time. */
  readonly perSec: number | null;
  /** Moving averages per second; null before the second observation. */
  readonly ema1m: number | null;
  readonly ema15m: number | null;
}

/** What a histogram has observed of late, by the wall clock and by the domain's clock. */
export interface RollingWindows {
  readonly wall: DistributionWindows;
  readonly domain: DistributionWindows;
}
export interface DistributionWindows {
  readonly last1m: ValueDistribution;
  readonly last15m: ValueDistribution;
}
/** Ascending values, right to two significant digits, and how often each was observed. */
export interface ValueDistribution {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}
