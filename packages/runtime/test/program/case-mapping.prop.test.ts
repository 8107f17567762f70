import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { programIn } from '../support/programs.js';
import { propertyRuns } from '../support/property-runs.js';
import { SNAPSHOT } from './expression-fixture.js';

const field = (name: string, type: 'STRING' | 'BOOL', optional: boolean) => ({
  name,
  type,
  optional,
  sensitive: false,
});
const SCHEMA = {
  name: 'texts',
  fields: [field('keep', 'BOOL', false), field('t', 'STRING', false), field('o', 'STRING', true)],
};
const program = (text: string) => programIn('processor_condition', text, SCHEMA);
const fields = {
  upper: program('upper(t)'),
  lower: program('lower(t)'),
  'upper or none': program('upper(o)'),
  'lower or none': program('lower(o)'),
};
const all = compileProjection({ input: SCHEMA, fields });
const chosen = compileProjection({ input: SCHEMA, fields, where: program('keep') });

/** Letters at the ends of the alphabet and beside it, and some whose length or place matters. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'@AZ[`az{', '\u007f', '\0'), maxLength: 90 }),
  fc.string({
    unit: fc.constantFrom('a', 'Z', 'ß', 'İ', 'ﬁ', 'Σ', 'é', 'ŉ', '😀', ' '),
    maxLength: 9,
  }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.toWellFormed()),
);
const row = fc.tuple(fc.boolean(), text, fc.option(text));

test('whole columns are mapped as single texts are, of any part of a batch (TYPE 6.2)', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.nat(30), fc.nat(30), (rows, cut, length) => {
      const builder = new BatchBuilder(SCHEMA);
      for (const values of rows) builder.appendRow(values);
      const batch = builder.finish();
      const [start, end] = [Math.min(cut, rows.length), Math.min(cut + length, rows.length)];
      for (const [part, of] of [
        [batch, rows],
        [batch.slice(start, end), rows.slice(start, end)],
      ] as const) {
        const kept = of.filter(([keep]) => keep);
        for (const [projection, expected] of [
          [all, of],
          [chosen, kept],
        ] as const) {
          const { batch: made, failures } = projection.run(part, SNAPSHOT);
          expect(failures).toEqual([]);
          const found = Array.from({ length: made.rowCount }, (_, at) =>
            Object.keys(fields).map((name) => made.value(name, at)),
          );
          expect(found).toEqual(
            expected.map(([, t, o]) => [
              ...[t.toUpperCase(), t.toLowerCase()],
              ...[o?.toUpperCase() ?? null, o?.toLowerCase() ?? null],
            ]),
          );
        }
        expect(part.rowCount).toBe(of.length);
        of.forEach(([, t], at) => {
          expect(part.value('t', at)).toBe(t);
        });
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});
