import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type {
  MemberChange,
  MemberId,
  NodeChange,
  RaftWorkerNode,
  RaftWorkerNodeOptions,
} from '../../src/index.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { MirrorView } from '../support/mirror-view.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { until } from '../support/transport-fixture.ts';

// A worker runs built files.
const built = pathToFileURL(path.join(import.meta.dirname, '..', '..', 'dist', 'index.js')).href;
const { RaftWorkerNode: Built } = (await import(built)) as typeof import('../../src/index.ts');

const machines = new URL('../support/worker-machine.ts', import.meta.url).href;
const text = new TextEncoder();
const put = (key: string, value = 'v') => encodeCommand({ op: 'put', key, value });

let directory = '';

beforeEach(() => {
  directory = path.join(temporaryDirectory(), 'consensus');
});

async function open(options: Partial<RaftWorkerNodeOptions> = {}): Promise<RaftWorkerNode> {
  const node = await Built.open({
    directory,
    clusterId: 'c1',
    nodeId: 'n1',
    stateMachine: { url: machines, name: 'ledger' },
    ...options,
  });
  onTestFinished(() => node.close());
  return node;
}

const fragile = { url: machines, name: 'fragile' };

describe('CS-1 a node in a thread of its own', () => {
  test('1,000 commands are answered in order, and a read shows them in the mirror', async () => {
    const mirror = new MirrorView();
    const node = await open({ mirror });
    expect(mirror).toMatchObject({ resets: 1, records: new Map() });
    const commands = Array.from({ length: 1_000 }, (_, i) => node.propose(put(`k${i}`, `${i}`)));
    const results = await Promise.all(commands);
    const first = results[0]!.index;
    results.forEach((result, i) => {
      expect(result).toMatchObject({ index: first + BigInt(i), revision: BigInt(i + 1) });
      expect(new TextDecoder().decode(result.result)).toBe(`${result.index}@${i + 1}`);
    });
    const barrier = await node.read();
    expect(barrier).toEqual({ index: first + 999n, revision: 1_000n });
    expect(mirror.records.size).toBe(1_000);
    expect(mirror.records.get('k999')).toBe('999');
    expect(mirror.position).toMatchObject({ index: barrier.index, revision: 1_000n });
    await node.propose(encodeCommand({ op: 'delete', key: 'k0' }));
    await node.read();
    expect(mirror.records.has('k0')).toBe(false);
    expect(node.status()).toMatchObject({
      role: 'leader',
      revision: 1_001n,
      queuedProposals: 0,
      isWriteStalled: false,
      isClosed: false,
      failure: undefined,
    });
  });

  test('a restart restores records and mirror', async () => {
    const node = await open();
    await node.propose(put('a', '1'));
    await node.close();
    const mirror = new MirrorView();
    const again = await open({ mirror, storeId: node.status().identity.storeId });
    expect(mirror.records).toEqual(new Map([['a', '1']]));
    expect(mirror.resets).toBe(1);
    expect(again.status()).toMatchObject({ term: 3n, revision: 1n });
    await again.propose(put('b', '2'));
    await again.read();
    expect([...mirror.records.keys()]).toEqual(['a', 'b']);
  });

  test('what is above the limits never reaches the thread, and what is below does', async () => {
    const limits = { queuedProposalsMax: 8, queuedBytesMax: 1_000, queuedReadsMax: 4 };
    const node = await open({ limits });
    const commands = Array.from({ length: 10 }, (_, i) => node.propose(put(`k${i}`)));
    const reads = Array.from({ length: 6 }, () => node.read());
    const { queuedProposals, queuedBytes } = node.status();
    expect([queuedProposals, queuedBytes]).toEqual([8, 8 * put('k0').length]);
    const refused = await Promise.all(
      [...commands.slice(8), ...reads.slice(4)].map((it) => expectRaftError(it, 'RAFT_OVERLOADED')),
    );
    expect(refused).toMatchObject([
      ...Array(2).fill({ details: { queued: 8, queuedBytes } }),
      ...Array(2).fill({ details: { queued: 4, queuedBytes: 0, queuedReads: 4 } }),
    ]);
    expect((await Promise.all(commands.slice(0, 8))).at(-1)).toMatchObject({ revision: 8n });
    await Promise.all(reads.slice(0, 4));
    expect(node.status()).toMatchObject({ queuedProposals: 0, queuedBytes: 0 });
    expect(await node.propose(put('later'))).toMatchObject({ revision: 9n });
    const large = [
      node.propose(put('a', 'v'.repeat(900))),
      node.propose(put('b', 'v'.repeat(900))),
    ];
    await expectRaftError(large[1]!, 'RAFT_OVERLOADED');
    expect(await large[0]).toMatchObject({ revision: 10n });
  });

  test('a state larger than what may be under way fills the mirror', async () => {
    const node = await open();
    const value = 'v'.repeat(1_500_000);
    for (let i = 0; i < 12; i += 1) await node.propose(put(`k${i}`, value));
    await node.close();
    const mirror = new MirrorView();
    const again = await open({ mirror });
    expect(mirror.records.size).toBe(12);
    expect(mirror.position?.revision).toBe(12n);
    await again.propose(put('k0', 'short'));
    await again.read();
    expect(mirror.records.get('k0')).toBe('short');
  });

  test('an owner that stood still catches up with what its commands did', async () => {
    const mirror = new MirrorView();
    const node = await open({ mirror });
    const value = 'v'.repeat(1_000_000);
    const commands = Array.from({ length: 30 }, (_, i) => node.propose(put(`k${i % 3}`, value)));
    // They cross before the pause, which no report gets through.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await Promise.all(commands);
    await node.read();
    expect(mirror.records.size).toBe(3);
    expect(node.status()).toMatchObject({ revision: 30n });
    expect(mirror.position).toMatchObject({ revision: 30n });
  });

  test('listeners hear of the newest revision until they leave', async () => {
    const node = await open();
    const changes: NodeChange[] = [];
    const leave = node.subscribe((change) => changes.push(change));
    await node.propose(put('a'));
    await node.propose(put('b'));
    await until(() => changes.at(-1)?.revision === 2n, 'the newest revision');
    expect(changes.at(-1)).toMatchObject({ isLeader: true, isFailed: false, appliedIndex: 4n });
    leave();
    const count = changes.length;
    await node.propose(put('c'));
    await node.read();
    expect(changes).toHaveLength(count);
  });

  test('what happens in it is told, and little disk space refuses commands', async () => {
    const kinds: string[] = [];
    const diskSpace = { lowBytes: Number.MAX_SAFE_INTEGER, enoughBytes: Number.MAX_SAFE_INTEGER };
    const node = await open({ diskSpace, observe: ({ kind }) => kinds.push(kind) });
    expect(kinds).toEqual(expect.arrayContaining(['diskSpace', 'campaign', 'elected']));
    const refused = await expectRaftError(node.propose(put('a')), 'RAFT_DISK_LOW');
    expect(refused.message).toMatch(/^consensus storage is low on disk space: \d+ MiB free$/);
  });

  test('the payload belongs to the caller again at once', async () => {
    const mirror = new MirrorView();
    const node = await open({ mirror });
    const payload = put('a', 'before');
    const proposed = node.propose(payload);
    payload.fill(0);
    await proposed;
    await node.read();
    expect(mirror.records.get('a')).toBe('before');
  });
});

describe('errors keep code, details and cause across threads', () => {
  test('refusals of a call', async () => {
    const node = await open({ limits: { payloadBytesMax: 64 } });
    const tooLarge = await expectRaftError(
      node.propose(new Uint8Array(65)),
      'RAFT_ENTRY_TOO_LARGE',
    );
    expect(tooLarge).toMatchObject({
      name: 'RaftError',
      details: { bytes: 65, bytesMax: 64 },
      retryable: false,
      message: 'command too large: 65 bytes, at most 64 are allowed',
    });
    const { nodeId, storeId } = node.status().identity;
    const self = { nodeId, storeId, incarnation: 1n, endpoint: '' };
    const last = await expectRaftError(
      node.changeMembers([{ kind: 'remove', member: self }]),
      'RAFT_INVALID_CHANGE',
    );
    expect(last.message).toBe("cannot remove the last raft voter 'n1'");
    const transfer = await expectRaftError(node.transferLeader(self), 'RAFT_INVALID_CHANGE');
    expect(transfer.message).toBe("node 'n1' is no other voter");
    for (const changes of [undefined, [{ kind: 'remove', member: () => {} }]]) {
      const changing = node.changeMembers(changes as unknown as readonly MemberChange[]);
      await expectRaftError(changing, 'RAFT_INVALID_OPTION');
    }
    await expectRaftError(node.activateLevel(Number.NaN), 'RAFT_INVALID_OPTION');
    const level = await expectRaftError(node.activateLevel(2), 'RAFT_INVALID_CHANGE');
    expect(level.message).toBe("cannot activate feature level 2: node 'n1' supports 1 to 1");
    const nobody = node.transferLeader(undefined as unknown as MemberId);
    await expectRaftError(nobody, 'RAFT_INVALID_OPTION');
    expect(await node.propose(put('a'))).toMatchObject({ revision: 1n });
  });

  test('a state machine that throws', async () => {
    const node = await open();
    const failing = node.propose(encodeCommand({ op: 'fail' }));
    const { cause } = await expectRaftError(failing, 'RAFT_LEADERSHIP_LOST');
    expect(cause).toMatchObject({ code: 'RAFT_APPLY_FAILED', details: { index: 3n } });
    expect(cause).toMatchObject({ cause: { message: 'the ledger fails on purpose' } });
    await expectRaftError(node.propose(put('later')), 'RAFT_APPLY_FAILED');
    await expectRaftError(node.read(), 'RAFT_APPLY_FAILED');
    await until(() => node.status().failure !== undefined, 'the failure in the status');
    expect(node.status().failure).toMatchObject({ code: 'RAFT_APPLY_FAILED' });
    await node.close();
  });

  test('a directory that is in use', async () => {
    await open();
    const second = await expectRaftError(open(), 'RAFT_STORAGE_LOCKED');
    expect(second).toMatchObject({ details: { directory }, retryable: true });
  });

  test('CS-70 a directory that is being opened, whose lock a second attempt would release', async () => {
    const first = open();
    await expectRaftError(open(), 'RAFT_STORAGE_LOCKED');
    expect(await (await first).propose(put('a'))).toMatchObject({ revision: 1n });
  });

  test('a module that does not load, holds no such function, or cannot restore', async () => {
    const absent = { url: new URL('absent.ts', machines).href };
    await expect(open({ stateMachine: absent })).rejects.toMatchObject({
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const wrong = { url: machines, name: 'notAFunction' };
    await expect(open({ stateMachine: wrong })).rejects.toThrow(
      'exports a function named notAFunction',
    );
    const unable = { ...fragile, argument: { restoreFails: true } };
    await expect(open({ stateMachine: unable })).rejects.toThrow('cannot restore');
    // The store was closed each time.
    expect(await (await open()).propose(put('a'))).toMatchObject({ revision: 1n });
  });
});

describe('the thread ends', () => {
  test('by closing: what was proposed is answered, what comes after is refused', async () => {
    const node = await open();
    const proposed = Array.from({ length: 50 }, (_, i) => node.propose(put(`k${i}`)));
    const closed = node.close();
    await expectRaftError(node.propose(put('late')), 'RAFT_CLOSED');
    await expectRaftError(node.read(), 'RAFT_CLOSED');
    await expectRaftError(node.changeMembers([]), 'RAFT_CLOSED');
    await closed;
    expect((await Promise.all(proposed)).at(-1)).toMatchObject({ revision: 50n });
    expect(node.close()).toBe(closed);
    await expectRaftError(node.propose(put('later')), 'RAFT_CLOSED');
    await expectRaftError(node.read(), 'RAFT_CLOSED');
    expect(node.status()).toMatchObject({
      isClosed: true,
      queuedProposals: 0,
      queuedBytes: 0,
      failure: undefined,
    });
  });

  test('by closing after a failure, which stays the reason', async () => {
    const node = await open();
    await expectRaftError(node.propose(encodeCommand({ op: 'fail' })), 'RAFT_LEADERSHIP_LOST');
    await until(() => node.status().failure !== undefined, 'the failure in the status');
    await node.close();
    expect(node.status()).toMatchObject({
      isClosed: true,
      failure: { code: 'RAFT_APPLY_FAILED' },
    });
  });

  test.each([
    ['exits', 'exit', 'the consensus node is closed'],
    ['dies of an exception', 'break', 'the thread broke'],
  ])('CS-96 one that %s leaves outcomes unknown, and calls are refused', async (_, how, cause) => {
    const node = await open({ stateMachine: fragile });
    await node.propose(put('kept'));
    const waiting = [node.propose(text.encode(how)), node.propose(put('in doubt')), node.read()];
    const errors = await Promise.all(
      waiting.map((it) =>
        it.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const error of errors) {
      // The write of the fatal command may have been quicker than its death.
      if (error === undefined) continue;
      expect(error).toMatchObject({ code: 'RAFT_LEADERSHIP_LOST', cause: { message: cause } });
    }
    await expect(node.propose(put('later'))).rejects.toMatchObject({ message: cause });
    await expect(node.read()).rejects.toMatchObject({ message: cause });
    expect(node.status().failure?.message).toBe(cause);
    await node.close();
    const again = await open({ stateMachine: { url: machines, name: 'ledger' } });
    expect(again.status().revision).toBeGreaterThanOrEqual(1n);
  });

  test('one that dies while it is being closed is closed', async () => {
    const node = await open({ stateMachine: fragile });
    const outcome = expectRaftError(node.propose(text.encode('exit')), 'RAFT_LEADERSHIP_LOST');
    await node.close();
    await outcome;
    expect(node.status().isClosed).toBe(true);
  });
});

test('CS-91 CS-128 two threads make one cluster, and both mirrors show its records', async () => {
  const timing = { heartbeatMs: 60, electionMinMs: 400, electionMaxMs: 800 };
  const transport = { listen: '127.0.0.1:0', tls: 'plaintext' } as const;
  const founder = await open({
    timing,
    cluster: { transport, bootstrap: true },
  });
  for (let i = 0; i < 300; i += 1) await founder.propose(put(`k${i}`));
  const { endpoint } = founder.status().configuration!.configuration.voters[0]!;
  const mirror = new MirrorView();
  const joiner = await open({
    directory: path.join(temporaryDirectory(), 'consensus'),
    nodeId: 'n2',
    mirror,
    timing,
    cluster: { transport, bootstrap: false, contacts: [endpoint] },
  });
  await until(() => joiner.status().configuration?.configuration.voters.length === 2, 'its vote');
  await founder.propose(put('last'));
  await until(() => joiner.status().appliedIndex >= founder.status().appliedIndex);
  await joiner.read();
  expect(mirror.records.size).toBe(301);
  const refused = await expectRaftError(joiner.propose(put('x')), 'RAFT_NOT_LEADER');
  expect(refused).toMatchObject({ details: { leader: { nodeId: 'n1' } } });
  await founder.transferLeader(joiner.status().identity);
  await until(() => joiner.status().role === 'leader', 'the new leader');
  await joiner.propose(put('from there'));
  await joiner.read();
  expect(mirror.records.has('from there')).toBe(true);
});
