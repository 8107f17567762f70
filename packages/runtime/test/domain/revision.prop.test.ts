import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { AckSet } from '../../src/ack/ack-set.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { executionDelta } from '../../src/domain/execution-delta.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

/** A junction whose two routes write the version, and whose filter takes ids from it on. */
const versioned = (version: number): ExecutionPlan => {
  const route = (relay: string) =>
    p.route(relay, {
      construction: {
        assignments: [...p.inherit(p.EVENT), p.set('amount', p.int(version), 4)],
        where: null,
      },
    });
  return p.plan({
    revision: version,
    relays: ['events', 'a', 'b'].map((name) => p.relay(name, { capacity: 1 + (version % 3) })),
    processors: [
      p.junction('j', ['events'], [route('a'), route('b')], {
        filter: p.binary('gt', p.input('amount'), p.int(version)),
      } as object),
    ],
  });
};

function rows(count: number, firstId: number) {
  const builder = new BatchBuilder(p.EVENT);
  for (let index = 0; index < count; index += 1) {
    builder.appendRow([BigInt(firstId + index), 't', BigInt(index), null]);
  }
  const instants = new BigInt64Array(count);
  return {
    batch: builder.finish(),
    branchKey: null,
    low: instants,
    high: instants,
    acks: AckSet.NONE,
  };
}

type Step = { readonly kind: 'publish'; readonly count: number } | { readonly kind: 'revise' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'revise' }) },
);

describe('revisions of a running node', () => {
  test.prop(
    [fc.array(step, { maxLength: 25 }), fc.array(fc.boolean(), { minLength: 25, maxLength: 25 })],
    {
      numRuns: propertyRuns(40),
    },
  )(
    'every batch meets one revision in its filter and in all routes, and none goes back (RT-9)',
    async (steps, pauses) => {
      const { graph, probe, settle, advance, publish } = virtualGraph(versioned(0));
      const probes = [probe('a'), probe('b')];
      let version = 0;
      let published = 0;
      const batches: { first: number; count: number; earliest: number }[] = [];
      for (const [at, each] of steps.entries()) {
        if (each.kind === 'publish') {
          batches.push({ first: published, count: each.count, earliest: version });
          void publish('events', rows(each.count, published));
          published += each.count;
        } else {
          version += 1;
          const delta = executionDelta(graph.plan, versioned(version));
          if (delta.kind !== 'dynamic') throw new Error(delta.kind);
          graph.revise(versioned(version), delta.revised);
        }
        if (pauses[at]) await advance(1);
      }
      for (let turn = 0; turn < 2 * steps.length + 4; turn += 1) await advance(1);
      await settle();
      const [fromA = [], fromB = []] = probes.map((each) => each.rows());
      expect(fromA).toEqual(fromB);
      const versionOf = new Map(fromA.map((row) => [Number(row['id']), Number(row['amount'])]));
      let latest = 0;
      for (const { first, count, earliest } of batches) {
        const ids = Array.from({ length: count }, (_, index) => first + index);
        const seen = new Set(ids.flatMap((id) => versionOf.get(id) ?? []));
        expect(seen.size).toBeLessThanOrEqual(1);
        const [met] = seen;
        if (met === undefined) continue;
        expect(met).toBeGreaterThanOrEqual(Math.max(latest, earliest));
        latest = met;
        const passed = ids.filter((id) => versionOf.has(id));
        expect(passed).toEqual(ids.filter((_, index) => index > met));
      }
    },
  );
});
