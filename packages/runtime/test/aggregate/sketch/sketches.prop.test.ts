import fc from 'fast-check';
import { xxhash32 } from 'hash-wasm';
import { describe, expect, test } from 'vitest';
import { FrequentItems, type Item } from '../../../src/aggregate/sketch/frequent-items.js';
import { HyperLogLog } from '../../../src/aggregate/sketch/hyper-log-log.js';
import { LinearHistogram } from '../../../src/aggregate/sketch/linear-histogram.js';
import { QuantileDigest } from '../../../src/aggregate/sketch/quantile-digest.js';
import { xxHash32 } from '../../../src/aggregate/sketch/value-hash.js';

const numRuns = Number(process.env['PROP_RUNS'] ?? 100);

/** Cuts a list into up to four parts. */
function parts<T>(values: readonly T[], cuts: readonly number[]): readonly T[][] {
  const ends = cuts.map((cut) => cut % (values.length + 1)).sort((left, right) => left - right);
  return [...ends, values.length].map((end, at) => values.slice(ends[at - 1] ?? 0, end));
}
const CUTS = fc.array(fc.nat(), { maxLength: 3 });

test('hashes are those of the xxHash library, wherever the bytes lie (RT-112)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 90 }), fc.nat(7), async (bytes, before) => {
      const moved = new Uint8Array(before + bytes.length + 3);
      moved.set(bytes, before);
      for (const seed of [0, 0x9e3779b1]) {
        const found = xxHash32(moved, before, before + bytes.length, seed);
        expect(found.toString(16).padStart(8, '0')).toBe(await xxhash32(bytes, seed));
      }
    }),
    { numRuns },
  );
});

function distinct(precision: number, count: number, first = 0): HyperLogLog {
  const sketch = new HyperLogLog(precision);
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  for (let at = first; at < first + count; at += 1) {
    view.setFloat64(0, at);
    sketch.add(xxHash32(bytes, 0, 8, 0), xxHash32(bytes, 0, 8, 0x9e3779b1));
  }
  return sketch;
}

describe('different values (RT-112)', () => {
  test('an estimate of none is 0 and of few is exact', () => {
    for (const precision of [4, 9, 16]) expect(distinct(precision, 0).estimate()).toBe(0);
    for (const count of [1, 2, 3, 10, 50]) expect(distinct(14, count).estimate()).toBe(count);
  });

  test('estimates stay within four standard errors, from few to a million', () => {
    for (const precision of [4, 8, 12, 16]) {
      for (const count of [100, 1_000, 10_000, 100_000, 1_000_000]) {
        const error = Math.abs(distinct(precision, count, 7).estimate() / count - 1);
        expect(error).toBeLessThan((4 * 1.04) / Math.sqrt(2 ** precision));
      }
    }
  });

  test('joined sketches are the sketch of everything, in any order', () => {
    const range = fc.tuple(fc.nat(2_000), fc.nat(300));
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 5 }),
        fc.integer({ min: 4, max: 16 }),
        (ranges, p) => {
          const joined = new HyperLogLog(p);
          for (const [first, count] of ranges) joined.merge(distinct(p, count, first));
          const whole = new HyperLogLog(p);
          for (const [first, count] of ranges.toReversed()) whole.merge(distinct(p, count, first));
          expect(joined.registers).toEqual(whole.registers);
          const numbers = ranges.flatMap(([first, count]) =>
            Array.from({ length: count }, (_, at) => first + at),
          );
          const exact = new Set(numbers).size;
          if (p === 16) expect(Math.abs(joined.estimate() - exact)).toBeLessThan(4 + exact / 50);
        },
      ),
      { numRuns },
    );
  });
});

const FINITE = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('quantiles (RT-112)', () => {
  test('of no more numbers than the digest tells apart are exact at both ends and in order', () => {
    fc.assert(
      fc.property(fc.array(FINITE, { minLength: 1, maxLength: 400 }), CUTS, (values, cuts) => {
        const digest = new QuantileDigest(32);
        for (const part of parts(values, cuts)) {
          const own = new QuantileDigest(32);
          for (const value of part) own.add(value);
          digest.merge(own);
        }
        const sorted = values.toSorted((left, right) => left - right);
        expect(digest.quantile(0)! + 0).toBe(sorted[0]! + 0);
        expect(digest.quantile(1)! + 0).toBe(sorted.at(-1)! + 0);
        expect(digest.count).toBe(values.length);
        expect(digest.centroids).toBeLessThanOrEqual(32);
        let before = Number.NEGATIVE_INFINITY;
        for (let share = 0; share <= 1; share += 1 / 64) {
          const found = digest.quantile(share)!;
          expect(before).toBeLessThanOrEqual(found);
          before = found;
        }
      }),
      { numRuns },
    );
  });

  test('what a digest says does not depend on how often it was asked (RT-115)', () => {
    fc.assert(
      fc.property(
        fc.array(FINITE, { minLength: 1, maxLength: 200 }),
        fc.nat(9),
        (values, every) => {
          const [asked, left] = [new QuantileDigest(32), new QuantileDigest(32)];
          values.forEach((value, at) => {
            asked.add(value);
            left.add(value);
            if (at % (every + 1) === 0) new QuantileDigest(32).merge(asked);
          });
          const [one, other] = [new QuantileDigest(32), new QuantileDigest(32)];
          one.merge(asked);
          other.merge(left);
          for (const share of [0, 0.1, 0.5, 0.9, 1]) {
            expect(one.quantile(share)).toBe(other.quantile(share));
          }
        },
      ),
      { numRuns },
    );
  });

  test('few numbers have their exact quantiles, between neighbours in proportion', () => {
    const digest = new QuantileDigest(4_096);
    for (const value of [50, 10, 40, 20, 30]) digest.add(value);
    expect([0, 0.25, 0.5, 0.625, 0.99, 1].map((share) => digest.quantile(share))).toEqual([
      10, 20, 30, 35, 49.6, 50,
    ]);
    expect(new QuantileDigest(32).quantile(0.5)).toBeNull();
  });

  test.each([32, 200, 4_096])('of many numbers are near in rank with %i means', (capacity) => {
    const count = 200_000;
    const shapes: Record<string, (at: number) => number> = {
      ascending: (at) => at,
      descending: (at) => -at,
      scattered: (at) => (at * 7_919) % count,
      skewed: (at) => ((at * 7_919) % count) ** 4,
      equal: (at) => (at % 10 === 0 ? at : 5),
    };
    for (const [shape, value] of Object.entries(shapes)) {
      const digest = new QuantileDigest(capacity);
      const sorted = new Float64Array(count);
      for (let at = 0; at < count; at += 1) {
        sorted[at] = value(at);
        digest.add(value(at));
      }
      sorted.sort();
      for (const share of [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999]) {
        const found = digest.quantile(share)!;
        // One step of the scale at this share, and its curvature; neighbours are interpolated.
        const step = (2 * Math.PI) / (capacity - 1);
        const bound = 1.5 * (step * Math.sqrt(share * (1 - share)) + step ** 2 / 4);
        const slack = Math.ceil(count * bound);
        const rank = Math.round(share * (count - 1));
        const low = sorted[Math.max(0, rank - slack)]!;
        const high = sorted[Math.min(count - 1, rank + slack)]!;
        expect(found, `${shape} ${share}`).toBeGreaterThanOrEqual(low);
        expect(found, `${shape} ${share}`).toBeLessThanOrEqual(high);
      }
    }
  });

  test('numbers at the ends of doubles do not overflow', () => {
    const digest = new QuantileDigest(32);
    for (let at = 0; at < 1_000; at += 1) digest.add(at % 2 === 0 ? 1.7e308 : -1.7e308);
    expect(digest.quantile(0.1)).toBe(-1.7e308);
    expect(digest.quantile(0.9)).toBe(1.7e308);
    expect(Number.isFinite(digest.quantile(0.5))).toBe(true);
  });
});

describe('frequent values (RT-112)', () => {
  const item = fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, fc.nat(60)).map(String);

  test('counts are never too high and too low by no more than the bound', () => {
    const capacity = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 500 }), CUTS, capacity, (items, cuts, size) => {
        const joined = new FrequentItems(size);
        for (const part of parts(items, cuts)) {
          const own = new FrequentItems(size);
          for (const each of part) own.add(each);
          joined.merge(own);
        }
        const exact = new Map<Item, number>();
        for (const each of items) exact.set(each, (exact.get(each) ?? 0) + 1);
        const loss = Math.floor(items.length / (size + 1));
        for (const [each, count] of exact) {
          expect(joined.countOf(each)).toBeLessThanOrEqual(count);
          expect(joined.countOf(each)).toBeGreaterThanOrEqual(count - loss);
        }
        const top = joined.top(size);
        expect(top.length).toBeLessThanOrEqual(size);
        if (exact.size > size) return;
        const ordered = [...exact].sort(
          ([left, one], [right, two]) => two - one || Buffer.compare(bytes(left), bytes(right)),
        );
        expect(top).toEqual(ordered.map(([each]) => each));
      }),
      { numRuns },
    );
  });

  const bytes = (each: Item): Buffer => Buffer.from(String(each));

  test('ties go by the bytes of texts and the order of numbers', () => {
    const texts = ['\u{1f600}', '\uffee', 'z', 'ab', 'a', ''];
    const counted = new FrequentItems(32);
    for (const text of texts) counted.add(text);
    const ordered = texts.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right)));
    expect(counted.top(6)).toEqual(ordered);
    const numbers = new FrequentItems(32);
    for (const each of [10n, 9n, -1n, 2n ** 63n]) numbers.add(each);
    expect(numbers.top(3)).toEqual([-1n, 9n, 10n]);
    const zeros = new FrequentItems(32);
    for (const each of [-0, 0, 1]) zeros.add(each);
    expect(zeros.top(1)).toHaveLength(1);
    expect(zeros.countOf(0)).toBe(2);
  });
});

describe('histograms (RT-112)', () => {
  test('a percentile is the middle of the bucket that holds its rank', () => {
    const bounds = fc.record({
      buckets: fc.integer({ min: 1, max: 30 }),
      min: fc.integer({ min: 0, max: 10 }),
      max: fc.integer({ min: 11, max: 40 }),
    });
    const values = fc.array(fc.double({ min: -5, max: 50, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(
        bounds,
        values,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (at, numbers, share) => {
          const histogram = new LinearHistogram(at);
          const buckets = numbers.map((number) => histogram.bucketOf(number));
          for (const bucket of buckets) histogram.change(bucket, 1);
          const width = (at.max - at.min) / at.buckets;
          numbers.forEach((number, index) => {
            const low = at.min + buckets[index]! * width;
            const clamped = Math.min(at.max, Math.max(at.min, number));
            expect(clamped).toBeGreaterThanOrEqual(low - 1e-9);
            expect(clamped).toBeLessThanOrEqual(low + width + 1e-9);
          });
          const rank = Math.round(share * (numbers.length - 1));
          const bucket = buckets.toSorted((left, right) => left - right)[rank]!;
          expect(histogram.midpoint(share)).toBeCloseTo(at.min + (bucket + 0.5) * width, 9);
          for (const each of buckets) histogram.change(each, -1);
          expect(histogram.midpoint(share)).toBeNull();
        },
      ),
      { numRuns },
    );
  });

  test('bounds at the ends of doubles do not overflow', () => {
    const histogram = new LinearHistogram({ buckets: 4, min: 0, max: 1.7e308 });
    expect([-1.7e308, 1, 1e308, 1.7e308].map((each) => histogram.bucketOf(each))).toEqual([
      0, 0, 2, 3,
    ]);
  });
});
