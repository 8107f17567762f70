import { expect, onTestFinished, test } from 'vitest';
import {
  type LogStorage,
  MemoryDisk,
  MemoryLogStorage,
  RaftError,
  type RaftErrorCode,
  RaftNode,
} from '../../src/index.ts';
import { LOG_START } from '../../src/raft/entry.ts';
import { withCalls } from '../support/memory-member.ts';
import { SilentTransport } from '../support/silent-transport.ts';
import {
  configuration,
  configurationEntry,
  entriesBehind,
  job,
  vote,
} from '../support/store-jobs.ts';

/** The error of a store, as far as reads have it. */
function storeError(code: RaftErrorCode): RaftError {
  return code === 'RAFT_STORAGE_CORRUPT'
    ? new RaftError(code, { directory: 'd', location: 'key 10', problem: 'checksum differs' })
    : new RaftError('RAFT_STORAGE_UNAVAILABLE', { directory: 'd' });
}

/** A store of a member of two, with committed entries that were not applied when it stopped. */
async function openStore(): Promise<LogStorage> {
  const storage = await MemoryLogStorage.open({
    disk: new MemoryDisk(),
    clusterId: 'c1',
    nodeId: 'n1',
    drawStoreId: () => 'aa'.repeat(16),
  });
  const members = configuration('n1', 'n2');
  const head = configurationEntry(LOG_START.chain, 1, members);
  await storage.write({
    ...job({ hardState: vote(1, 3), entries: [head, ...entriesBehind(head.chain, 2, 3)] }),
    clusterUid: members.clusterUid,
    configurations: [{ index: 1n, configuration: members }],
  });
  return storage;
}

async function openNode(storage: LogStorage): Promise<RaftNode> {
  const node = await RaftNode.open({
    storage,
    stateMachine: { restore: () => {}, apply: () => ({ writes: [], result: new Uint8Array() }) },
    timing: { heartbeatMs: 20, electionMinMs: 100, electionMaxMs: 200 },
    cluster: { transport: new SilentTransport(), bootstrap: false },
  });
  onTestFinished(() => node.close());
  return node;
}

const failed = (node: RaftNode): Promise<Error> =>
  new Promise((resolve) => {
    const look = (): void => {
      const { failure } = node.status();
      if (failure !== undefined) resolve(failure);
    };
    node.subscribe(look);
    look();
  });

test.each([
  ['RAFT_STORAGE_UNAVAILABLE', 'RAFT_STORAGE_FAILED'],
  ['RAFT_STORAGE_CORRUPT', 'RAFT_STORAGE_CORRUPT'],
] as const)(
  'CS-77 CS-84 a read that ends a node with %s is told as final: %s',
  async (code, told) => {
    const error = storeError(code);
    const storage = withCalls(await openStore(), { entries: () => Promise.reject(error) });
    const node = await openNode(storage);
    const failure = await failed(node);
    expect(failure).toMatchObject({ code: told, retryable: false });
    expect(failure === error || failure.cause === error).toBe(true);
    const later = await node.propose(new Uint8Array()).catch((it: unknown) => it);
    expect(later).toMatchObject({ code: told, retryable: false });
  },
);

test('CS-77 a turn of the store that ends a node is told as final', async () => {
  const error = storeError('RAFT_STORAGE_UNAVAILABLE');
  const storage = await openStore();
  const node = await openNode(
    withCalls(storage, {
      write: (it) => (it.incarnation === undefined ? Promise.reject(error) : storage.write(it)),
    }),
  );
  const failure = await failed(node);
  expect(failure).toMatchObject({ code: 'RAFT_STORAGE_FAILED', retryable: false, cause: error });
});

test('a read that is under way when the node is closed is no failure of it', async () => {
  const storage = await openStore();
  const ended = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const node = await openNode(
    withCalls(storage, {
      entries: () => {
        begun.resolve();
        return ended.promise;
      },
      close: async () => {
        ended.reject(storeError('RAFT_STORAGE_UNAVAILABLE'));
        await storage.close();
      },
    }),
  );
  await begun.promise;
  await node.close();
  expect(node.status()).toMatchObject({ isClosed: true, failure: undefined });
});
