import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClusterOptions,
  LevelLogStorage,
  RaftNode,
  type Transport,
  type WriteInterceptor,
} from '../../src/index.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { SilentTransport } from '../support/silent-transport.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const START_MS = 1_700_000_000_000;
const identity = { clusterId: 'c1', nodeId: 'n1' };
const stateMachine = {
  restore: () => {},
  apply: () => ({ writes: [], result: new Uint8Array() }),
};

/** Keeps what it is to tell others of this process. */
class ListeningTransport extends SilentTransport {
  told: bigint | undefined;

  override start(...[ownIdentity]: Parameters<Transport['start']>): void {
    this.told = ownIdentity().incarnation;
  }
}

interface Start {
  readonly cluster?: Partial<ClusterOptions>;
  readonly intercept?: WriteInterceptor;
}

/** Starts and ends a process; gives the number that it told others. */
async function runOnce(directory: string, start: Start = {}): Promise<bigint | undefined> {
  const transport = new ListeningTransport();
  const node = await RaftNode.open({
    ...identity,
    directory,
    stateMachine,
    diskSpace: 'unwatched',
    intercept: start.intercept,
    cluster: { transport, bootstrap: true, ...start.cluster },
  });
  await node.close();
  return transport.told;
}

async function storedIn(directory: string): Promise<bigint> {
  const storage = await LevelLogStorage.open({ directory, ...identity });
  onTestFinished(() => storage.close());
  const { incarnation } = storage;
  await storage.close();
  return incarnation;
}

const makeDirectory = (): string => path.join(temporaryDirectory(), 'consensus');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});

afterEach(() => {
  vi.useRealTimers();
});

test.each([true, false])(
  'CS-127 every process has a greater number than those before (founder: %s)',
  async (bootstrap) => {
    const directory = makeDirectory();
    const clocks = [0, 5_000, 5_000, -86_400_000, 4_999, 6_000, -START_MS];
    let before = 0n;
    for (const clock of clocks) {
      vi.setSystemTime(START_MS + clock);
      const told = await runOnce(directory, { cluster: { bootstrap } });
      const now = BigInt(START_MS + clock);
      expect(told).toBe(now > before ? now : before + 1n);
      before = told ?? 0n;
      expect(await storedIn(directory)).toBe(before);
    }
  },
);

test('CS-127 a number that the caller wants is raised like that of a clock', async () => {
  const directory = makeDirectory();
  const wanted = [3n, 10n, 4n, 10n];
  const told: (bigint | undefined)[] = [];
  for (const incarnation of wanted) {
    told.push(await runOnce(directory, { cluster: { incarnation } }));
  }
  expect(told).toEqual([3n, 10n, 11n, 12n]);
});

test('CS-127 a founder without others counts too, so that it is no newer later', async () => {
  const directory = makeDirectory();
  const open = () =>
    RaftNode.open({ ...identity, directory, stateMachine, diskSpace: 'unwatched' });
  const founder = await open();
  const founded = founder.status().configuration?.configuration.voters[0]?.incarnation;
  await founder.close();
  expect(founded).toBe(BigInt(START_MS));
  vi.setSystemTime(START_MS - 86_400_000);
  await (await open()).close();
  expect(await runOnce(directory)).toBe(BigInt(START_MS) + 1n);
});

test.each(['format', 'anchor'] as const)(
  'CS-127 nobody is told of a process whose number could not be stored: %s',
  async (point) => {
    const directory = makeDirectory();
    await runOnce(directory);
    const transport = new ListeningTransport();
    const failed = runOnce(directory, {
      cluster: { transport },
      intercept: async (points, commit) => {
        if (points.includes(point)) throw new Error('no space left');
        await commit();
      },
    });
    await expectRaftError(failed, 'RAFT_STORAGE_FAILED');
    expect(transport).toMatchObject({ told: undefined, isClosed: true });
    expect(await runOnce(directory)).toBeGreaterThan(BigInt(START_MS));
  },
);
