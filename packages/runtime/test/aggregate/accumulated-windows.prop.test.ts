import type { DataType, TypedAggregate, TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccumulatedWindows } from '../../src/aggregate/accumulated-windows.js';
import { compileAggregates } from '../../src/aggregate/compile-aggregates.js';
import type { EndedWindows } from '../../src/aggregate/group-windows.js';
import { RetainedWindows } from '../../src/aggregate/retained-windows.js';
import { readValue, type Value } from '../../src/column/column.js';
import { SNAPSHOT } from '../program/expression-fixture.js';
import { Dice, randomBatch, SCALAR_SCHEMA } from '../program/random-program.js';
import { propertyRuns } from '../support/property-runs.js';

const NUMBERS = ['U8', 'I16', 'I32', 'U32', 'I64', 'U64'] as const;
const FIXED = [...NUMBERS, 'F32', 'F64', 'DATETIME'] as const;

const plain = { optional: true, sensitive: false } as const;

function argument(type: string, operator: 'div' | null): TypedExpression {
  const name = `${type.toLowerCase()}_opt`;
  const column = { kind: 'column', row: 'input', field: name, type, ...plain } as TypedExpression;
  if (operator === null) return column;
  const required = { ...column, field: type.toLowerCase(), optional: false } as TypedExpression;
  return { kind: 'binary', operator, left: column, right: required, type, ...plain } as never;
}

function aggregate(name: string, type: string, of: TypedExpression): TypedAggregate {
  return {
    ...{ function: name, arguments: [of], type: type as DataType },
    ...{ ...plain, constants: [] },
  };
}

/** Every aggregate that needs no rows, over every type; some arguments fail for some rows. */
const AGGREGATES: readonly TypedAggregate[] = [
  aggregate('COUNT', 'I64', argument('STRING', null)),
  ...['COUNT_IF', 'BOOL_AND', 'BOOL_OR'].map((name) =>
    aggregate(name, name === 'COUNT_IF' ? 'I64' : 'BOOL', argument('BOOL', null)),
  ),
  ...NUMBERS.flatMap((type) => [
    aggregate('SUM', type.startsWith('U') ? 'U64' : 'I64', argument(type, null)),
    aggregate('AVG', 'F64', argument(type, null)),
  ]),
  ...['SUM', 'AVG'].map((name) => aggregate(name, 'F32', argument('F32', null))),
  aggregate('SUM', 'F64', argument('F64', null)),
  ...FIXED.flatMap((type) =>
    ['MIN', 'MAX'].map((name) => aggregate(name, type, argument(type, null))),
  ),
];
const FAILING = [aggregate('MAX', 'I32', argument('I32', 'div'))];

function shown({ groups, results, lost }: EndedWindows): unknown {
  const rows = groups.map((group, row): Value[] => [
    group,
    ...results.columns.map((column) => readValue(column, row)),
  ]);
  return { rows, lost };
}

test('windows that keep no rows yield what windows that keep them yield (RT-110…113)', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed);
      const chosen = AGGREGATES.filter(() => dice.chance(0.15));
      const aggregates = [...chosen, ...(dice.chance(0.3) || chosen.length === 0 ? FAILING : [])];
      const program = compileAggregates(aggregates, SCALAR_SCHEMA);
      const rowsMax = dice.chance(0.3) ? Number.POSITIVE_INFINITY : 1 + dice.below(7);
      const own = AccumulatedWindows.for(program, rowsMax);
      const other = new RetainedWindows(program, rowsMax);
      if (own === undefined) throw new Error('these aggregates need no rows');
      let groupCount = 0;
      for (let batches = 1 + dice.below(3); batches > 0; batches -= 1) {
        const batch = randomBatch(dice, 1 + dice.below(24), SCALAR_SCHEMA);
        const ids = Int32Array.from({ length: batch.rowCount }, () => dice.below(groupCount + 2));
        groupCount = ids.reduce((most, id) => Math.max(most, id + 1), groupCount);
        const without = dice.chance(0.3) ? 0.2 : 0;
        const failed = new Set([...ids.keys()].filter(() => dice.chance(without)));
        const rows = { batch, ids, groupCount, failed };
        const [found, expected] = [own.admit(rows, SNAPSHOT), other.admit(rows, SNAPSHOT)];
        expect(shown(found.ended)).toEqual(shown(expected.ended));
        const byRow = [...expected.failures].sort((left, right) => left.row - right.row);
        expect(found.failures).toEqual(byRow);
      }
      expect(shown(own.flush())).toEqual(shown(other.flush(SNAPSHOT)));
      expect(own.flush().groups).toEqual([]);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test.each([
  ['VAR_POP', 'F64'],
  ['FIRST', 'I64'],
  ['MAX', 'STRING'],
  ['AVG', 'F64'],
])('windows with %s of %s keep their rows', (name, type) => {
  const program = compileAggregates([aggregate(name, type, argument(type, null))], SCALAR_SCHEMA);
  expect(AccumulatedWindows.for(program, 10)).toBeUndefined();
});
