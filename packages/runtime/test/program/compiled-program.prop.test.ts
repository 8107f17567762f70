import { type DataType, printDataType, type SchemaPlan, type TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readValue, type Value } from '../../src/column/column.js';
import { compileExpressions } from '../../src/program/compile-expressions.js';
import { compilePredicate } from '../../src/program/compile-predicate.js';
import { interpretExpression } from '../../src/program/interpret-expression.js';
import { RowFault } from '../../src/program/row-fault.js';
import type { ExecutionSnapshot, RowSet } from '../../src/program/row-set.js';
import { propertyRuns } from '../support/property-runs.js';
import { Dice, expression, LISTS, randomBatch, SCALARS, schemaReadBy } from './random-program.js';

const RESULTS = [...SCALARS, ...LISTS].map((type) => [printDataType(type), type] as const);
const RUNS = propertyRuns(20, RESULTS.length);

const snapshot: ExecutionSnapshot = {
  generation: 1,
  nowNanos: 1_700_000_000_123_456_789n,
  randomBytes: (count) => new Uint8Array(count).fill(7),
};

interface ProgramCase {
  readonly program: TypedExpression;
  readonly schema: SchemaPlan;
  readonly rows: RowSet;
}

interface Outcome {
  readonly value?: Value;
  readonly kind?: string;
  readonly detail?: string;
  readonly span?: object | undefined;
}

function interpreted({ program, rows }: ProgramCase): Outcome[] {
  return Array.from({ length: rows.rowCount }, (_, row) => {
    try {
      return { value: interpretExpression(program, { rows, row, snapshot }) };
    } catch (fault) {
      if (!(fault instanceof RowFault)) throw fault;
      return { kind: fault.kind, detail: fault.detail, span: fault.span };
    }
  });
}

function compiled({ program, schema, rows }: ProgramCase): Outcome[] {
  const { columns, failures } = compileExpressions([program], { input: schema }, 'set').evaluate(
    rows,
    snapshot,
  );
  const failed = new Map(failures.map((failure) => [failure.row, failure]));
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const failure = failed.get(row);
    if (failure === undefined) return { value: readValue(columns[0]!, row) };
    return { kind: failure.kind, detail: failure.detail, span: failure.span };
  });
}

function randomCase(seed: number, type: DataType): ProgramCase {
  const dice = new Dice(seed);
  const program = expression(dice, 1 + dice.below(4), type);
  const schema = schemaReadBy(program);
  const input = randomBatch(dice, 1 + dice.below(40), schema);
  const rows: RowSet = {
    rowCount: input.rowCount,
    input,
    headers: (row, name) => (row % 2 === 0 ? [] : [`${name}!`, name]),
  };
  return { program, schema, rows };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('compiled programs', () => {
  test.each(RESULTS)(
    'yield what the interpreter yields for %s (TYPE 3, TYPE 6, RT-45)',
    (_, type) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const made = randomCase(seed, type);
          const { program, schema, rows } = made;
          const expected = interpreted(made);
          expect(compiled(made)).toEqual(expected);
          if (type !== 'BOOL') return;
          const chosen = expected.flatMap(({ value }, row) => (value === true ? [row] : []));
          const predicate = compilePredicate(program, { input: schema }, 'filter_where');
          expect([...predicate.select(rows, snapshot).rows]).toEqual(chosen);
        }),
        { numRuns: RUNS },
      );
    },
  );

  test('run where the host forbids to make code of text, with the same results', () => {
    vi.stubGlobal(
      'Function',
      class {
        constructor() {
          throw new EvalError('code generation from strings disallowed');
        }
      },
    );
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom<DataType>('I64', 'STRING', 'BOOL'),
        (seed, type) => {
          const made = randomCase(seed, type);
          expect(compiled(made)).toEqual(interpreted(made));
        },
      ),
      { numRuns: propertyRuns(20) },
    );
  });
});
