import { describe, expect, test } from 'vitest';
import { sweepTransactions } from '../../src/control-plane/transactions/expire.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { encodeCommand } from '../../src/replicated-state/write-command.ts';
import { type ControlNode, LIMITS, openWithRelay } from '../support/control-node.ts';

/** Bytes of records as they are written. */
function bytesOf(records: readonly StateRecord[]): number {
  return encodeCommand({ fences: [], put: records, remove: [], reference: null }).length;
}

/** What every write puts from now on. */
function watchWrites(node: ControlNode): readonly (readonly StateRecord[])[] {
  const writes: (readonly StateRecord[])[] = [];
  const { log } = node.context;
  const write = log.write.bind(log);
  log.write = (command) => {
    writes.push(command.put ?? []);
    return write(command);
  };
  return writes;
}

function appended(index: number): string {
  return `CREATE RELAY relay_${100 + index} SCHEMA s UNBRANCHED CAPACITY 8;`;
}

const APPENDS = 96;

describe('what an append writes (CP-40, CP-55)', () => {
  test('is one operation, however many there are, and a report that is a few bytes longer', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const writes = watchWrites(node);
    for (let index = 0; index < APPENDS; index += 1)
      await node.run(appended(index), { transaction });
    expect(writes).toHaveLength(APPENDS);
    const own = writes.map((records) => records.filter(({ kind }) => kind !== 'content'));
    for (const records of own) {
      expect(records.map(({ kind }) => kind)).toEqual(['operation', 'transaction']);
    }
    const sizes = own.map(bytesOf);
    expect(Math.max(...sizes)).toBeLessThan(Math.min(...sizes) * 1.1);
    const reports = writes.map((records) =>
      bytesOf(records.filter(({ kind }) => kind === 'content')),
    );
    const [first = 0, last = 0] = [reports[0], reports.at(-1)];
    expect((last - first) / APPENDS).toBeLessThan(64);
  });

  test('is found again by the next start, in order', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (let index = 0; index < 12; index += 1) await node.run(appended(index), { transaction });
    const before = node.state.operations(transaction);
    const restarted = await node.restart();
    expect(restarted.state.operations(transaction)).toEqual(before);
    expect(before.map(({ number, text }) => [number, text])).toEqual(
      Array.from({ length: 12 }, (_, index) => [index + 1, appended(index)]),
    );
    await restarted.run('COMMIT;', { transaction });
    expect(restarted.state.models('d').has('relay/relay_111')).toBe(true);
  });
});

/** Ways in which a transaction stops being open. */
const ENDS: readonly (readonly [string, (node: ControlNode, id: string) => Promise<unknown>])[] = [
  ['COMMITTED', (node, transaction) => node.run('COMMIT;', { transaction })],
  ['REVERTED', (node, transaction) => node.run('REVERT;', { transaction })],
  [
    'EXPIRED',
    (node) => {
      node.clock.nowMs += LIMITS.transactionIdleTimeoutMs;
      return sweepTransactions(node.context);
    },
  ],
  [
    'FAILED',
    async (node, transaction) => {
      await node.run('CREATE RELAY broken SCHEMA missing UNBRANCHED;', { transaction });
      await node.refuse('COMMIT;', { transaction });
    },
  ],
];

describe.each(ENDS)('a transaction that is %s (CP-41, CP-44)', (state, end) => {
  test('keeps its counts and none of its operations', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (let index = 0; index < 3; index += 1) await node.run(appended(index), { transaction });
    await end(node, transaction);
    expect(node.state.transaction(transaction)).toMatchObject({ state });
    expect(node.state.transaction(transaction)?.accepted).toBeGreaterThanOrEqual(3);
    expect(node.state.operations(transaction)).toEqual([]);
    expect((await node.restart()).state.operations(transaction)).toEqual([]);
  });
});

test('CP-143: a dropped user leaves no operations of the transactions that it reverts', async () => {
  const node = await openWithRelay();
  await node.run("CREATE USER ada WITH PASSWORD 'long enough, ada';");
  await node.run("CREATE USER bob WITH PASSWORD 'long enough, bob';");
  const transaction = await node.begin({ user: 'bob' });
  await node.run(appended(1), { transaction, user: 'bob' });
  await node.run('DROP USER bob;');
  expect(node.state.transaction(transaction)).toMatchObject({ state: 'REVERTED', accepted: 1 });
  expect(node.state.operations(transaction)).toEqual([]);
});

test('CP-141: nothing of an open transaction outlives a domain that is dropped behind its time', async () => {
  const node = await openWithRelay();
  const transaction = await node.begin();
  await node.run(appended(1), { transaction });
  node.clock.nowMs += LIMITS.transactionIdleTimeoutMs;
  await node.run('DROP DOMAIN d CASCADE;');
  expect(node.state.transaction(transaction)).toBeUndefined();
  expect(node.state.operations(transaction)).toEqual([]);
  expect(node.state.contents(transaction).size).toBe(0);
});
