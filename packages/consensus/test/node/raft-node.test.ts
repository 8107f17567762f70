import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  MemoryLogStorage,
  type NodeChange,
  type ProposalResult,
  RaftNode,
} from '../../src/index.ts';
import { chainOf } from '../../src/storage/digests.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { openMemoryNode, WriteGate } from '../support/node-fixture.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const put = (key: string, value = 'v'): Uint8Array => encodeCommand({ op: 'put', key, value });
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The microtasks that are queued now, and those they queue in turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('opening', () => {
  test('CS-23 CS-26 a founded node leads the next term and has applied its empty entry', async () => {
    const { node, machine } = await openMemoryNode();
    const status = node.status();
    expect(status).toMatchObject({
      role: 'leader',
      term: 2n,
      firstIndex: 1n,
      lastIndex: 2n,
      commitIndex: 2n,
      appliedIndex: 2n,
      revision: 0n,
      queuedProposals: 0,
      isClosed: false,
      failure: undefined,
    });
    expect(status.leader).toEqual({ nodeId: 'n1', storeId: status.identity.storeId });
    expect(machine.restoredAt).toEqual({ index: 0n, term: 0n, revision: 0n });
    expect(machine.appliedEntries).toEqual([]);
  });

  test('each start leads a new term and restores records and revision', async () => {
    const directory = path.join(temporaryDirectory(), 'consensus');
    const open = async () => {
      const stateMachine = new LedgerMachine();
      const identity = { directory, clusterId: 'c1', nodeId: 'n1' };
      return { node: await RaftNode.open({ ...identity, stateMachine }), stateMachine };
    };
    const first = await open();
    await first.node.propose(put('a', '1'));
    await first.node.propose(put('b', '2'));
    await first.node.close();
    const second = await open();
    onTestFinished(() => second.node.close());
    expect(second.node.status()).toMatchObject({ term: 3n, revision: 2n, appliedIndex: 5n });
    expect(second.stateMachine.published).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
    expect(second.stateMachine.appliedEntries).toEqual([]);
    expect(await second.node.propose(put('c'))).toMatchObject({
      index: 6n,
      term: 3n,
      revision: 3n,
    });
  });

  test('a failing restore closes the store again', async () => {
    const directory = path.join(temporaryDirectory(), 'consensus');
    const identity = { directory, clusterId: 'c1', nodeId: 'n1' };
    const stateMachine = new LedgerMachine();
    const broken = Object.assign(new LedgerMachine(), {
      restore: () => Promise.reject(new Error('cannot restore')),
    });
    await expect(RaftNode.open({ ...identity, stateMachine: broken })).rejects.toThrow('restore');
    await (await RaftNode.open({ ...identity, stateMachine })).close();
  });

  test('CS-87 committed entries without their effects are applied at open', async () => {
    const { node, disk } = await openMemoryNode();
    await node.propose(put('a', '1'));
    await node.close();
    // As a member of a larger cluster would leave it: entries stored, effects not yet.
    const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1' });
    let { chain } = [...storage.headers()].at(-1)!;
    const entries = [4n, 5n, 6n].map((index) => {
      const payload = put(`late ${index}`);
      const entry = { index, term: 2n, kind: 'normal' as const, payload };
      chain = chainOf(chain, entry);
      return { ...entry, chain };
    });
    const hardState = { ...storage.hardState, commit: 5n };
    await storage.write({ entries, hardState, writes: [] });
    await storage.close();

    const reopened = await openMemoryNode({ disk, limits: { groupOperationsMax: 1 } });
    expect([...reopened.machine.published.keys()]).toEqual(['a', 'late 4', 'late 5', 'late 6']);
    expect(reopened.node.status()).toMatchObject({ appliedIndex: 7n, lastIndex: 7n, revision: 4n });
    expect(await reopened.node.propose(put('b'))).toMatchObject({ index: 8n, revision: 5n });
  });
});

describe('proposals', () => {
  test('CS-86 CP-2 an answer comes after the durable write, with the result of apply', async () => {
    const gate = new WriteGate();
    const { node, machine } = await openMemoryNode({ intercept: gate.intercept });
    gate.shut();
    let result: ProposalResult | undefined;
    const proposed = node.propose(put('a', '1')).then((it) => {
      result = it;
    });
    await gate.arrival();
    await settled();
    expect(result).toBeUndefined();
    expect(machine.published.size).toBe(0);
    expect(node.status()).toMatchObject({ appliedIndex: 2n, revision: 0n, queuedProposals: 1 });
    gate.open();
    await proposed;
    expect(result).toMatchObject({ index: 3n, term: 2n, revision: 1n });
    expect(textOf(result!.result)).toBe('3@1');
    expect(machine.published).toEqual(new Map([['a', '1']]));
  });

  test('CS-74 everything that waits during a write shares the next one', async () => {
    const gate = new WriteGate();
    const { node } = await openMemoryNode({ intercept: gate.intercept });
    gate.shut();
    const first = node.propose(put('first'));
    await gate.arrival();
    const others = Array.from({ length: 500 }, (_, i) => node.propose(put(`k${i}`)));
    const before = gate.writes.length;
    gate.open();
    const results = await Promise.all([first, ...others]);
    expect(gate.writes.length - before).toBe(1);
    expect(gate.writes.at(-1)).toEqual(['append', 'apply']);
    expect(results.map(({ index }) => index)).toEqual(results.map((_, i) => BigInt(i) + 3n));
  });

  test('CS-74 a group ends at its limits, but never inside a command', async () => {
    const gate = new WriteGate();
    const limits = { groupOperationsMax: 4, groupBytesMax: 1_000 };
    const { node, machine } = await openMemoryNode({ intercept: gate.intercept, limits });
    const before = gate.writes.length;
    const keys = Array.from({ length: 9 }, (_, i) => `k${i}`);
    await Promise.all([
      node.propose(encodeCommand({ op: 'putAll', keys, value: 'v' })),
      node.propose(put('a')),
      node.propose(put('b')),
      node.propose(put('c', 'x'.repeat(2_000))),
    ]);
    expect(gate.writes.length - before).toBe(3);
    expect(machine.publications.slice(1).map(({ index }) => index)).toEqual([3n, 4n, 6n]);
  });

  test('CS-90 publication comes first, then answers in index order', async () => {
    const { node, machine } = await openMemoryNode();
    const order: string[] = [];
    const publish = machine.publish.bind(machine);
    machine.publish = (applied) => {
      publish(applied);
      order.push(`publish ${applied.index}`);
    };
    await Promise.all(
      ['a', 'b', 'c'].map((key) =>
        node.propose(put(key)).then(({ index }) => order.push(`answer ${index}`)),
      ),
    );
    expect(order).toEqual(['publish 5', 'answer 3', 'answer 4', 'answer 5']);
  });

  test('CP-4 the revision counts the commands that changed a record', async () => {
    const { node } = await openMemoryNode();
    expect(await node.propose(put('a'))).toMatchObject({ revision: 1n });
    expect(await node.propose(encodeCommand({ op: 'touch' }))).toMatchObject({ revision: 1n });
    expect(await node.propose(put('a'))).toMatchObject({ revision: 2n });
    expect(node.status()).toMatchObject({ revision: 2n, appliedIndex: 5n });
  });

  test('the payload belongs to the caller again at once', async () => {
    const { node, machine } = await openMemoryNode();
    const payload = put('a', 'before');
    const proposed = node.propose(payload);
    payload.fill(0);
    await proposed;
    expect(machine.published.get('a')).toBe('before');
  });

  test('CS-40 a command that is too large is refused and nothing else', async () => {
    const { node } = await openMemoryNode({ limits: { payloadBytesMax: 100 } });
    const error = await expectRaftError(node.propose(new Uint8Array(101)), 'RAFT_ENTRY_TOO_LARGE');
    expect(error.message).toContain('command too large');
    expect(await node.propose(put('a'))).toMatchObject({ index: 3n });
  });

  test.each([
    ['count', { queuedProposalsMax: 2 }],
    ['bytes', { queuedBytesMax: 80 }],
  ])('CS-46 the queue is bounded by %s and an empty one admits any command', async (_, limits) => {
    const gate = new WriteGate();
    const { node } = await openMemoryNode({ intercept: gate.intercept, limits });
    await node.propose(put('large', 'x'.repeat(200)));
    gate.shut();
    const admitted = [node.propose(put('a')), node.propose(put('b'))];
    await gate.arrival();
    const error = await expectRaftError(node.propose(put('c')), 'RAFT_OVERLOADED');
    expect(error).toMatchObject({ retryable: true });
    gate.open();
    await Promise.all(admitted);
    expect(node.status()).toMatchObject({ queuedProposals: 0, queuedBytes: 0 });
    await node.propose(put('c'));
  });
});

describe('reads', () => {
  test('CS-50 a read covers every command answered before it', async () => {
    const { node, machine } = await openMemoryNode();
    const { index } = await node.propose(put('a'));
    const barrier = await node.read();
    expect(barrier).toEqual({ index, revision: 1n });
    expect(machine.published.has('a')).toBe(true);
  });

  test('many reads at once need no write', async () => {
    const gate = new WriteGate();
    const { node } = await openMemoryNode({ intercept: gate.intercept });
    const before = gate.writes.length;
    const barriers = await Promise.all(Array.from({ length: 20 }, () => node.read()));
    expect(new Set(barriers.map(({ index }) => index))).toEqual(new Set([2n]));
    expect(gate.writes.length).toBe(before);
  });
});

describe('change notifications', () => {
  test('CP-4 they coalesce, carry the newest durable revision and end with unsubscribing', async () => {
    const { node } = await openMemoryNode();
    await settled();
    const changes: NodeChange[] = [];
    const unsubscribe = node.subscribe((change) => changes.push(change));
    await Promise.all([node.propose(put('a')), node.propose(put('b')), node.propose(put('c'))]);
    await settled();
    expect(changes).toEqual([{ revision: 3n, appliedIndex: 5n, isLeader: true, isFailed: false }]);
    unsubscribe();
    await node.propose(put('d'));
    await settled();
    expect(changes).toHaveLength(1);
  });

  test('a listener that leaves during a notification is not called any more', async () => {
    const { node } = await openMemoryNode();
    await settled();
    const calls: string[] = [];
    node.subscribe(() => {
      calls.push('first');
      leave();
    });
    const leave = node.subscribe(() => calls.push('second'));
    await node.propose(put('a'));
    await settled();
    expect(calls).toEqual(['first']);
  });
});

describe('closing', () => {
  test('it drains what was proposed and refuses what comes after', async () => {
    const { node, disk } = await openMemoryNode();
    const proposed = Array.from({ length: 10 }, (_, i) => node.propose(put(`k${i}`)));
    const closed = node.close();
    await expectRaftError(node.propose(put('late')), 'RAFT_CLOSED');
    await expectRaftError(node.read(), 'RAFT_CLOSED');
    await closed;
    expect((await Promise.all(proposed)).at(-1)).toMatchObject({ index: 12n });
    expect(node.close()).toBe(closed);
    expect(node.status()).toMatchObject({ isClosed: true, role: 'follower' });
    expect((await openMemoryNode({ disk })).machine.published.size).toBe(10);
  });
});

describe('retention', () => {
  const limits = { groupOperationsMax: 50 };

  test('CS-100 CS-101 the log is cut to what is kept by entries', async () => {
    const retention = { entriesThreshold: 20, entriesKept: 10 };
    const { node, disk } = await openMemoryNode({ retention, limits });
    for (let i = 0; i < 100; i += 1) {
      await node.propose(put(`k${i}`));
      expect(node.status().retainedEntries).toBeLessThanOrEqual(32);
    }
    await node.close();
    const { lastIndex, firstIndex, retainedEntries } = node.status();
    expect(lastIndex).toBe(102n);
    expect(lastIndex - firstIndex + 1n).toBe(BigInt(retainedEntries));
    expect((await openMemoryNode({ disk })).machine.published.size).toBe(100);
  });

  test('CS-101 the log is cut to what is kept by bytes', async () => {
    const retention = { bytesThreshold: 5_000, bytesKept: 2_000 };
    const { node } = await openMemoryNode({ retention, limits });
    for (let i = 0; i < 50; i += 1) await node.propose(put(`k${i}`, 'x'.repeat(400)));
    await node.close();
    expect(node.status().retainedBytes).toBeLessThanOrEqual(7_000);
    expect(node.status().firstIndex).toBeGreaterThan(30n);
  });

  test('CS-101 a large compaction goes in bounded steps until it is done', async () => {
    const gate = new WriteGate();
    const { node, disk } = await openMemoryNode();
    await Promise.all(
      Array.from({ length: 9_999 }, () => node.propose(encodeCommand({ op: 'touch' }))),
    );
    await node.close();
    const retention = { entriesThreshold: 0, entriesKept: 0 };
    const reopened = await openMemoryNode({ disk, retention, intercept: gate.intercept });
    await reopened.node.propose(put('a'));
    await reopened.node.close();
    expect(gate.writes.filter((points) => points.includes('purge')).length).toBeGreaterThan(2);
    expect(reopened.node.status().retainedEntries).toBe(0);
  });
});

describe('CS-90 answers', () => {
  test('leave before the next batch is put together', async () => {
    const gate = new WriteGate();
    const course: string[] = [];
    const { node } = await openMemoryNode({
      intercept: (points, commit) => {
        course.push('write');
        return gate.intercept(points, commit);
      },
    });
    course.length = 0;
    gate.shut();
    const first = node.propose(put('a')).then(() => process.nextTick(() => course.push('answer')));
    await gate.arrival();
    const second = node.propose(put('b'));
    gate.open();
    await Promise.all([first, second]);
    expect(course).toEqual(['write', 'answer', 'write']);
  });
});
