import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { GrammarHost } from '../src/grammar/grammar-host.ts';
import { completeAt, printStatement } from '../src/index.ts';
import { KEYWORDS } from '../src/keywords.ts';
import { statement } from './support/arbitraries.ts';
import { EVERYTHING } from './support/completion-graph.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

/** Completes anywhere; whatever the text is, the answer is one and its ranges lie in the text. */
function survive(text: string, offset: number): void {
  const length = Buffer.byteLength(text);
  const { items, placeholders, replace, localPath } = completeAt(text, offset, EVERYTHING);
  for (const { start, end } of localPath === undefined ? [replace] : [replace, localPath.replace]) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(length);
  }
  const labels = items.map(({ label }) => label);
  expect([...labels].sort()).toEqual(labels);
  expect(new Set(items.map(({ label, kind }) => `${kind} ${label}`)).size).toBe(items.length);
  expect([...new Set(placeholders)].sort()).toEqual(placeholders);
}

const offset = fc.oneof(
  fc.integer({ min: -2, max: 400 }),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);

test('NSPL 11: any text can be completed at any offset', () => {
  const piece = fc.oneof(
    fc.constantFrom(...KEYWORDS),
    fc.constantFrom(...'; : , . = ( ) { } \' " ` $$ $a$ // @ \n'.split(' '), '\ud800', 'é', '💧'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' '));
  fc.assert(fc.property(text, offset, survive), { numRuns: numRuns * 2 });
});

test('NSPL 11: statements can be completed inside every character', () => {
  fc.assert(
    fc.property(statement, fc.nat(), (model, at) => {
      const text = printStatement(model);
      survive(text, at % (Buffer.byteLength(text) + 1));
    }),
    { numRuns },
  );
});

test('NSPL 11: the statements around the cursor are not read', () => {
  const taken = vi.spyOn(GrammarHost.prototype, 'take');
  const cost = (text: string, at: number) => {
    taken.mockClear();
    const { items } = completeAt(text, at);
    expect(items.map(({ label }) => label)).toContain('RELAY');
    return taken.mock.calls.length;
  };
  const alone = cost('CREATE REL', 10);
  const others = 'CREATE RELAY r SCHEMA s UNBRANCHED; '.repeat(200);
  expect(cost(`${others}CREATE REL; ${others}`, others.length + 10)).toBe(alone);
  taken.mockRestore();
});
