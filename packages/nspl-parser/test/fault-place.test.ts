import { expect, test } from 'vitest';
import { faultPlace, namePlaces, type ParsedStatement, parseScript } from '../src/index.js';

const TEXT = '// grün\nSTOP; CREATE RELAY orders SCHEMA Order UNBRANCHED; // order';

function relay(): ParsedStatement {
  const [, parsed] = parseScript(TEXT).statements;
  if (parsed === undefined) throw new Error('the text holds two statements');
  return parsed;
}

/** The text in a byte range. */
function at(span: { start: number; end: number } | undefined): string | undefined {
  return span === undefined
    ? undefined
    : Buffer.from(TEXT).subarray(span.start, span.end).toString('utf8');
}

test('a name is a word of its own, in whatever case, in bytes of the whole text', () => {
  const parsed = relay();
  expect(namePlaces(parsed, 'order').map(at)).toEqual(['Order']);
  expect(namePlaces(parsed, 'RELAY').map(at)).toEqual(['RELAY']);
  expect(namePlaces(parsed, 'rel')).toEqual([]);
  expect(namePlaces(parsed, '.')).toEqual([]);
});

test('a fault stands at a missing name, else at its node, else at what the statement makes', () => {
  const parsed = relay();
  const { statement } = parsed;
  const model = statement.kind === 'create_model' ? statement.model : undefined;
  expect(at(faultPlace(parsed, { missingName: 'order', name: 'orders' }))).toBe('Order');
  expect(at(faultPlace(parsed, { subject: model, name: 'orders' }))).toBe('orders');
  expect(faultPlace(parsed, { missingName: 'elsewhere' })).toBeUndefined();
  expect(faultPlace(parsed, {})).toBeUndefined();
});
