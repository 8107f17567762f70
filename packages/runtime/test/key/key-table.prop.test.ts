import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyTable } from '../../src/key/key-table.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(100);

const keys = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.integer({ min: 0, max: 300 }).map((number) => Buffer.from(`key ${number}`)),
  ),
  { maxLength: 400 },
);

test('numbers keys as a map does, in order of first sight, through growth and retention', () => {
  fc.assert(
    fc.property(keys, keys, fc.nat(5), (first, second, every) => {
      const table = new KeyTable();
      let model = new Map<string, number>();
      const check = (key: Uint8Array): void => {
        const text = Buffer.from(key).toString('hex');
        if (!model.has(text)) model.set(text, model.size);
        const padded = Buffer.concat([Buffer.from('<'), key, Buffer.from('>')]);
        expect(table.idOf(padded, 1, 1 + key.length)).toBe(model.get(text));
        expect(table.count).toBe(model.size);
      };
      first.forEach(check);
      const kept = [...model].filter(([, id]) => id % 6 >= every);
      table.retain(Int32Array.from(kept, ([, id]) => id));
      model = new Map(kept.map(([text], position) => [text, position]));
      second.forEach(check);
    }),
    { numRuns: RUNS },
  );
});

test('numbers keys that lie one behind the other as it numbers each alone', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 3 }), fc.nat(5), (parts, before) => {
      const [table, single] = [new KeyTable(), new KeyTable()];
      for (const part of parts) {
        const bytes = Buffer.concat([Buffer.alloc(before), ...part]);
        const offsets = Int32Array.of(before, ...part.map(({ length }) => length));
        for (let at = 1; at < offsets.length; at += 1) offsets[at]! += offsets[at - 1]!;
        const ids = new Int32Array(part.length);
        table.numberAll(bytes, offsets, ids);
        expect([...ids]).toEqual(part.map((key) => single.idOf(key, 0, key.length)));
      }
      expect(table.count).toBe(single.count);
    }),
    { numRuns: RUNS },
  );
});
