import type { UdfPlan } from '@nervix/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { DomainUdfs } from '../../src/udf/domain-udfs.js';
import { dataTypes, valuesOf } from '../codec/codec-arbitraries.js';
import { propertyRuns } from '../support/property-runs.js';
import { callsOf, udfPlan } from '../support/udf-plans.js';

/** Columns that the guests of one type are given: loading them takes longer than a call. */
const COLUMNS = 16;

const columns = dataTypes(2).chain((type) => {
  const values = fc.array(fc.option(valuesOf(type)), { maxLength: 20 });
  const rowsMax = fc.integer({ min: 1, max: 20 });
  return fc.record({
    type: fc.constant(type),
    columns: fc.array(fc.record({ values, rowsMax }), { minLength: COLUMNS, maxLength: COLUMNS }),
  });
});

/** Makes the calls of a function that is loaded once, in runs of at most so many rows. */
function caller(plan: UdfPlan): (values: readonly Value[], rowsMax: number) => readonly Value[] {
  const loaded = new DomainUdfs([plan]);
  loaded.load(['f']);
  return (values, rowsMax) => {
    const bounded = new DomainUdfs([plan], loaded, { rowsMax, watchdogMs: 60_000 });
    return callsOf(
      bounded,
      values.map((value) => [value]),
    );
  };
}

test('any values of any type come out as they went in, in runs of any size (TYPE 8)', () => {
  fc.assert(
    fc.property(columns, ({ type, columns: given }) => {
      const optional = { optional: type };
      const through = caller(udfPlan('function f(a) { return a; }', [optional], optional));
      // A copy that code makes itself is the same value.
      const copy = `const copy = (a) => a instanceof Uint8Array ? Uint8Array.from(a)
        : Array.isArray(a) ? a.map(copy) : a; const f = (a) => copy(a);`;
      const copied = caller(udfPlan(copy, [type], type));
      for (const { values, rowsMax } of given) {
        expect(through(values, rowsMax)).toStrictEqual(values);
        const present = values.filter((value) => value !== null);
        expect(copied(present, rowsMax)).toStrictEqual(present);
      }
    }),
    { numRuns: Math.ceil(propertyRuns(10 * COLUMNS) / COLUMNS) },
  );
});
