import type { ErrorBody, WireSpan } from '@nervix/protocol';
import { expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';

/** Text of more bytes than characters, in front of what is located. */
const COMMENT = '// Flüge – 航班 ✈\n';
const X = 'CREATE SCHEMA x (id I64);';
const RELAY = 'CREATE RELAY q SCHEMA nope UNBRANCHED CAPACITY 8;';
const TARGET = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';
const JUNCTION =
  'CREATE JUNCTION j FROM r WHERE input.nope > 1 UNBRANCHED TO q INHERIT ALL ' +
  'FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';

function textAt(text: string, span: WireSpan | undefined): string | undefined {
  if (span === undefined) return undefined;
  return Buffer.from(text).subarray(span.start, span.end).toString();
}

/** What the diagnostics point at, in the operations and in the request. */
function places(
  { diagnostics }: ErrorBody['error'],
  operations: readonly string[],
  query: string,
): readonly unknown[] {
  return diagnostics.map(({ operation, operation_span: within, span }) => [
    operation,
    textAt(operations[(operation ?? 0) - 1] ?? '', within),
    textAt(query, span),
  ]);
}

test('CP-67: a name that is missing at COMMIT is located in its statement', async () => {
  const node = await openWithRelay();
  const query = `BEGIN; ${COMMENT}${X} ${RELAY} COMMIT;`;
  const error = await node.refuse(query);
  expect([error.code, error.message]).toEqual([
    'NOT_FOUND',
    "transaction operation 2 failed: model 'q' in domain 'd' requires missing schema 'nope'",
  ]);
  expect(error.transaction?.state).toBe('Failed');
  expect(places(error, [X, RELAY], query)).toEqual([[2, 'nope', 'nope']]);
});

test('an expression at fault is located within its operation, after a restart as well', async () => {
  const node = await openWithRelay();
  const transaction = await node.begin();
  await node.run(`${COMMENT}${TARGET}`, { transaction });
  await node.run(`${COMMENT}${JUNCTION}`, { transaction });
  const restarted = await node.restart();
  const error = await restarted.refuse('COMMIT;', { transaction });
  expect(error.code).toBe('INVALID_MODEL');
  const [place] = places(error, [TARGET, JUNCTION], '') as [[number, string, undefined]];
  expect(place[0]).toBe(2);
  expect(place[1]).toMatch(/^input\.nope/);
  expect(place[1].length).toBeLessThan(20);
  expect(error.diagnostics[0]).not.toHaveProperty('span');
  const again = await restarted.refuse('COMMIT;', { transaction });
  expect([again.code, again.message, again.diagnostics]).toEqual([
    error.code,
    error.message,
    error.diagnostics,
  ]);
});

test('CP-67: a refusal that leaves the transaction open has the code of its cause', async () => {
  const node = await openWithRelay();
  const transaction = await node.begin();
  await node.run(X, { transaction });
  await node.run(X);
  const error = await node.refuse('COMMIT;', { transaction });
  expect(error.code).toBe('ALREADY_EXISTS');
  expect(error.transaction?.state).toBe('Open');
  expect(places(error, [X], '')).toEqual([[1, 'x', undefined]]);
});

test('CP-58: an append that blames an earlier operation locates that one', async () => {
  const node = await openWithRelay();
  const query = `BEGIN; ${COMMENT}${X} ${RELAY} START;`;
  const error = await node.refuse(query);
  expect(error.code).toBe('NOT_FOUND');
  expect(places(error, [X, RELAY], query)).toEqual([[2, 'nope', 'nope']]);
  const transaction = error.transaction?.id ?? '';
  const later = await node.refuse('START;', { transaction });
  expect(places(later, [X, RELAY], 'START;')).toEqual([[2, 'nope', undefined]]);
});

test('an append at fault itself is located in its request', async () => {
  const node = await openWithRelay();
  const query = `BEGIN; ${COMMENT}${X} START; START;`;
  const { diagnostics } = await node.refuse(query);
  const end = Buffer.byteLength(query);
  expect(diagnostics).toEqual([
    { message: "domain 'd' is already running", span: { start: end - 'START;'.length, end } },
  ]);
});

test('a step that fails points at its statement and has the code of its cause', async () => {
  const node = await openWithRelay();
  node.dataPlane.onInstall = () => 'no memory';
  const query = `BEGIN; ${COMMENT}${X} START; COMMIT;`;
  const error = await node.refuse(query);
  expect(error.code).toBe('ACTIVATION_FAILED');
  expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 2 });
  expect(places(error, [X, 'START;'], query)).toEqual([[2, undefined, 'START;']]);
});
