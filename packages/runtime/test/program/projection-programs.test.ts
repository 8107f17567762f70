import {
  type SchemaPlan,
  TYPED_PROGRAM_VERSION,
  type TypedExpression,
  type TypedProgram,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { compileProjection } from '../../src/program/compile-projection.js';

const INPUT: SchemaPlan = {
  name: 's',
  fields: [
    { name: 'id', type: 'I64', optional: false, sensitive: false },
    { name: 'note', type: 'STRING', optional: true, sensitive: false },
  ],
};

const plain = { optional: false, sensitive: false } as const;
const id: TypedExpression = { kind: 'column', row: 'input', field: 'id', type: 'I64', ...plain };

const program = (expression: TypedExpression): TypedProgram => ({
  version: TYPED_PROGRAM_VERSION,
  expression,
  aggregates: [],
  reads: [],
});

const refused: readonly [string, TypedExpression, RegExp][] = [
  ['another type', { ...id, type: 'I32' }, /no such field as input\.id/u],
  ['another nullability', { ...id, optional: true }, /no such field as input\.id/u],
  ['a missing field', { ...id, field: 'other' }, /no such field as input\.other/u],
  ['a row of a correlation', { ...id, row: 'left' } as TypedExpression, /left\.id/u],
  [
    'a lookup',
    {
      kind: 'lookup',
      map: 'm',
      key: id,
      field: 'f',
      type: 'I64',
      optional: true,
      sensitive: false,
    },
    /more than its input: lookup/u,
  ],
  [
    'a user-defined function',
    { kind: 'udf_call', name: 'f', volatile: false, arguments: [id], type: 'I64', ...plain },
    /calls a UDF that is not given: f/u,
  ],
];

describe('a projection takes no program of other records than its own (RT-41)', () => {
  test.each(refused)('%s', (_, expression, problem) => {
    const inner: TypedExpression = {
      kind: 'distinct',
      negated: false,
      left: expression,
      right: expression,
      type: 'BOOL',
      ...plain,
    };
    for (const fields of [{ a: program(expression) }, { a: program(inner) }]) {
      expect(() => compileProjection({ input: INPUT, fields })).toThrow(
        expect.objectContaining({
          code: 'RUNTIME_INVALID_PROGRAM',
          message: expect.stringMatching(problem),
        }),
      );
    }
    expect(() =>
      compileProjection({ input: INPUT, fields: { a: program(id) }, where: program(inner) }),
    ).toThrow(expect.objectContaining({ message: expect.stringMatching(problem) }));
  });

  test('a condition is BOOL', () => {
    const make = () =>
      compileProjection({ input: INPUT, fields: { a: program(id) }, where: program(id) });
    expect(make).toThrow(
      expect.objectContaining({
        code: 'RUNTIME_INVALID_PROGRAM',
        message: expect.stringContaining('it is no condition'),
      }),
    );
  });
});
