import { describe, expect, test } from 'vitest';
import { Applier } from '../../src/node/applier.ts';
import type { ApplyOutcome, StateMachine } from '../../src/node/state-machine.ts';
import type { MemberChange } from '../../src/raft/configuration.ts';
import type { Entry } from '../../src/raft/entry.ts';
import type { MemberId } from '../../src/raft/member-id.ts';
import { INITIAL_APPLIED } from '../../src/storage/log-storage.ts';
import { AT_FIRST_LEVEL, memberOf } from '../support/core-member.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { openMemoryNode } from '../support/node-fixture.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

function entryOf(index: bigint, payload: Uint8Array): Entry {
  return { index, term: 1n, kind: 'normal', payload, chain: new Uint8Array(16) };
}

function applierOf(apply: (entry: Entry) => unknown): Applier {
  const stateMachine: StateMachine = {
    restore: async () => {},
    apply: (entry) => apply(entry) as ApplyOutcome,
  };
  return new Applier(stateMachine, INITIAL_APPLIED, AT_FIRST_LEVEL);
}

describe('CS-89 what a state machine does with buffers changes nothing that is stored', () => {
  test('not the payload of the entry', () => {
    const entry = entryOf(1n, bytes(1, 2, 3));
    applierOf(({ payload }) => {
      payload.fill(9);
      return { writes: [], result: bytes() };
    }).apply(entry);
    expect(entry.payload).toEqual(bytes(1, 2, 3));
  });

  test('not the records and results of entries before', () => {
    const scratch = bytes(0);
    const applier = applierOf(({ payload }) => {
      scratch.set(payload);
      return { writes: [{ key: scratch, value: scratch }], result: scratch };
    });
    const results = [1, 2, 3].map((value) => applier.apply(entryOf(BigInt(value), bytes(value))));
    expect(results.map(({ result }) => result)).toEqual([bytes(1), bytes(2), bytes(3)]);
    expect(applier.take()).toEqual(
      [1, 2, 3].map((value) => ({ key: bytes(value), value: bytes(value) })),
    );
  });

  const wrong: readonly (readonly [name: string, outcome: unknown])[] = [
    ['no outcome', undefined],
    ['a promise', Promise.resolve({ writes: [], result: bytes() })],
    ['writes of a generator', { writes: [].values(), result: bytes() }],
    ['a key that is text', { writes: [{ key: 'k', value: bytes(1) }], result: bytes() }],
    ['a value that is text', { writes: [{ key: bytes(1), value: 'v' }], result: bytes() }],
    ['a value of null', { writes: [{ key: bytes(1), value: null }], result: bytes() }],
    ['wider numbers', { writes: [{ key: bytes(1), value: Uint16Array.of(300) }], result: bytes() }],
    ['a bare buffer', { writes: [{ key: bytes(1), value: new ArrayBuffer(4) }], result: bytes() }],
    ['a result that is text', { writes: [], result: 'done' }],
  ];
  test.each(wrong)('%s is a failure of the application', (_, outcome) => {
    const applier = applierOf(() => outcome);
    expect(() => applier.apply(entryOf(1n, bytes(1)))).toThrow(
      expect.objectContaining({ code: 'RAFT_APPLY_FAILED', details: { index: 1n } }),
    );
  });
});

describe('CS-40 a command is bytes', () => {
  const wrong = ['text', undefined, null, 5, [1, 2], { length: -1 }, Uint16Array.of(300)];
  test.each([...wrong, new DataView(new ArrayBuffer(2))])('%j is refused', async (payload) => {
    const { node } = await openMemoryNode();
    await expect(node.propose(payload as Uint8Array)).rejects.toThrow(TypeError);
    expect(node.status()).toMatchObject({ queuedProposals: 0, revision: 0n });
    await node.close();
  });

  test('and the caller may change its own afterwards', async () => {
    const { node, machine } = await openMemoryNode();
    const payload = new TextEncoder().encode('{"op":"put","key":"k","value":"v"}');
    const answer = node.propose(payload);
    payload.fill(0);
    await answer;
    expect([...machine.published.keys()]).toEqual(['k']);
    await node.close();
    await expectRaftError(node.propose(payload), 'RAFT_CLOSED');
  });
});

describe('CS-120 what describes no member reaches neither the log nor the core', () => {
  const member = memberOf(2);
  const adding = (changes: object): unknown => [
    { kind: 'addLearner', member: { ...member, ...changes } },
  ];
  const wrong: readonly (readonly [option: string, changes: unknown])[] = [
    ['changes', undefined],
    ['changes', 'demote'],
    ['changes', new Set()],
    ['changes[0]', [null]],
    ['changes[0].kind', [{ kind: 'demoted', member }]],
    ['changes[0].kind', [{ kind: 'toString', member }]],
    ['changes[0].member', [{ kind: 'remove' }]],
    ['changes[0].member.nodeId', adding({ nodeId: '' })],
    ['changes[0].member.nodeId', adding({ nodeId: undefined })],
    ['changes[0].member.storeId', adding({ storeId: 'zz' })],
    ['changes[0].member.incarnation', adding({ incarnation: -1n })],
    ['changes[0].member.incarnation', adding({ incarnation: 1 })],
    ['changes[0].member.endpoint', adding({ endpoint: undefined })],
    ['changes[0].member.levels', adding({ levels: undefined })],
    ['changes[0].member.levels.oldest', adding({ levels: { oldest: 0, newest: 1 } })],
    ['changes[0].member.levels.newest', adding({ levels: { oldest: 2, newest: 1 } })],
    ['changes[0].level', [{ kind: 'activate', level: 256 }]],
    [
      'changes[1].member.storeId',
      [
        { kind: 'addLearner', member },
        {
          kind: 'update',
          member: {
            ...member,
            storeId: undefined,
          },
        },
      ],
    ],
  ];
  test.each(wrong)('%s', async (option, changes) => {
    const { node } = await openMemoryNode();
    const before = node.status().lastIndex;
    const changing = node.changeMembers(changes as readonly MemberChange[]);
    const refusal = await expectRaftError(changing, 'RAFT_INVALID_OPTION');
    expect(refusal).toMatchObject({ details: { option } });
    expect(node.status()).toMatchObject({ lastIndex: before, failure: undefined });
    await node.close();
  });

  test.each([Number.NaN, 0, 1.5, 256])('a level of %s', async (level) => {
    const { node } = await openMemoryNode();
    const refusal = await expectRaftError(node.activateLevel(level), 'RAFT_INVALID_OPTION');
    expect(refusal).toMatchObject({ details: { option: 'changes[0].level' } });
  });

  test.each([
    ['target', undefined],
    ['target', 'n1'],
    ['target.storeId', { nodeId: 'n1' }],
  ])('nor the %s of a transfer', async (option, target) => {
    const { node } = await openMemoryNode();
    const moving = node.transferLeader(target as MemberId);
    const refusal = await expectRaftError(moving, 'RAFT_INVALID_OPTION');
    expect(refusal).toMatchObject({ details: { option } });
    expect(node.status().failure).toBeUndefined();
    await node.close();
  });

  test('while a member may say more of itself than a change has to', async () => {
    const { node } = await openMemoryNode();
    const { nodeId, storeId } = node.status().identity;
    const self = { nodeId, storeId, incarnation: 1n, endpoint: '', role: 'voter' };
    await expectRaftError(node.transferLeader(self), 'RAFT_INVALID_CHANGE');
    await expectRaftError(
      node.changeMembers([{ kind: 'remove', member: self }]),
      'RAFT_INVALID_CHANGE',
    );
    await node.close();
  });
});
