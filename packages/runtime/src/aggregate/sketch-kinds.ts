import { isNullAt, readValue } from '../column/column.js';
import type { ArgumentColumn } from './aggregate-input.js';
import type { SketchKind } from './paned-sketch.js';
import { FrequentItems, type Item } from './sketch/frequent-items.js';
import { HyperLogLog } from './sketch/hyper-log-log.js';
import { QuantileDigest } from './sketch/quantile-digest.js';
import { ValueHash } from './sketch/value-hash.js';

/** Counts different values with `2^precision` registers. */
export function distinctKind(precision: number, reservedBytes: number): SketchKind<HyperLogLog> {
  const hash = new ValueHash();
  return {
    reservedBytes,
    create: () => new HyperLogLog(precision),
    add(sketch, { column }, rows) {
      for (const row of rows) {
        if (isNullAt(column, row)) continue;
        hash.read(column, row);
        sketch.add(hash.high, hash.low);
      }
    },
  };
}

/** Finds quantiles with so many means. */
export function quantileKind(capacity: number, reservedBytes: number): SketchKind<QuantileDigest> {
  return {
    reservedBytes,
    create: () => new QuantileDigest(capacity),
    add(sketch, { column, doubles }, rows) {
      if (doubles === null) return;
      for (const row of rows) if (!isNullAt(column, row)) sketch.add(doubles[row] as number);
    },
  };
}

/** Finds the most frequent values with so many counters. */
export function frequentKind(capacity: number, reservedBytes: number): SketchKind<FrequentItems> {
  return {
    reservedBytes,
    create: () => new FrequentItems(capacity),
    add(sketch, { column }: ArgumentColumn, rows) {
      for (const row of rows) {
        const value = readValue(column, row);
        if (value !== null) sketch.add(value as Item);
      }
    },
  };
}
