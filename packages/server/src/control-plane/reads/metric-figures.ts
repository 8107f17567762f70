import type { ClockRates, CounterRates, ValueDistribution } from '@nervix/runtime/data-plane';

/** A rate with at most six decimals and no trailing zeros; `-` when there is none. */
export function rateText(rate: number | null | undefined): string {
  return rate === null || rate === undefined ? '-' : trimmedDecimals(rate);
}

/** A percentile: one decimal from 1 on, up to six below, and always at least one. */
export function percentileText(value: number | undefined): string {
  if (value === undefined) return '-';
  if (value >= 1) return value.toFixed(1);
  const text = trimmedDecimals(value);
  return text.includes('.') ? text : `${text}.0`;
}

function trimmedDecimals(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

/**
 * The smallest value that at least `percent` of all observations do not exceed; undefined when
 * nothing was observed.
 */
export function percentileOf(
  { values, counts }: ValueDistribution,
  percent: number,
): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil((total * percent) / 100));
  let seen = 0;
  for (const [index, value] of values.entries()) {
    seen += counts[index] ?? 0;
    if (seen >= rank) return value;
  }
  return undefined;
}

/** The distribution of everything that any of the parts observed. */
export function mergedDistribution(parts: readonly ValueDistribution[]): ValueDistribution {
  const counts = new Map<number, number>();
  for (const part of parts) {
    for (const [index, value] of part.values.entries()) {
      counts.set(value, (counts.get(value) ?? 0) + (part.counts[index] ?? 0));
    }
  }
  const values = [...counts.keys()].sort((left, right) => left - right);
  return { values, counts: values.map((value) => counts.get(value) ?? 0) };
}

/** Rates of several counters together; a rate is absent when none of them has it. */
export function summedRates(rates: readonly CounterRates[]): CounterRates {
  return {
    wall: summedClockRates(rates.map(({ wall }) => wall)),
    domain: summedClockRates(rates.map(({ domain }) => domain)),
  };
}

function summedClockRates(rates: readonly ClockRates[]): ClockRates {
  return {
    perSec: sumOrNull(rates.map(({ perSec }) => perSec)),
    ema1m: sumOrNull(rates.map(({ ema1m }) => ema1m)),
    ema15m: sumOrNull(rates.map(({ ema15m }) => ema15m)),
  };
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0);
}
