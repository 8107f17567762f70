import { fc, test as property } from '@fast-check/vitest';
import type { PlacementPolicy } from '@nervix/model';
import { expect, test } from 'vitest';
import { computeSchedule, resolveDomain } from '../../src/index.js';
import { scheduleInForce } from '../../src/moves/schedule-in-force.js';
import { visitSoftPartners } from '../../src/placement/soft-partner.js';
import { softPreference } from '../../src/ranking/soft-preference.js';
import { domains } from '../support/arbitrary-domains.js';
import { nodes } from '../support/domain-fixture.js';

const SOFT: readonly PlacementPolicy[] = ['PREFER COLOCATION', 'NEUTRAL', 'SUGGEST SEPARATION'];

property.prop([domains(), fc.constantFrom(...SOFT), fc.nat(2)])(
  'PS-26 editing only soft policies moves no primary',
  (domain, other, replicaCount) => {
    const edited = (policy: PlacementPolicy) => (policy === 'REQUIRE COLOCATION' ? policy : other);
    const [before, after] = [
      domain,
      {
        ...domain,
        defaultPolicy: edited(domain.defaultPolicy),
        rules: domain.rules.map((rule) => ({ ...rule, policy: edited(rule.policy) })),
      },
    ].map(({ nodes: members, edges, rules, defaultPolicy }) =>
      resolveDomain({ domain: 'd', members, edges, rules, defaultPolicy }),
    );
    fc.pre(before?.kind === 'resolved' && after?.kind === 'resolved');
    if (before?.kind !== 'resolved' || after?.kind !== 'resolved') return;
    expect(after.placement.groups).toEqual(before.placement.groups);
    const input = { nodes: nodes('n1', 'n2', 'n3'), replicaCount, previous: [] };
    const first = computeSchedule({ ...before, ...input });
    const second = computeSchedule({ ...after, ...input, previous: first.entries });
    expect(second.entries).toEqual(first.entries);
    expect(second.relocations).toEqual([]);
  },
);

test.each([63, 64, 90])('PS-68 a group of %i is scored alike from either side', (size) => {
  const junction = (name: string) => ({ kind: 'junction', name });
  const mates = Array.from({ length: size }, (_, at) => junction(`m${100 + at}`));
  const others = Array.from({ length: 40 }, (_, at) => junction(`o${100 + at}`));
  const [first, last] = [mates.slice(0, 1), mates.slice(-1)];
  const outcome = resolveDomain({
    domain: 'd',
    members: [...mates, ...others],
    edges: [...mates, ...others].slice(1).map((to, at) => ({
      from: [...mates, ...others][at] ?? to,
      to,
    })),
    rules: [
      { name: 'one', from: first, to: last, policy: 'REQUIRE COLOCATION', rank: '1' },
      {
        name: 'near',
        from: mates.slice(5, 6),
        to: others.slice(9, 10),
        policy: 'PREFER COLOCATION',
      },
      { name: 'far', from: first, to: others.slice(-1), policy: 'SUGGEST SEPARATION', rank: '9' },
    ],
  });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const cluster = nodes('n1', 'n2', 'n3');
  const previous = [...mates, ...others].map((key, at) => ({
    ...key,
    nodes: [`n${1 + (at % 3)}`],
  }));
  const state = scheduleInForce({ ...outcome, nodes: cluster, replicaCount: 0, previous });
  const unit = state.table.units.find(({ members }) => members.length === size)!;
  const scores = new Int32Array(3);
  softPreference.score(state, unit, scores);
  const expected = new Int32Array(3);
  for (const id of unit.members) {
    visitSoftPartners(state.placement, id, (partner, weight) => {
      if (state.table.unitOf[partner] !== unit.index) expected[state.primary[partner]!]! += weight;
    });
  }
  expect(scores).toEqual(expected);
  expect(scores.some((score) => score !== 0)).toBe(true);
});
