import type { SchemaPlan, TypedExpression } from '@nervix/model';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compileExpressions } from '../../src/program/compile-expressions.js';
import { interpretExpression } from '../../src/program/interpret-expression.js';
import { RowFault } from '../../src/program/row-fault.js';
import type { RowSet } from '../../src/program/row-set.js';
import { StructuralKeys } from '../../src/program/structural-keys.js';
import { SNAPSHOT } from './expression-fixture.js';

const SCHEMA: SchemaPlan = {
  name: 'rows',
  fields: [
    { name: 'key', type: 'STRING', optional: true, sensitive: false },
    { name: 'x', type: 'F64', optional: false, sensitive: false },
  ],
};
const key: TypedExpression = {
  ...{ kind: 'column', row: 'input', field: 'key', type: 'STRING' },
  ...{ optional: true, sensitive: false },
};
const x: TypedExpression = { ...key, field: 'x', type: 'F64', optional: false };

function input(...rows: readonly (readonly [string | null, number])[]): RowSet {
  const builder = new BatchBuilder(SCHEMA);
  for (const row of rows) builder.appendRow(row);
  return { rowCount: rows.length, input: builder.finish() };
}

/** Values of the rows, or their failures, by both engines, which must agree. */
function values(expression: TypedExpression, rows: RowSet): readonly Value[] {
  const { columns, failures } = compileExpressions([expression], { input: SCHEMA }, 'set').evaluate(
    rows,
    SNAPSHOT,
  );
  const failed = new Map(failures.map(({ row, kind, detail }) => [row, `${kind}: ${detail}`]));
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const compiled = failed.get(row) ?? readValue(columns[0]!, row);
    let interpreted: Value;
    try {
      interpreted = interpretExpression(expression, { rows, row, snapshot: SNAPSHOT });
    } catch (fault) {
      if (!(fault instanceof RowFault)) throw fault;
      interpreted = `${fault.kind}: ${fault.detail}`;
    }
    expect(compiled).toEqual(interpreted);
    return compiled;
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what programs ask beside their rows (TYPE 5, TYPE 6.5)', () => {
  test('the latest record of a materialized relay, null while there is none', () => {
    const state: TypedExpression = {
      ...{ kind: 'state', relay: 'rates', field: 'x', type: 'F64' },
      ...{ optional: true, sensitive: false },
    };
    const rows = input(['a', 1], ['b', 2]);
    expect(values(state, { ...rows, states: () => undefined })).toEqual([null, null]);
    const { input: record } = input(['r', 7]);
    const states = (relay: string) => (relay === 'rates' ? record : undefined);
    expect(values(state, { ...rows, states })).toEqual([7, 7]);
  });

  test('the entry of a hash map, which a null key has not', () => {
    const found: TypedExpression = {
      ...{ kind: 'lookup', map: 'm', key, field: 'f', type: 'STRING' },
      ...{ optional: true, sensitive: false },
    };
    const lookUp = (map: string, field: string, asked: Value): Value =>
      asked === 'none' ? null : `${map}.${field}.${String(asked)}`;
    const rows = { ...input(['a', 1], [null, 2], ['none', 3]), lookUp };
    expect(values(found, rows)).toEqual(['m.f.a', null, null]);
  });

  test('a failing lookup fails the batch', () => {
    const found: TypedExpression = {
      ...{ kind: 'lookup', map: 'm', key, field: 'f', type: 'STRING' },
      ...{ optional: true, sensitive: false },
    };
    const lookUp = (): Value => {
      throw new Error('the map is gone');
    };
    expect(() => values(found, { ...input(['a', 1]), lookUp })).toThrow('the map is gone');
  });
});

describe('equal parts (TYPE 3.2)', () => {
  const sine = (span: number): TypedExpression => ({
    ...{ kind: 'call', function: 'sin', overload: 'sin', arguments: [x], type: 'F64' },
    ...{ optional: false, sensitive: false, span: { start: span, end: span + 1 } },
  });
  const sum = (left: TypedExpression, right: TypedExpression): TypedExpression => ({
    ...{ kind: 'binary', operator: 'add', left, right, type: 'F64' },
    ...{ optional: false, sensitive: false },
  });
  const random: TypedExpression = {
    ...{ kind: 'call', function: 'uuid_v4', overload: 'uuid_v4', arguments: [], type: 'STRING' },
    ...{ optional: false, sensitive: false },
  };

  test('have one number wherever they stand, volatile ones none', () => {
    const keys = new StructuralKeys();
    expect(keys.keyOf(sine(1))).toBe(keys.keyOf(sine(9)));
    expect(keys.keyOf(sine(1))).not.toBe(keys.keyOf(x));
    expect(keys.keyOf(sum(sine(1), x))).not.toBe(keys.keyOf(sum(x, sine(1))));
    expect(keys.keyOf(random)).toBe(undefined);
  });

  test('are computed once a row', () => {
    const sources: string[] = [];
    const Real = Function;
    vi.stubGlobal('Function', function capture(...parts: string[]) {
      sources.push(parts.at(-1) ?? '');
      return Real(...parts);
    });
    expect(values(sum(sine(1), sum(sine(2), sine(3))), input(['a', 1]))).toEqual([3 * Math.sin(1)]);
    expect(sources.join().split('Math.sin(')).toHaveLength(2);
  });
});
