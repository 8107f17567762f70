import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { placementBlock } from '../../src/explanation/placement-block.js';
import { explainPlacements } from '../../src/explanation/unit-explanation.js';
import type { Requirements } from '../../src/feasibility/requirements.js';
import { planDrain } from '../../src/moves/drain-plan.js';
import { drainReport } from '../../src/moves/drain-report.js';
import { planRebalance } from '../../src/moves/rebalance-plan.js';
import { planRelocation } from '../../src/moves/relocation-plan.js';
import {
  type DomainFixture,
  domainInput,
  entries,
  node,
  owners,
} from '../support/domain-fixture.js';

const cores = (name: string, cpuCores: number) =>
  node(name, {
    facts: {
      available: {
        value: { cpuCores, memoryBytes: 0, diskBytes: 0, fileHandles: 0 },
        ageMs: 10,
      },
      failureDomain: { value: name < 'n3' ? 'east' : 'west', ageMs: null },
    },
  });

const constrained = (
  fixture: DomainFixture,
  requirements: Requirements,
  rest: Parameters<typeof domainInput>[1],
): DomainScheduleInput => {
  const input = domainInput(fixture, rest);
  return { ...input, traits: input.traits.map((entry) => ({ ...entry, requirements })) };
};

const twoCores = { capacity: { cpuCores: 2 } };

describe('OP-34 constraints of a computation', () => {
  test('decisions count what earlier ones use up, and say what is missing', () => {
    const input = constrained({ members: ['a', 'b', 'c'] }, twoCores, {
      nodes: [cores('n1', 4), cores('n2', 1)],
    });
    const schedule = computeSchedule(input);
    expect(owners(schedule)).toEqual({ a: 'n1', b: 'n1', c: '' });
    expect(schedule.stalls[0]?.message).toBe(
      "no cluster node can run junction 'c' " +
        '(n1: capacity fail (cpuCores 2 of 0), n2: capacity fail (cpuCores 2 of 1))',
    );
  });

  test('a group is asked for as a whole, and an unknown amount is no permission', () => {
    const group: DomainFixture = { members: ['a', 'b'], groups: [['a', 'b']] };
    const nodes = [cores('n1', 3), cores('n2', 4), node('n0')];
    const schedule = computeSchedule(constrained(group, twoCores, { nodes }));
    expect(owners(schedule)).toEqual({ a: 'n2', b: 'n2' });
  });

  test('a set spreads over failure domains', () => {
    const spread = { spread: { set: 's', perFailureDomainMax: 1 } };
    const nodes = [cores('n1', 1), cores('n2', 1), cores('n3', 1)];
    const schedule = computeSchedule(constrained({ members: ['a', 'b', 'c'] }, spread, { nodes }));
    expect(owners(schedule)).toEqual({ a: 'n1', b: 'n3', c: '' });
  });

  test.each([
    ['not known', undefined],
    ['known from too long ago', { value: 'east', ageMs: 2_000 }],
    ['known from an age that is no number', { value: 'east', ageMs: Number.NaN }],
  ])('a neighbour whose failure domain is %s may be in any', (_, failureDomain) => {
    const requirements = { spread: { set: 's', perFailureDomainMax: 1 }, evidenceAgeMsMax: 1_000 };
    const [there, free] = [cores('n1', 1), cores('n2', 1)];
    const { failureDomain: _known, ...facts } = there.facts ?? {};
    const nodes = [
      { ...there, facts: failureDomain === undefined ? facts : { ...facts, failureDomain } },
      free,
    ];
    const previous = entries({ a: 'n1' });
    const schedule = computeSchedule(
      constrained({ members: ['a', 'b'] }, requirements, { nodes, previous }),
    );
    expect(owners(schedule)).toEqual({ a: 'n1', b: '' });
    expect(schedule.stalls[0]?.message).toContain('1 in failure domains that are not known');
  });

  test('no node carries so much of a set that too little goes on without it', () => {
    const fixture = { members: ['a', 'b', 'c', 'd'] };
    const availability = (availableMin: number) => ({ availability: { set: 's', availableMin } });
    const placed = (availableMin: number, names: readonly string[]) =>
      owners(
        computeSchedule(
          constrained(fixture, availability(availableMin), {
            nodes: names.map((name) => cores(name, 1)),
          }),
        ),
      );
    expect(placed(2, ['n1', 'n2'])).toEqual({ a: 'n1', b: 'n2', c: 'n1', d: 'n2' });
    expect(placed(3, ['n1', 'n2'])).toEqual({ a: 'n1', b: 'n2', c: '', d: '' });
    expect(placed(4, ['n1', 'n2'])).toEqual({ a: '', b: '', c: '', d: '' });
  });

  test('a lost owner is not replaced where too little would go on', () => {
    const previous = entries({ a: 'n1', b: 'n2', c: 'n3' });
    const nodes = [{ ...cores('n1', 1), isLive: false }, cores('n2', 1), cores('n3', 1)];
    const requirements = { availability: { set: 's', availableMin: 2 } };
    const schedule = computeSchedule(
      constrained({ members: ['a', 'b', 'c'] }, requirements, { nodes, previous }),
    );
    expect(owners(schedule)).toEqual({ a: 'n1', b: 'n2', c: 'n3' });
    expect(schedule.stalls[0]?.message).toContain('availability fail (s keeps 1 of at least 2');
  });

  test('members of a group that listen on one port cannot run anywhere', () => {
    const group: DomainFixture = { members: ['a', 'b', 'c'], groups: [['a', 'b']] };
    const known = (name: string) =>
      node(name, { facts: { takenPorts: { value: [], ageMs: null } } });
    const input = constrained(group, { ports: [80] }, { nodes: [known('n1'), known('n2')] });
    expect(owners(computeSchedule(input))).toEqual({ a: '', b: '', c: 'n1' });
    const [explained] = explainPlacements(input);
    expect(placementBlock(explained!)).toContain(
      '- n2 distinct_ports=fail (shared in the group 80)',
    );
  });

  test('only the process that was admitted receives work', () => {
    const process = (name: string, observed: string | null) =>
      node(name, { incarnation: { admitted: 'i1', observed } });
    const nodes = [process('n1', 'i2'), process('n2', null), process('n3', 'i1')];
    const input = domainInput({ members: ['a', 'b'] }, { nodes, previous: entries({ b: 'n1' }) });
    expect(owners(computeSchedule(input))).toEqual({ a: 'n3', b: 'n1' });
    expect(explainPlacements(input).map(placementBlock)[0]).toContain(
      [
        'rejected:',
        '- n1 incarnation=fail (other incarnation)',
        '- n2 incarnation=unknown (unknown incarnation)',
      ].join('\n'),
    );
    const request = {
      selection: { kind: 'members' as const, members: [{ kind: 'junction' as const, name: 'a' }] },
      strategy: 'IGNORE PREFERENCES' as const,
      overrides: [],
    };
    const refusals = ['n1', 'n2'].map((name) => {
      const plan = planRelocation(input, { ...request, node: name }, true);
      return plan.kind === 'refused' ? plan.message : 'planned';
    });
    expect(refusals).toEqual([
      "node 'n1' is another incarnation than the one admitted",
      "node 'n2' is of an incarnation that was not observed",
    ]);
  });

  test('existing assignments stay although their node no longer qualifies', () => {
    const previous = entries({ a: 'n2' });
    const nodes = [cores('n1', 4), cores('n2', 0)];
    const schedule = computeSchedule(
      constrained({ members: ['a'] }, twoCores, { nodes, previous }),
    );
    expect(schedule.entries).toEqual(previous);
  });

  test('PS-36 a drain lists what has nowhere to go and moves the rest', () => {
    const input = domainInput(
      { members: ['a', 'b'] },
      { nodes: [cores('n1', 4), cores('n2', 1)], previous: entries({ a: 'n1', b: 'n1' }) },
    );
    const traits = input.traits.map((entry) =>
      entry.name === 'a' ? { ...entry, requirements: twoCores } : entry,
    );
    const plan = planDrain('n1', [{ ...input, traits }]);
    if (plan.kind === 'refused') throw new Error(plan.message);
    const outcomes = plan.steps.map((step) => ({ step }));
    expect(drainReport({ ...plan, outcomes, running: new Set(['d']) })).toEqual({
      isComplete: false,
      text: [
        "drained node 'n1' (moved 1 of 2 scheduled graph node(s))",
        'quiesce level: ENTITY_PAUSE',
        '- kind=junction name=a owner=n1 failed: no cluster node can run it ' +
          '(n2: capacity fail (cpuCores 2 of 1))',
        '- kind=junction name=b from=n1 to=n2 replicas=- promoted_replica=no',
      ].join('\n'),
    });
  });

  test('PS-75 neither RELOCATE nor REBALANCE moves work where it cannot run', () => {
    const input = constrained({ members: ['a', 'b', 'c'] }, twoCores, {
      nodes: [cores('n1', 4), cores('n2', 1)],
      previous: entries({ a: 'n1', b: 'n1', c: 'n1' }),
    });
    const plan = planRebalance([input], { domain: null, maxMoves: null, running: new Set() });
    expect(plan).toMatchObject({ moves: [], stopped: 'NO_IMPROVING_MOVE' });
    const request = {
      selection: { kind: 'members' as const, members: [{ kind: 'junction' as const, name: 'a' }] },
      node: 'n2',
      strategy: 'IGNORE PREFERENCES' as const,
      overrides: [],
    };
    expect(planRelocation(input, request, true)).toMatchObject({
      kind: 'refused',
      code: 'SCHED_UNFIT_DESTINATION',
      message: "junction 'a' cannot run there (n2: capacity fail (cpuCores 2 of 1))",
    });
  });

  test.each<readonly [constraint: string, requirements: Requirements, why: string]>([
    ['capacity', twoCores, 'capacity fail (cpuCores 2 of 1)'],
    ['port', { ports: [80] }, 'ports fail'],
    ['spread', { spread: { set: 's', perFailureDomainMax: 1 } }, 'spread fail (s 1 of 1 in west)'],
    ['availability', { availability: { set: 's', availableMin: 1 } }, 'availability fail'],
  ])('PS-75 groups of one relocation share what their destination has left: %s', (...row) => {
    const [, requirements, why] = row;
    const nodes = [cores('n1', 3), cores('n3', 3)].map((it) => ({
      ...it,
      facts: { ...it.facts, takenPorts: { value: [], ageMs: 10 } },
    }));
    const previous = entries({ a: 'n1', b: 'n1' });
    const input = constrained({ members: ['a', 'b'] }, requirements, { nodes, previous });
    const relocation = (...names: readonly string[]) =>
      planRelocation(
        input,
        {
          selection: {
            kind: 'members',
            members: names.map((name) => ({ kind: 'junction' as const, name })),
          },
          node: 'n3',
          strategy: 'IGNORE PREFERENCES',
          overrides: [],
        },
        true,
      );
    expect(relocation('a')).toMatchObject({ kind: 'plan' });
    const both = relocation('a', 'b');
    expect(both).toMatchObject({ kind: 'refused', code: 'SCHED_UNFIT_DESTINATION' });
    expect(both.kind === 'refused' ? both.message : '').toContain(`junction 'b' cannot run there`);
    expect(both.kind === 'refused' ? both.message : '').toContain(why);
  });
});
