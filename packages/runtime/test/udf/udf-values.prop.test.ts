import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataTypes, valuesOf } from '../codec/codec-arbitraries.js';
import { callUdf, udfPlan } from '../support/udf-plans.js';

/** Each run loads two guests. */
const RUNS = Number(process.env['PROP_RUNS'] ?? 20);

const columns = dataTypes(2).chain((type) =>
  fc.record({
    type: fc.constant(type),
    values: fc.array(fc.option(valuesOf(type)), { maxLength: 30 }),
    rowsMax: fc.integer({ min: 1, max: 30 }),
  }),
);

test('any values of any type come out as they went in, in runs of any size (TYPE 8)', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(columns, ({ type, values, rowsMax }) => {
      const rows = values.map((value) => [value]);
      const optional = { optional: type };
      const through = udfPlan('function f(a) { return a; }', [optional], optional);
      expect(callUdf(through, rows, { rowsMax })).toStrictEqual(values);
      // A copy that code makes itself is the same value.
      const copy = `const copy = (a) => a instanceof Uint8Array ? Uint8Array.from(a)
        : Array.isArray(a) ? a.map(copy) : a; const f = (a) => copy(a);`;
      const present = rows.filter(([value]) => value !== null);
      expect(callUdf(udfPlan(copy, [type], type), present)).toStrictEqual(present.flat(1));
    }),
    { numRuns: RUNS },
  );
});
