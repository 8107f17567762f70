import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan, RelayPlan } from '@nervix/model';
import { expect } from 'vitest';
import { ReceivedPlans, SentPlans } from '../../src/worker/known-plans.js';
import { type PlanPatch, patchedPlan, planPatch } from '../../src/worker/plan-patch.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

const POOL = Array.from({ length: 12 }, (_, index) => p.relay(`r${index}`));

/** Relays in any order, as they are or as equal ones that are other objects. */
const relays: fc.Arbitrary<readonly RelayPlan[]> = fc
  .uniqueArray(fc.tuple(fc.nat(POOL.length - 1), fc.boolean()), { selector: ([index]) => index })
  .map((drawn) =>
    drawn.map(([index, isOther]) => {
      const relay = POOL[index] as RelayPlan;
      return isOther ? { ...relay } : relay;
    }),
  );

const step = fc.oneof(
  { weight: 6, arbitrary: relays.map((list) => ({ kind: 'send' as const, list })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'again' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' as const }) },
);

function sizeOf(patch: PlanPatch): number {
  const stretches = Object.values(patch.lists).flat();
  return stretches.reduce(
    (size, stretch) => size + (stretch?.kind === 'new' ? stretch.parts.length : 0),
    0,
  );
}

test.prop([fc.array(step, { maxLength: 12 })], { numRuns: propertyRuns(200) })(
  'RT-194: what arrives is the whole plan, and no part that arrived before is sent again',
  (steps) => {
    const [sent, received] = [new SentPlans(), new ReceivedPlans()];
    let latest: { readonly sent: ExecutionPlan; readonly taken: ExecutionPlan } | undefined;
    for (const [revision, each] of steps.entries()) {
      if (each.kind === 'forget') {
        sent.forget('taxi');
        received.forget('taxi');
        latest = undefined;
        continue;
      }
      const list = each.kind === 'send' ? each.list : latest?.sent.relays;
      const plan = { ...p.plan(), ...latest?.sent, domain: 'taxi', revision };
      const next: ExecutionPlan = list === undefined ? plan : { ...plan, relays: list };
      const taken = sent.send(next, (patch) => {
        const known = latest?.sent.relays ?? [];
        const fresh = next.relays.filter((relay) => !known.includes(relay));
        if (latest !== undefined) expect(sizeOf(patch)).toBe(fresh.length);
        return received.taken(structuredClone(patch));
      });
      expect(taken).toEqual(next);
      for (const [place, relay] of next.relays.entries()) {
        const former = latest?.sent.relays.indexOf(relay) ?? -1;
        if (former >= 0) expect(taken.relays[place]).toBe(latest?.taken.relays[former]);
      }
      if (latest?.sent.relays === next.relays) expect(taken.relays).toBe(latest.taken.relays);
      latest = { sent: next, taken };
    }
  },
);

test('what could not be sent is no base of what is sent next', () => {
  const sent = new SentPlans();
  const [first, second] = [p.plan({ revision: 1 }), p.plan({ revision: 2, relays: [...POOL] })];
  sent.send(first, () => undefined);
  const fail = (): never => {
    throw new Error('not cloned');
  };
  expect(() => sent.send(second, fail)).toThrow('not cloned');
  const patch = sent.send(second, (each) => each);
  expect(patchedPlan(first, patch)).toEqual(second);
  expect(patch).toEqual(planPatch(first, second));
});
