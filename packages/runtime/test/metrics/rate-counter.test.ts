import { describe, expect, test } from 'vitest';
import { RateCounter } from '../../src/metrics/rate-counter.js';

const TAU_1M_S = 60 / 20;
const TAU_15M_S = 900 / 20;

/** A counter with these observations of `amount`, each at a second. */
function counted(observations: readonly (readonly [atSeconds: number, amount: number])[]) {
  const counter = new RateCounter(0);
  for (const [atSeconds, amount] of observations) counter.add(amount, atSeconds * 1000);
  return (atSeconds: number) => counter.rates(atSeconds * 1000);
}

describe('TX-31: rates of a counter', () => {
  test('before any observation there is a wall rate of zero and nothing else', () => {
    const rates = counted([]);
    expect(rates(0).wall).toEqual({ perSec: 0, ema1m: null, ema15m: null });
    expect(rates(5)).toEqual({
      wall: { perSec: 0, ema1m: null, ema15m: null },
      domain: { perSec: null, ema1m: null, ema15m: null },
    });
  });

  test('the wall rate is over the life of the series, the domain rate over its observations', () => {
    const rates = counted([
      [10, 6],
      [12, 4],
    ]);
    expect(rates(20).wall.perSec).toBe(0.5);
    expect(rates(40).wall.perSec).toBe(0.25);
    expect(rates(20).domain.perSec).toBe(5);
    expect(rates(40).domain.perSec).toBe(5);
  });

  test('one observation, or several at one instant, give no domain rate', () => {
    expect(counted([[3, 7]])(9).domain.perSec).toBeNull();
    const twice = counted([
      [3, 7],
      [3, 7],
    ]);
    expect(twice(9).domain.perSec).toBeNull();
  });

  test('averages start at the second observation and decay from then on', () => {
    expect(counted([[1, 100]])(2).wall).toMatchObject({ ema1m: null, ema15m: null });
    const rates = counted([
      [1, 100],
      [3, 20],
    ]);
    expect(rates(3).wall).toMatchObject({ ema1m: 10, ema15m: 10 });
    expect(rates(6).wall.ema1m).toBeCloseTo(10 * Math.exp(-3 / TAU_1M_S), 12);
    expect(rates(6).wall.ema15m).toBeCloseTo(10 * Math.exp(-3 / TAU_15M_S), 12);
    expect(rates(6).domain).toMatchObject({
      ema1m: rates(6).wall.ema1m,
      ema15m: rates(6).wall.ema15m,
    });
  });

  test('each later observation moves an average by the time that passed', () => {
    const gaps = [0.5, 2, 0.1, 40, 7];
    const amounts = [3, 0, 12, 5, 1];
    const observations: [number, number][] = [[0, 9]];
    let at = 0;
    let expected = Number.NaN;
    gaps.forEach((gap, index) => {
      const amount = amounts[index]!;
      at += gap;
      observations.push([at, amount]);
      const share = 1 - Math.exp(-gap / TAU_1M_S);
      expected = Number.isNaN(expected)
        ? amount / gap
        : expected + share * (amount / gap - expected);
    });
    expect(counted(observations)(at).wall.ema1m).toBeCloseTo(expected, 9);
  });

  test('after a jump of a steady rate the average follows the closed form', () => {
    const slow = Array.from({ length: 600 }, (_, second) => [second, 2] as const);
    const fast = Array.from({ length: 30 }, (_, second) => [600 + second, 50] as const);
    const rates = counted([...slow, ...fast]);
    expect(rates(629).wall.ema1m).toBeCloseTo(50 - 48 * Math.exp(-30 / TAU_1M_S), 9);
    expect(rates(629).wall.ema15m).toBeCloseTo(50 - 48 * Math.exp(-30 / TAU_15M_S), 9);
  });

  test('observations in quick succession count together, at a rate that stays true', () => {
    const rates = counted(Array.from({ length: 30_000 }, (_, index) => [index / 1000, 3]));
    expect(rates(30).wall.ema1m).toBeGreaterThan(2900);
    expect(rates(30).wall.ema1m).toBeLessThan(3100);
  });

  test('two observations at almost one instant read as no burst of thousands per second', () => {
    const rates = counted([
      [1, 1],
      [1.000_02, 1],
    ]);
    expect(rates(1.1).wall.ema1m).toBeCloseTo(10, 9);
    expect(rates(4.1).wall.ema1m).toBeCloseTo(10 / Math.E, 9);
  });

  test('reading changes nothing', () => {
    const observations = [
      [0, 1],
      [0.03, 1],
      [5, 2],
    ] as const;
    const read = new RateCounter(0);
    const unread = new RateCounter(0);
    for (const [atSeconds, amount] of observations) {
      read.add(amount, atSeconds * 1000);
      unread.add(amount, atSeconds * 1000);
      read.rates(atSeconds * 1000 + 20);
    }
    expect(read.rates(9000)).toEqual(unread.rates(9000));
    expect(read.value).toBe(4);
  });
});
