import { describe, expect, test } from 'vitest';
import type { Input } from '../../src/raft/input.ts';
import type { SnapshotMeta } from '../../src/raft/message.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import { CoreDisk, CoreMember, configurationOf, memberOf } from '../support/core-member.ts';

const snapshot: SnapshotMeta = {
  index: 3n,
  term: 1n,
  chain: new Uint8Array(16),
  generation: 1n,
  configuration: configurationOf([1, 2, 3]),
  configurationIndex: 0n,
};

/** An input of each kind that may come at any time; the keys are all kinds there are. */
const INPUTS: { readonly [K in Input['kind']]: readonly Input[] } = {
  tick: [{ kind: 'tick' }],
  message: [
    { kind: 'message', from: idOf(2), message: { kind: 'termNotice', term: 0n } },
    { kind: 'message', from: idOf(9), message: { kind: 'timeoutNow', term: 1n } },
  ],
  propose: [{ kind: 'propose', payloads: [Uint8Array.of(1), Uint8Array.of(2)] }],
  proposeConfiguration: [
    { kind: 'proposeConfiguration', changes: [{ kind: 'addLearner', member: memberOf(4) }] },
    { kind: 'proposeConfiguration', changes: [{ kind: 'activate', level: 2 }] },
  ],
  readIndex: [{ kind: 'readIndex', context: 1n }],
  announceCommit: [{ kind: 'announceCommit' }],
  transferLeader: [{ kind: 'transferLeader', target: idOf(2) }],
  campaign: [{ kind: 'campaign' }],
  persisted: [{ kind: 'persisted', seq: 0n }],
  applied: [{ kind: 'applied', index: 0n }],
  snapshotAvailable: [{ kind: 'snapshotAvailable', snapshot: { ...snapshot, index: 0n } }],
  entriesLoaded: [{ kind: 'entriesLoaded', request: 77n, entries: [] }],
  installed: [],
  purged: [{ kind: 'purged', through: { index: 0n, term: 0n } }],
  peerUnreachable: [{ kind: 'peerUnreachable', peer: idOf(2) }],
  snapshotResult: [{ kind: 'snapshotResult', peer: idOf(2), ok: false }],
  storeStalled: [{ kind: 'storeStalled' }, { kind: 'storeResumed' }],
  storeResumed: [{ kind: 'storeResumed' }],
  storeFailed: [{ kind: 'storeFailed' }],
  stop: [{ kind: 'stop' }],
};

const fresh = (): CoreMember => new CoreMember(memberOf(1), new CoreDisk(undefined), 1);

/** A member in each of its roles and conditions. */
const MEMBERS: readonly (readonly [string, () => CoreMember])[] = [
  ['without a configuration', fresh],
  ['a follower', () => new CoreCluster([1, 2, 3]).of(1)],
  [
    'a pre-candidate',
    () => {
      const member = new CoreCluster([1, 2, 3]).of(1);
      member.step({ kind: 'campaign' });
      return member;
    },
  ],
  [
    'a candidate',
    () => {
      const member = new CoreCluster([1, 2, 3]).of(1);
      member.step({ kind: 'campaign' });
      const message = { kind: 'preVoteResponse', term: 1n, granted: true } as const;
      member.step({ kind: 'message', from: idOf(2), message });
      return member;
    },
  ],
  ['a leader', () => new CoreCluster([1, 2, 3]).elect(1)],
  ['a learner', () => new CoreMember(memberOf(4), new CoreDisk(configurationOf([1], [4])), 1)],
  ['one whose store failed', () => halted({ kind: 'storeFailed' })],
  ['one that stopped', () => halted({ kind: 'stop' })],
];

function halted(by: Input): CoreMember {
  const member = new CoreCluster([1, 2, 3]).of(1);
  member.step(by);
  return member;
}

const ALL = Object.entries(INPUTS).flatMap(([kind, inputs]) =>
  inputs.map((input) => [kind, input] as const),
);

describe.each(MEMBERS)('CS-11 CS-12 every input has an output, in order, of %s', (_, make) => {
  test.each(ALL)('%s', (_kind, input) => {
    const member = make();
    const before = member.inputs.length;
    const output = member.step(input);
    const outcomes = input.kind === 'propose' ? input.payloads.length : 0;
    const isAnswered = input.kind === 'proposeConfiguration' || input.kind === 'transferLeader';
    // Whoever asks for something hears of it at once, whatever the role.
    expect(output.proposals).toHaveLength(isAnswered ? 1 : outcomes);
    if (input.kind === 'readIndex') {
      const isPending = member.core.role === 'leader' || member.core.leader !== undefined;
      expect(output.readsRejected.length).toBe(isPending ? 0 : 1);
    }
    if (input.kind === 'storeFailed' || input.kind === 'stop') {
      expect(output.messagesAfter).toEqual([]);
      expect(
        member.step({ kind: 'propose', payloads: [Uint8Array.of(1)] }).proposals,
      ).toMatchObject([{ kind: 'dropped' }]);
    }
    expect(member.inputs.length).toBeGreaterThan(before);
    expect(member.replay()).toEqual(member.outputs);
  });
});

test('CS-11 CS-115 the end of an installation is taken where one was begun', () => {
  const cluster = new CoreCluster([1, 2, 3]);
  const member = cluster.of(2);
  const message = { kind: 'snapshot', term: 1n, snapshot } as const;
  member.step({ kind: 'message', from: idOf(1), message });
  expect(member.jobs.at(-1)?.installSnapshot).toEqual(snapshot);
  while (member.persist());
  expect(member.core).toMatchObject({ commit: 3n, applied: 3n });
});
