import { type DataType, printDataType, type TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compileCallStages } from '../../src/program/call-stages.js';
import { compileColumn, interpretedColumn } from '../../src/program/column-program.js';
import { RowFailures } from '../../src/program/row-failures.js';
import type { ProgramRows } from '../../src/program/row-set.js';
import type { UdfCalls } from '../../src/udf/udf-calls.js';
import { propertyRuns } from '../support/property-runs.js';
import { SNAPSHOT } from './expression-fixture.js';
import { Dice, expression, LISTS, randomBatch, SCALARS, schemaReadBy } from './random-program.js';

/** Gives back what it is given, null too. */
const IDENTITY: UdfCalls = {
  has: () => true,
  requiredArguments: () => [],
  call: (_, [values = []]) => values as Value[],
};

function isTyped(value: object): value is TypedExpression {
  return 'kind' in value && 'type' in value && 'sensitive' in value;
}

/** An expression some of whose parts, at any depth, go through a function that changes nothing. */
function detoured<Part>(part: Part, dice: Dice): Part {
  if (Array.isArray(part)) return part.map((each) => detoured(each, dice)) as Part;
  if (part === null || typeof part !== 'object') return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => {
      // Elements of IN are constants.
      const isFixed = name === 'elements' && 'negated' in part;
      return [name, isFixed || name === 'type' ? inner : detoured(inner, dice)];
    }),
  );
  if (!isTyped(part) || part.kind === 'literal' || !dice.chance(0.3)) return copy as Part;
  const { type, optional, sensitive } = part;
  const call = { kind: 'udf_call', name: 'same', volatile: dice.chance(0.5), arguments: [copy] };
  return { ...call, type, optional, sensitive } as Part;
}

type Compile = typeof compileColumn;
type InputRows = ProgramRows & { readonly input: RecordBatch };

const withInterpreter: Compile = (program, schemas) => {
  const stages = compileCallStages(program, schemas, (part, sources) =>
    interpretedColumn(part, sources.stages),
  );
  const rest = interpretedColumn(program, stages?.sources.stages);
  return {
    run(rows, snapshot, failures) {
      const staged = stages?.run(rows, snapshot, failures);
      return rest.run(staged === undefined ? rows : { ...rows, staged }, snapshot, failures);
    },
  };
};

function outcome(program: TypedExpression, rows: InputRows, compile: Compile): unknown[] {
  const context = { operation: 'set', operationIndex: null, paths: [] } as const;
  const failures = new RowFailures(rows.rowCount, context);
  const snapshot = { ...SNAPSHOT, udfs: IDENTITY };
  const column = compile(program, { input: rows.input.schema }).run(rows, snapshot, failures);
  const failed = new Map(
    failures.count === 0 ? [] : failures.list().map((each) => [each.row, each]),
  );
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const failure = failed.get(row);
    if (failure === undefined) return readValue(column, row);
    return { kind: failure.kind, detail: failure.detail, span: failure.span };
  });
}

const cases = [...SCALARS, ...LISTS].map((type): [string, DataType] => [printDataType(type), type]);
const RUNS = propertyRuns(8, cases.length);

test.each(cases)(
  'calls that change nothing change no value and no failure of %s (TYPE 3.1, TYPE 3.2, TYPE 8)',
  (_, type) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = new Dice(seed);
        const program = expression(dice, 1 + dice.below(4), type);
        const input = randomBatch(dice, 1 + dice.below(40), schemaReadBy(program));
        const rows = { rowCount: input.rowCount, input, headers: () => ['x'] };
        const changed = detoured(program, dice);
        const expected = outcome(program, rows, compileColumn);
        expect(outcome(changed, rows, compileColumn)).toEqual(expected);
        expect(outcome(changed, rows, withInterpreter)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  },
);
