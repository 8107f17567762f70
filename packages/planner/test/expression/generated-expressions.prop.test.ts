import { fc, test } from '@fast-check/vitest';
import { canonicalText, printDataType, typedExpressionDefect } from '@nervix/model';
import { expect } from 'vitest';
import { isUntyped } from '../../src/expression/checked.js';
import { Chance, generate } from '../support/generated-expressions.js';
import { TYPE_COLUMNS } from '../support/signature-rows.js';
import { typeOf, typing } from '../support/typing.js';

const runs = (usual: number): number => Number(process.env['PROP_RUNS'] ?? usual);
const TYPES = Object.keys(TYPE_COLUMNS);

function generatedFrom(seed: number) {
  const chance = new Chance(seed);
  const type = chance.pick(TYPES);
  return { chance, generated: generate(chance, 1 + chance.below(4), type, new Set([type])) };
}

test.prop([fc.integer()], { numRuns: runs(3_000) })(
  'TYPE 3-6: an expression made by the rules has the type, nullability and sensitivity of them',
  (seed) => {
    const { generated } = generatedFrom(seed);
    const { type, optional, sensitive } = generated;
    const value = typing(generated.build());
    if (typeof value === 'string' || isUntyped(value)) throw new Error(`refused: ${String(value)}`);
    expect([printDataType(value.type), value.optional, value.sensitive]).toEqual([
      type,
      optional,
      sensitive,
    ]);
    expect(typedExpressionDefect(value)).toBe(undefined);
  },
);

test.prop([fc.integer()], { numRuns: runs(3_000) })(
  'TYPE 2: nothing converts by itself, so one column of another type is refused or changes the type',
  (seed) => {
    const { chance, generated } = generatedFrom(seed);
    fc.pre(generated.leaves.length > 0);
    const leaf = chance.below(generated.leaves.length);
    const allowed = generated.leaves[leaf]?.allowed ?? new Set();
    const others = TYPES.filter((type) => !allowed.has(type));
    fc.pre(others.length > 0);
    const found = typeOf(generated.build({ leaf, type: chance.pick(others) }));
    expect(found.replace(/[?!]+$/u, '')).not.toBe(generated.type);
  },
);

test.prop([fc.integer()], { numRuns: runs(300) })(
  'a typed expression is plain data: JSON and structured clones are equal to it',
  (seed) => {
    const value = typing(generatedFrom(seed).generated.build());
    expect(canonicalText(JSON.parse(JSON.stringify(value)))).toBe(canonicalText(value));
    expect(canonicalText(structuredClone(value))).toBe(canonicalText(value));
  },
);
