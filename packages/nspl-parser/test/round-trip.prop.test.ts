import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExpression, printExpression, printStatement } from '../src/index.ts';
import { expression } from './support/arbitraries/expressions.ts';
import { statement } from './support/arbitraries.ts';
import { plain, read } from './support/reading.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

test('NSPL 9: a printed statement reads back as itself and prints the same again', () => {
  fc.assert(
    fc.property(statement, (original) => {
      const printed = printStatement(original, { withSecrets: true });
      const again = read(printed);
      expect(plain(again)).toEqual(plain(original));
      expect(printStatement(again, { withSecrets: true })).toBe(printed);
    }),
    { numRuns },
  );
});

test('NSPL 9.2: a printed expression reads back as itself', () => {
  fc.assert(
    fc.property(expression, (original) => {
      const printed = printExpression(original);
      const result = parseExpression(printed);
      if (result.kind === 'refused')
        throw new Error(`${printed}\n${JSON.stringify(result.errors)}`);
      expect(plain(result.expression)).toEqual(plain(original));
    }),
    { numRuns },
  );
});
