import { expect, test } from 'vitest';
import type { CoreEvent } from '../../src/raft/output.ts';
import { CoreCluster } from '../support/core-cluster.ts';
import { CoreInvariants } from '../support/core-invariants.ts';

/** A healthy cluster that has been looked at once, with one more output put in its leader's mouth. */
function withFalseEvent(event: CoreEvent): () => void {
  const cluster = new CoreCluster([1, 2, 3]);
  const leader = cluster.elect(1);
  const invariants = new CoreInvariants();
  invariants.check(cluster);
  const output = leader.step({ kind: 'applied', index: 1n });
  leader.outputs.push({ ...output, events: [event] });
  return () => invariants.check(cluster);
}

test('CS-314 the checker sees a leader that cuts its log and a log that contradicts', () => {
  expect(withFalseEvent({ kind: 'truncated', from: 1n })).toThrow('I2');
  expect(withFalseEvent({ kind: 'invariantViolated', text: '' })).toThrow('contradicts');
});

test('CS-314 the checker sees a second leader of a term', () => {
  const cluster = new CoreCluster([1, 2, 3]);
  cluster.elect(1);
  const invariants = new CoreInvariants();
  invariants.check(cluster);
  const follower = cluster.of(2);
  const output = follower.step({ kind: 'applied', index: 1n });
  follower.outputs.push({ ...output, events: [{ kind: 'elected', term: 1n }] });
  expect(() => invariants.check(cluster)).toThrow('I1');
});

test('CS-314 the checker sees an assertion that does not wait for the disk', () => {
  const cluster = new CoreCluster([1, 2, 3]);
  const leader = cluster.elect(1);
  const invariants = new CoreInvariants();
  const output = leader.step({ kind: 'applied', index: 1n });
  const message = { kind: 'voteResponse', term: 1n, granted: true } as const;
  leader.outputs.push({ ...output, messagesNow: [{ to: leader.self, message }] });
  expect(() => invariants.check(cluster)).toThrow('I9');
});

test('CS-314 the checker sees a second vote in a term', () => {
  const cluster = new CoreCluster([1, 2, 3]);
  cluster.elect(1);
  const invariants = new CoreInvariants();
  invariants.check(cluster);
  const { disk } = cluster.of(2);
  disk.hardState = { ...disk.hardState, votedFor: cluster.of(3).self };
  expect(() => invariants.check(cluster)).toThrow('I6');
});
