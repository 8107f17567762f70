import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import { MembershipLoop } from '../../src/node/membership-loop.ts';
import type { NodeEvent } from '../../src/node/raft-node-options.ts';
import type { ReplicaEvent } from '../../src/node/replica-ports.ts';
import type { MemberChange } from '../../src/raft/configuration.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import type { PeerIdentity } from '../../src/transport/transport.ts';
import { CLUSTER_UID, configurationOf, memberOf, TEST_OPTIONS } from '../support/core-member.ts';
import { ReplicaFixture } from '../support/replica-fixture.ts';

const SECOND = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function processOf(number: number, changes: Partial<PeerIdentity> = {}): PeerIdentity {
  const { nodeId, storeId, endpoint } = memberOf(number);
  const identity = { nodeId, storeId, endpoint, incarnation: 5n, epoch: 'e'.repeat(32) };
  const cluster = { clusterId: 'c', clusterUid: CLUSTER_UID, levels: FIRST_LEVELS, level: 1 };
  return { ...cluster, ...identity, ...changes };
}

/** Of which node a change of the roster is. */
function nodeIdOf(change: MemberChange | undefined): string | undefined {
  return change === undefined || change.kind === 'activate' ? undefined : change.member.nodeId;
}

/** A loop beside the leader 1 of some voters; the time is the test's. */
class LoopFixture {
  readonly fixture: ReplicaFixture;
  readonly loop: MembershipLoop;
  readonly events: (NodeEvent | ReplicaEvent)[] = [];
  candidates: PeerIdentity[] = [];
  readonly connected = new Set<string>();

  constructor(voters: readonly number[] = [1, 2]) {
    this.fixture = new ReplicaFixture({ configuration: configurationOf(voters) });
    this.loop = new MembershipLoop({
      replica: this.fixture.replica,
      candidates: () => this.candidates,
      isConnected: ({ nodeId }) => nodeId === 'n1' || this.connected.has(nodeId),
      observe: (event) => this.events.push(event),
    });
  }

  /** Lets seconds pass, during which the leader hears from member 2. */
  async pass(seconds: number): Promise<void> {
    for (let done = 0; done < seconds; done += 1) {
      await vi.advanceTimersByTimeAsync(SECOND);
      this.fixture.settle();
    }
  }

  /** Member 2 has everything, and so it is committed and applied. */
  async commit(): Promise<void> {
    this.fixture.settle();
    this.fixture.accept(2);
    this.fixture.settle();
    await vi.advanceTimersByTimeAsync(0);
  }

  get learners() {
    return this.fixture.core.configuration?.learners.map((it) => it.nodeId);
  }
}

describe('CS-124 CS-125 the leader looks once a second at who should be a member', () => {
  test('one change at a time, and the next when the one before is applied', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3), processOf(4)];
    it.loop.start();
    expect(it.learners).toEqual([]);
    await it.pass(1);
    expect(it.learners).toEqual(['n3']);
    await it.pass(5);
    expect(it.learners).toEqual(['n3']);
    expect(it.events).toEqual([]);
    await it.commit();
    expect(it.events).toEqual([{ kind: 'membership', step: 'add learner', nodeId: 'n3' }]);
    await it.pass(1);
    expect(it.learners).toEqual(['n3', 'n4']);
    await it.commit();
    await it.loop.stop();
  });

  test('a learner gets its vote when it has caught up', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3)];
    it.loop.start();
    await it.pass(1);
    await it.commit();
    await it.pass(2);
    expect(it.learners).toEqual(['n3']);
    it.fixture.accept(3);
    it.fixture.tickAmong([2, 3], 3);
    it.fixture.accept(3);
    await it.pass(1);
    expect(it.fixture.core.configuration?.voters.map(({ nodeId }) => nodeId)).toContain('n3');
    await it.loop.stop();
  });

  test('a change is waited for 10 s, says so, and is not repeated while it may be committed', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3)];
    it.loop.start();
    await it.pass(10);
    expect(it.events).toEqual([]);
    const { lastIndex } = it.fixture.core;
    await it.pass(1);
    expect(it.events).toMatchObject([{ kind: 'membershipFailed', nodeId: 'n3' }]);
    expect(it.events[0]).toMatchObject({
      error: { message: 'timed out changing raft membership after 10s: add learner' },
    });
    await it.pass(20);
    expect(it.fixture.core.lastIndex).toBe(lastIndex);
    expect(it.learners).toEqual(['n3']);
    await it.commit();
    await it.pass(2);
    expect(it.events).toHaveLength(1);
    await it.loop.stop();
  });

  test('nothing is decided before an entry of the own term is committed, nor by a follower', async () => {
    const it = new LoopFixture();
    it.candidates = [processOf(3)];
    it.loop.start();
    await it.pass(3);
    const { replica } = it.fixture;
    replica.campaign();
    it.fixture.receive(2, { kind: 'preVoteResponse', term: 2n, granted: true });
    it.fixture.settle();
    it.fixture.receive(2, { kind: 'voteResponse', term: 2n, granted: true });
    expect(it.fixture.core.role).toBe('leader');
    await it.pass(3);
    expect(it.learners).toEqual([]);
    await it.commit();
    await it.pass(1);
    expect(it.learners).toEqual(['n3']);
    await it.loop.stop();
  });

  test('a refusal is told, and the loop goes on', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3)];
    it.loop.start();
    await it.pass(1);
    it.fixture.heartbeat(2, 9n);
    it.fixture.append(2, 9n, [{ term: 9n, kind: 'empty', payload: new Uint8Array(0) }], {
      prevIndex: 2n,
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(it.events).toMatchObject([
      { kind: 'membershipFailed', nodeId: 'n3', error: { code: 'RAFT_LEADERSHIP_LOST' } },
    ]);
    await it.loop.stop();
  });

  test('CS-137 a name is not given to another store while its member is connected or heard', async () => {
    const it = new LoopFixture([1, 2, 3]);
    it.fixture.lead([2, 3]);
    it.candidates = [processOf(2, { storeId: 'ab'.repeat(16), incarnation: 9n })];
    it.loop.start();
    expect(it.fixture.core.isAlive(memberOf(2))).toBe(true);
    await it.pass(3);
    expect(it.learners).toEqual([]);
    it.connected.add('n2');
    it.fixture.tickAmong([3], TEST_OPTIONS.electionTicksMin);
    expect(it.fixture.core.isAlive(memberOf(2))).toBe(false);
    await it.pass(3);
    expect(it.learners).toEqual([]);
    it.connected.delete('n2');
    await it.pass(1);
    expect(it.learners).toEqual(['n2']);
    await it.loop.stop();
    expect(it.events).toEqual([]);
  });

  test('a step that fails is not tried again at once, and others come first', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    const refused = vi.spyOn(it.fixture.replica, 'changeMembers');
    refused.mockImplementation((changes, { reject }) => {
      tried.push(`${nodeIdOf(changes[0])}@${seconds}`);
      reject(new Error('not now'));
    });
    const tried: string[] = [];
    it.candidates = [processOf(3), processOf(4)];
    it.loop.start();
    let seconds = 0;
    for (; seconds < 19; seconds += 1) await it.pass(1);
    // The first is left out for 2, 4 and 8 looks; meanwhile the second has its turn.
    expect(tried).toEqual(['n3@0', 'n4@1', 'n3@3', 'n4@4', 'n3@8', 'n4@9', 'n3@17', 'n4@18']);
    expect(it.events[0]).toMatchObject({ kind: 'membershipFailed', nodeId: 'n3' });
    await it.loop.stop();
  });

  test('what failed with the leadership is held against nobody', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3)];
    const tried = vi.spyOn(it.fixture.replica, 'changeMembers');
    tried.mockImplementation((_, { reject }) => {
      reject(new RaftError('RAFT_CHANGE_PENDING', {}));
    });
    it.loop.start();
    await it.pass(3);
    expect(tried).toHaveBeenCalledTimes(3);
    tried.mockImplementation((_, { reject }) => reject(new Error('not now')));
    await it.pass(3);
    expect(tried).toHaveBeenCalledTimes(4);
    const role = vi.spyOn(it.fixture.core, 'role', 'get').mockReturnValue('follower');
    await it.pass(1);
    role.mockRestore();
    await it.pass(1);
    expect(tried).toHaveBeenCalledTimes(5);
    await it.loop.stop();
  });

  test('stopping ends the wait and claims nothing', async () => {
    const it = new LoopFixture();
    it.fixture.lead([2]);
    it.candidates = [processOf(3)];
    it.loop.start();
    await it.pass(1);
    await it.loop.stop();
    await it.pass(30);
    expect(vi.getTimerCount()).toBe(0);
    expect(it.events).toEqual([]);
  });
});
