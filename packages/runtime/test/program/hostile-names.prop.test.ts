import type { SchemaPlan, TypedExpression } from '@nervix/model';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue } from '../../src/column/column.js';
import { compileColumn } from '../../src/program/column-program.js';
import { RowFailures } from '../../src/program/row-failures.js';
import { propertyRuns } from '../support/property-runs.js';
import { SNAPSHOT } from './expression-fixture.js';

const RUNS = propertyRuns(200);

/** Texts that would do harm, or break the code, if they ever became a part of it. */
const hostile = fc.oneof(
  fc.constantFrom(
    "'); globalThis.harmed = true; ('",
    '"];globalThis.harmed=true;//',
    `\`$\{globalThis.harmed = true}\``,
    '*/ globalThis.harmed = true; /*',
    '\u2028globalThis.harmed = true\u2029',
    '\n}; globalThis.harmed = true; {',
    '__proto__',
    'constructor',
    '\\',
    '\u0000',
    '</script>',
  ),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
);

afterEach(() => {
  vi.unstubAllGlobals();
});

const plain = { optional: false, sensitive: false } as const;
const text = (value: string): TypedExpression => ({
  kind: 'literal',
  type: 'STRING',
  value,
  ...plain,
});

function program(field: string, literal: string, map: string): TypedExpression {
  const column = { kind: 'column', row: 'input', field, type: 'STRING', ...plain } as const;
  const joined = (...parts: TypedExpression[]): TypedExpression => ({
    ...{ kind: 'call', function: 'concat', overload: 'concat.text', type: 'STRING', ...plain },
    arguments: parts,
  });
  const found: TypedExpression = {
    ...{ kind: 'lookup', map, field, key: column, type: 'STRING', sensitive: false },
    optional: true,
  };
  const isListed: TypedExpression = {
    ...{ kind: 'in', negated: false, operand: column, elements: [text(literal)], type: 'BOOL' },
    ...plain,
  };
  const listed: TypedExpression = {
    ...{ kind: 'cast', isTry: false, operand: isListed, target: 'STRING', type: 'STRING' },
    ...plain,
  };
  return joined(column, text(literal), found, listed);
}

test('names and literals of a statement never become a part of generated code', () => {
  const sources: string[] = [];
  const Real = Function;
  vi.stubGlobal('Function', function capture(...parts: string[]) {
    sources.push(parts.join('\n'));
    return Real(...parts);
  });
  fc.assert(
    fc.property(hostile, hostile, hostile, (field, literal, map) => {
      sources.length = 0;
      const schema: SchemaPlan = { name: map, fields: [{ name: field, type: 'STRING', ...plain }] };
      const builder = new BatchBuilder(schema);
      builder.appendRow([literal]);
      const rows = {
        rowCount: 1,
        input: builder.finish(),
        lookUp: (...asked: unknown[]) => asked.join('|'),
      };
      const context = { operation: 'set', operationIndex: null, paths: [] } as const;
      const failures = new RowFailures(1, context);
      const column = compileColumn(program(field, literal, map), { input: schema }).run(
        rows,
        SNAPSHOT,
        failures,
      );
      expect(failures.count).toBe(0);
      expect(readValue(column, 0)).toBe(`${literal}${literal}${map}|${field}|${literal}true`);
      expect(sources).toHaveLength(1);
      for (const name of [field, literal, map]) {
        // Short texts occur in any code by chance.
        if (name.length > 8) expect(sources[0]).not.toContain(name);
      }
      expect('harmed' in globalThis).toBe(false);
    }),
    { numRuns: RUNS },
  );
});
