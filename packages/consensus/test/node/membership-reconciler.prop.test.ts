import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextReconciliation } from '../../src/node/membership-reconciler.ts';
import type { Configuration, Member } from '../../src/raft/configuration.ts';
import { FIRST_LEVELS, levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { memberKey } from '../../src/raft/member-id.ts';
import { changeConfiguration } from '../../src/raft/membership.ts';
import type { PeerIdentity } from '../../src/transport/transport.ts';
import { propRuns } from '../support/prop-runs.ts';

const hex = (value: number): string => value.toString(16).padStart(32, '0');

function peer(node: number, store: number, incarnation: number, port = node): PeerIdentity {
  return {
    clusterId: 'c',
    clusterUid: undefined,
    nodeId: `n${node}`,
    storeId: hex(store),
    epoch: hex(incarnation),
    incarnation: BigInt(incarnation),
    endpoint: `127.0.0.1:${port}`,
    levels: FIRST_LEVELS,
    level: 1,
  };
}

function member({ nodeId, storeId, incarnation, endpoint, levels }: PeerIdentity): Member {
  return { nodeId, storeId, incarnation, endpoint, levels };
}

const founder = peer(1, 1, 1);

function configuration(voters: readonly PeerIdentity[], learners: readonly PeerIdentity[] = []) {
  const made: Configuration = {
    clusterUid: hex(99),
    level: 1,
    voters: voters.map(member),
    outgoing: [],
    learners: learners.map(member),
  };
  return made;
}

const never = () => false;
const always = () => true;
/** Nobody but the leader shows itself, and nothing has failed. */
const quiet = { isPresent: (it: Member) => it.nodeId === 'n1', isPostponed: never };

describe('CS-125 CS-137 the next step of the members', () => {
  test('a process that nobody knows becomes a learner', () => {
    const step = nextReconciliation({
      configuration: configuration([founder]),
      candidates: [founder, peer(2, 2, 5)],
      isCaughtUp: never,
      ...quiet,
    });
    expect(step).toEqual({
      nodeId: 'n2',
      step: 'add learner',
      changes: [{ kind: 'addLearner', member: member(peer(2, 2, 5)) }],
    });
  });

  test('a learner becomes a voter when it has caught up and is present', () => {
    const inputs = {
      configuration: configuration([founder], [peer(2, 2, 5)]),
      candidates: [founder, peer(2, 2, 5)],
      ...quiet,
    };
    expect(nextReconciliation({ ...inputs, isCaughtUp: never })).toBeUndefined();
    expect(nextReconciliation({ ...inputs, isCaughtUp: always })?.step).toBe('promote voter');
    const absent = { ...inputs, candidates: [founder], isCaughtUp: always };
    expect(nextReconciliation(absent)).toBeUndefined();
  });

  test('a member that moved keeps its role and gets its new address', () => {
    const step = nextReconciliation({
      configuration: configuration([founder, peer(2, 2, 5)]),
      candidates: [founder, peer(2, 2, 6, 77)],
      isCaughtUp: never,
      ...quiet,
    });
    expect(step?.step).toBe('update address');
    const member = { endpoint: '127.0.0.1:77', incarnation: 6n };
    expect(step?.changes).toMatchObject([{ kind: 'update', member }]);
  });

  test('CS-344 CS-345 a member of another release is recorded with what that supports', () => {
    const levels = levelsOfRelease(2);
    const upgraded = { ...peer(2, 2, 6), levels };
    const recorded = (candidates: readonly PeerIdentity[]) =>
      nextReconciliation({
        configuration: configuration([founder, peer(2, 2, 5)]),
        candidates,
        isCaughtUp: never,
        ...quiet,
      });
    expect(recorded([founder, upgraded])).toEqual({
      nodeId: 'n2',
      step: 'update levels',
      changes: [{ kind: 'update', member: member(upgraded) }],
    });
    // What an earlier process supported says nothing about the present one.
    expect(recorded([founder, { ...upgraded, incarnation: 4n }])).toBeUndefined();
    expect(recorded([founder, peer(2, 2, 6)])).toBeUndefined();
  });

  test('a node with a new store is replaced only when it is a later process', () => {
    const present = configuration([founder, peer(2, 2, 5)]);
    const inputs = { configuration: present, isCaughtUp: never, ...quiet };
    const later = nextReconciliation({ ...inputs, candidates: [founder, peer(2, 3, 6)] });
    expect(later?.step).toBe('replace store');
    expect(later?.changes.map(({ kind }) => kind)).toEqual(['remove', 'addLearner']);
    for (const incarnation of [4, 5]) {
      const candidates = [founder, peer(2, 3, incarnation)];
      expect(nextReconciliation({ ...inputs, candidates })).toBeUndefined();
    }
  });

  test('nobody takes the place of a member that is present, the leader least of all', () => {
    const inputs = {
      configuration: configuration([founder, peer(2, 2, 5)]),
      candidates: [peer(1, 7, 9), peer(2, 3, 9)],
      isCaughtUp: always,
      isPostponed: never,
    };
    expect(nextReconciliation({ ...inputs, isPresent: always })).toBeUndefined();
    expect(nextReconciliation({ ...inputs, ...quiet })).toMatchObject({
      step: 'replace store',
      nodeId: 'n2',
    });
  });

  test('whoever is postponed holds nobody up, neither as a candidate nor as a learner', () => {
    const inputs = {
      configuration: configuration([founder], [peer(3, 3, 5)]),
      candidates: [founder, peer(2, 2, 5), peer(3, 3, 5), peer(4, 4, 5)],
      isCaughtUp: always,
      ...quiet,
    };
    const stepWithout = (...names: readonly string[]) =>
      nextReconciliation({ ...inputs, isPostponed: (nodeId) => names.includes(nodeId) })?.nodeId;
    expect(stepWithout()).toBe('n2');
    expect(stepWithout('n2')).toBe('n4');
    expect(stepWithout('n2', 'n4')).toBe('n3');
    expect(stepWithout('n2', 'n3', 'n4')).toBeUndefined();
  });

  test('nothing is decided while the configuration is joint', () => {
    const joint = { ...configuration([founder]), outgoing: [member(founder)] };
    const candidates = [founder, peer(2, 2, 5)];
    expect(
      nextReconciliation({ configuration: joint, candidates, isCaughtUp: always, ...quiet }),
    ).toBeUndefined();
  });
});

const candidates = fc
  .array(fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 8 }), fc.nat(9)), {
    maxLength: 8,
  })
  .map((all) => all.map(([node, store, incarnation]) => peer(node, store, incarnation)));

test('CS-125 every step is a legal change, and carrying steps out comes to an end', () => {
  fc.assert(
    fc.property(candidates, (others) => {
      let current = configuration([founder]);
      for (let steps = 0; ; steps += 1) {
        expect(steps).toBeLessThan(40);
        const inputs = { candidates: [founder, ...others], isCaughtUp: always, ...quiet };
        const step = nextReconciliation({ configuration: current, ...inputs });
        if (step === undefined) break;
        const outcome = changeConfiguration(current, step.changes, founder);
        expect(outcome).toMatchObject({ kind: 'changed' });
        if (outcome.kind === 'changed') current = { ...outcome.configuration, outgoing: [] };
      }
      const names = [...current.voters, ...current.learners].map(({ nodeId }) => nodeId);
      expect(new Set(names).size).toBe(names.length);
      expect(current.learners).toEqual([]);
      expect(current.voters.map(memberKey)).toContain(memberKey(founder));
      expect(new Set(names)).toEqual(new Set(['n1', ...others.map(({ nodeId }) => nodeId)]));
    }),
    { numRuns: propRuns(300) },
  );
});
