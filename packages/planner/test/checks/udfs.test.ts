import type { Model, UdfModel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { messagesOf, planWith } from '../support/models.js';

const UDF: UdfModel = {
  kind: 'udf',
  name: 'twice',
  language: 'ECMASCRIPT_2023',
  arguments: [{ name: 'x', type: 'I64', optional: false }],
  returns: { type: 'I64', optional: false },
  volatile: false,
  code: 'function twice(x) { return x + x; }',
};

function plannedUdfs(...models: readonly Model[]) {
  const outcome = planWith(...models);
  return outcome.kind === 'accepted' ? outcome.plan.udfs : messagesOf(outcome);
}

describe('UDFs of a plan (TYPE 8)', () => {
  test('a UDF in a language with an engine is part of the plan as it is declared', () => {
    const { kind: _kind, ...plan } = UDF;
    expect(plannedUdfs(UDF)).toEqual([plan]);
  });

  test('one in Roto is accepted and no part of the plan', () => {
    expect(plannedUdfs({ ...UDF, language: 'ROTO_0_13' })).toEqual([]);
  });

  const argument = (name: string) => ({ name, type: 'U8', optional: false }) as const;
  test.each<[string, Partial<UdfModel>, string]>([
    ['no argument', { arguments: [] }, 'UDF arity must be between 1 and 8'],
    [
      'nine arguments',
      { arguments: [...'abcdefghi'].map(argument) },
      'UDF arity must be between 1 and 8',
    ],
    [
      'a reserved argument name',
      { arguments: [argument('__nervix_x')] },
      "UDF 'twice' uses reserved identifier prefix '__nervix_'",
    ],
    [
      'an argument twice',
      { arguments: [argument('a'), argument('a')] },
      "duplicate UDF argument 'a'",
    ],
    [
      'an ARRAY without elements',
      { returns: { type: { kind: 'array', element: 'U8', length: 0 }, optional: false } },
      "UDF 'twice' has an ARRAY length outside 1 to 2147483647",
    ],
  ])('TX-44 %s is refused', (_, change, reason) => {
    for (const language of ['ECMASCRIPT_2023', 'ROTO_0_13'] as const) {
      expect(plannedUdfs({ ...UDF, ...change, language })).toEqual([
        `model 'twice' in domain 'taxi' is invalid: ${reason}`,
      ]);
    }
  });
});
