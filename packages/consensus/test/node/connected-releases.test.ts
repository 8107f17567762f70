import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Member,
  type MemberChange,
  MemoryDisk,
  MemoryLogStorage,
  RaftNode,
} from '../../src/index.ts';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { runOf, ToldTransport } from '../support/told-transport.ts';
import { until } from '../support/transport-fixture.ts';

const { nodeId, storeId, incarnation, endpoint } = runOf(1n);
const recorded: Member = { nodeId, storeId, incarnation, endpoint, levels: levelsOfRelease(2) };
const addition: MemberChange = { kind: 'addLearner', member: recorded };
const activation: MemberChange = { kind: 'activate', level: 2 };
const removal: MemberChange = { kind: 'remove', member: recorded };

/** A node of a cluster at level 1, of the release whose newest level is given. */
async function open(disk: MemoryDisk, newest: number, transport: ToldTransport): Promise<RaftNode> {
  const levels = levelsOfRelease(newest);
  return RaftNode.open({
    storage: await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1', levels }),
    stateMachine: new LedgerMachine(),
    featureLevel: newest,
    cluster: { transport, bootstrap: true },
  });
}

/** A leader beside which a member runs an older release than the one that it reported last. */
async function leaderBesideOlder(): Promise<RaftNode> {
  const disk = new MemoryDisk();
  const founder = await open(disk, 1, new ToldTransport());
  await founder.close();
  const transport = new ToldTransport();
  const node = await open(disk, 2, transport);
  onTestFinished(() => node.close());
  await until(() => {
    const { configuration, appliedIndex } = node.status();
    const [own] = configuration?.configuration.voters ?? [];
    return own?.levels.newest === 2 && appliedIndex >= (configuration?.index ?? 0n);
  }, 'the record of the own release');
  await node.changeMembers([addition]);
  transport.peers = [runOf(1n)];
  return node;
}

describe('CS-344 a level waits for the releases that run, whatever is recorded', () => {
  test.each([
    ['goes before', [removal, activation]],
    ['goes behind', [activation, removal]],
  ])('but not for one that %s', async (_name, changes) => {
    const node = await leaderBesideOlder();
    const before = node.status().lastIndex;
    for (const activate of [
      () => node.activateLevel(2),
      () => node.changeMembers([activation]),
      // The removal is taken back.
      () => node.changeMembers([removal, activation, addition]),
    ]) {
      const refusal = await expectRaftError(activate(), 'RAFT_INVALID_CHANGE');
      expect(refusal.message).toBe("cannot activate feature level 2: node 'n2' supports 1 to 1");
      expect(node.status()).toMatchObject({ lastIndex: before, level: 1 });
    }
    await node.changeMembers(changes);
    await until(() => node.status().level === 2, 'the level');
  });
});
