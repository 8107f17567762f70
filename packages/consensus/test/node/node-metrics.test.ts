import { expect, test } from 'vitest';
import { DEFAULT_RETENTION } from '../../src/node/raft-node-options.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import type { NodeObservation } from '../support/node-cluster.ts';
import { type NodeFixtureOptions, openMemoryNode, WriteGate } from '../support/node-fixture.ts';
import { put, ReplicaFixture } from '../support/replica-fixture.ts';

async function openNode({ intercept, ...options }: NodeFixtureOptions = {}) {
  const gate = new WriteGate();
  const events: NodeObservation[] = [];
  const observe = (event: NodeObservation) => events.push(event);
  const { node } = await openMemoryNode({
    ...options,
    intercept: intercept ?? gate.intercept,
    observe,
  });
  const of = <K extends NodeObservation['kind']>(kind: K) =>
    events.filter((it): it is Extract<NodeObservation, { kind: K }> => it.kind === kind);
  return { node, gate, events, of };
}

test('CS-191 every batch tells its content and how long it took to become durable', async () => {
  const { node, gate, events, of } = await openNode();
  events.length = 0;
  const command = encodeCommand({ op: 'put', key: 'a', value: '1' });
  gate.shut();
  const begun = performance.now();
  const proposed = [node.propose(command), node.propose(command)];
  await gate.arrival();
  expect(of('write')).toEqual([]);
  gate.open();
  await Promise.all(proposed);
  // Two entries, and the record that each of them writes: a key and a value of one byte each.
  const write = { kind: 'write', operations: 4, bytes: 2 * command.length + 4 };
  expect(of('write')).toEqual([{ ...write, milliseconds: expect.any(Number) }]);
  const [told] = of('write');
  expect(told?.milliseconds).toBeGreaterThan(0);
  expect(told?.milliseconds).toBeLessThan(performance.now() - begun);
});

test('CS-191 a batch that fails is none', async () => {
  const state = { fails: false };
  const { node, events, of } = await openNode({
    intercept: async (_, commit) => {
      if (state.fails) throw new Error('input/output error');
      await commit();
    },
  });
  events.length = 0;
  state.fails = true;
  const proposed = node.propose(encodeCommand({ op: 'put', key: 'a', value: '1' }));
  await expectRaftError(proposed, 'RAFT_STORAGE_FAILED');
  expect(of('write')).toEqual([]);
});

test('CS-191 batches on their way are counted over all members', () => {
  const fixture = new ReplicaFixture();
  const answered = new Set<unknown>();
  const answerAll = () => {
    for (const { to, message } of fixture.sentOf('append')) {
      if (answered.has(message)) continue;
      answered.add(message);
      const { term, generation, batch, prevIndex, entries } = message;
      const match = prevIndex + BigInt(entries.length);
      const from = Number(to.slice(1));
      fixture.receive(from, { kind: 'appendAccepted', term, match, generation, batch });
    }
  };
  expect(fixture.core.inflightBatches).toBe(0);
  fixture.lead();
  answerAll();
  fixture.settle();
  expect(fixture.core.inflightBatches).toBe(0);
  fixture.propose(put(1));
  expect(fixture.core.inflightBatches).toBe(2);
  fixture.settle();
  answerAll();
  expect(fixture.core.inflightBatches).toBe(0);
});

test('CS-180 a cap below what the log usually holds is warned of, once, and works', async () => {
  const { bytesKept, bytesThreshold } = DEFAULT_RETENTION;
  const least = bytesKept + 2 * bytesThreshold;
  const low = await openNode({ retention: { retainedBytesMax: least - 1 } });
  expect(low.of('warning')).toEqual([
    { kind: 'warning', text: expect.stringContaining(`${least} bytes`) },
  ]);
  const command = encodeCommand({ op: 'put', key: 'a', value: '1' });
  expect(await low.node.propose(command)).toMatchObject({ revision: 1n });
  expect(low.of('warning')).toHaveLength(1);
  for (const fitting of [
    { retainedBytesMax: least },
    {},
    { bytesKept: 0, retainedBytesMax: 2 ** 27 },
  ]) {
    expect((await openNode({ retention: fitting })).of('warning')).toEqual([]);
  }
});
