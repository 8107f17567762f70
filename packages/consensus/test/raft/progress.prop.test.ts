import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberKey } from '../../src/raft/member-id.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { propRuns } from '../support/prop-runs.ts';

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('propose' as const), bytes: fc.nat({ max: 40 }) }),
    fc.record({ kind: fc.constantFrom('deliver', 'lose', 'repeat'), at: fc.nat({ max: 30 }) }),
    fc.record({ kind: fc.constantFrom('persist' as const, 'unreachable' as const) }),
  ),
  { maxLength: 150 },
);

test('CS-313 the window is never passed, never negative, and drains', () => {
  const options = { appendBytesMax: 50, inflightBatchesMax: 5, inflightBytesMax: 220 };
  fc.assert(
    fc.property(steps, (list) => {
      const cluster = new CoreCluster([1, 2], configurationOf([1, 2]), options);
      const leader = cluster.elect(1);
      const progress = leader.core.progress.get(memberKey(memberOf(2)))!;
      for (const step of list) {
        cluster.collect();
        const count = Math.max(cluster.flights.length, 1);
        if (step.kind === 'propose') {
          leader.step({
            kind: 'propose',
            payloads: [new Uint8Array((step as { bytes: number }).bytes)],
          });
        } else if (step.kind === 'persist') {
          for (const member of cluster.members.values()) member.persist();
        } else if (step.kind === 'unreachable') {
          leader.step({ kind: 'peerUnreachable', peer: idOf(2) });
        } else {
          const at = (step as { at: number }).at % count;
          const flight = cluster.flights[at];
          if (flight !== undefined && step.kind !== 'lose') cluster.hand(flight);
          if (step.kind !== 'repeat') cluster.flights.splice(at, 1);
        }
        expect(progress.inflightBatches).toBeLessThanOrEqual(5);
        expect(progress.inflightBytes).toBeGreaterThanOrEqual(0);
        expect(progress.inflightBytes).toBeLessThanOrEqual(220);
        expect(progress.next).toBeGreaterThan(progress.match);
        expect(progress.match).toBeLessThanOrEqual(cluster.of(2).disk.lastIndex);
      }
      cluster.tick(60);
      if (leader.core.role === 'leader') {
        expect(progress).toMatchObject({ inflightBatches: 0, inflightBytes: 0 });
        expect(progress.match).toBe(leader.core.lastIndex);
      }
      expect(leader.events.filter(({ kind }) => kind === 'invariantViolated')).toEqual([]);
    }),
    { numRuns: propRuns(100) },
  );
});
