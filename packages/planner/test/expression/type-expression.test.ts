import { NO_SPANS, type SourceSpan, typedExpressionDefect, type UdfModel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { type TypeExpressionInput, typeExpression } from '../../src/index.js';
import { binary, call, field, float, int, nil, text, udf } from '../support/expressions.js';
import { column } from '../support/models.js';

const INPUT = [column('id', 'I64'), column('note', 'STRING', { optional: true })];

function typed(input: Partial<TypeExpressionInput> & Pick<TypeExpressionInput, 'expression'>) {
  return typeExpression({ context: 'processor_set', rows: { input: INPUT }, ...input });
}

const scale: UdfModel = {
  kind: 'udf',
  name: 'scale',
  language: 'ROTO_0_13',
  arguments: [{ name: 'x', type: 'F64', optional: false }],
  returns: { type: 'F64', optional: false },
  volatile: false,
  code: '',
};

describe('one expression alone', () => {
  test.each(['nowhere', 'toString', 'Processor_Set'])('has no place called %s', (context) => {
    const outcome = typed({ expression: int(1), context: context as 'processor_set' });
    expect(outcome).toMatchObject({
      kind: 'refused',
      faults: [{ reason: expect.stringContaining(`unknown context '${context}'; there are `) }],
    });
  });

  test('becomes a program: plain data with version and the paths that it reads', () => {
    const outcome = typed({ expression: call('coalesce', field('note'), text('none')) });
    expect(outcome).toEqual({
      kind: 'typed',
      program: {
        version: 1,
        expression: {
          kind: 'call',
          function: 'coalesce',
          overload: 'coalesce',
          arguments: [
            {
              kind: 'column',
              row: 'input',
              field: 'note',
              type: 'STRING',
              optional: true,
              sensitive: false,
            },
            { kind: 'literal', value: 'none', type: 'STRING', optional: false, sensitive: false },
          ],
          type: 'STRING',
          optional: false,
          sensitive: false,
        },
        aggregates: [],
        reads: ['input.note'],
      },
    });
  });

  test('may use what no engine of this release runs', () => {
    const outcome = typed({
      expression: binary(
        udf('scale', call('LOOKUP_HASH_MAP', text('rates'), field('id'), text('value'))),
        'mul',
        field('relay_state.latest.factor'),
      ),
      udfs: [scale],
      hashMaps: { rates: [column('value', 'F64')] },
      states: { latest: [column('factor', 'F64')] },
    });
    if (outcome.kind !== 'typed') throw new Error(outcome.faults[0].reason);
    expect(typedExpressionDefect(outcome.program.expression)).toBe(undefined);
    expect(outcome.program.expression).toMatchObject({ type: 'F64', optional: true });
    expect(outcome.program.reads).toEqual(['input.id', 'relay_state.latest.factor']);
  });

  test('has its aggregates beside it', () => {
    const outcome = typed({
      expression: binary(call('sum', field('input.id')), 'add', call('count', field('input.id'))),
      context: 'window_set',
    });
    expect(outcome).toMatchObject({
      program: {
        expression: { left: { kind: 'aggregate', index: 0 }, right: { index: 1 } },
        aggregates: [{ function: 'SUM' }, { function: 'COUNT' }],
      },
    });
  });

  test('is told with every fault, its place and a hint', () => {
    const left = field('input.idd');
    const right = call('trim', float(1));
    expect(typed({ expression: binary(left, 'eq', right) })).toEqual({
      kind: 'refused',
      faults: [
        { reason: "unknown input field 'idd'", subject: left, hint: 'did you mean id?' },
        { reason: "function 'trim' requires Utf8 input, found Float64", subject: right },
      ],
    });
  });

  test('has a type of its own', () => {
    const expression = call('vec');
    expect(typed({ expression: nil })).toMatchObject({
      faults: [{ reason: 'NULL requires a declared optional assignment target' }],
    });
    expect(typed({ expression })).toMatchObject({
      faults: [{ reason: 'vec() without values may only be the whole value of a VEC field' }],
    });
  });

  test('carries the ranges of its parts', () => {
    const expression = int(7);
    const span: SourceSpan = { start: 3, end: 4 };
    const spans = {
      ...NO_SPANS,
      spanOf: (node: object) => (node === expression ? span : undefined),
    };
    expect(typed({ expression, spans })).toMatchObject({ program: { expression: { span } } });
  });

  test('no hash map is found by the name of a member that every object has', () => {
    const expression = call('LOOKUP_HASH_MAP', text('constructor'), int(1), text('name'));
    expect(typed({ expression, hashMaps: {} })).toMatchObject({
      faults: [{ reason: "LOOKUP_HASH_MAP hash map 'constructor' does not exist" }],
    });
  });
});
