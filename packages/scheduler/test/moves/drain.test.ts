import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { type DrainPlan, drainStep, planDrain } from '../../src/moves/drain-plan.js';
import { drainReport } from '../../src/moves/drain-report.js';
import { isPrimaryMove } from '../../src/moves/moved-member.js';
import { keyText } from '../../src/placement/graph-key.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { domainInput, entries, node, nodes } from '../support/domain-fixture.js';

const planOf = (name: string, inputs: readonly DomainScheduleInput[]): DrainPlan => {
  const plan = planDrain(name, inputs);
  if (plan.kind === 'refused') throw new Error(plan.message);
  return plan;
};

const input = domainInput(
  {
    members: [
      { id: 'deduplicator:d', replication: 'state' },
      'emitter:e',
      'junction:a',
      'junction:z',
      'relay:r',
    ],
    groups: [['junction:z', 'relay:r']],
  },
  {
    nodes: [node('n1', { isCordoned: true }), node('n2'), node('n3')],
    previous: entries({
      'deduplicator:d': 'n1 n2',
      'emitter:e': 'n2 n1',
      'junction:a': 'n3',
      'junction:z': 'n1',
      'relay:r': 'n1',
    }),
    replicaCount: 1,
  },
);

describe('planDrain', () => {
  test('PS-35 PS-36 SB-61 units go in key order; the former owner is the first replica', () => {
    const plan = planOf('n1', [input]);
    const outcomes = plan.steps.map((step) => ({ step }));
    const report = drainReport({ ...plan, outcomes, running: new Set(['d']) });
    expect(report).toEqual({
      isComplete: true,
      text: [
        "drained node 'n1' (moved 3 of 3 scheduled graph node(s))",
        'quiesce level: ENTITY_PAUSE',
        '- kind=deduplicator name=d from=n1 to=n2 replicas=n1 promoted_replica=yes',
        '- kind=emitter name=e owner=n2 replicas=n3',
        '- kind=junction name=z from=n1 to=n2 replicas=n1 promoted_replica=no',
        '- kind=relay name=r from=n1 to=n2 replicas=- promoted_replica=no',
      ].join('\n'),
    });
  });

  test('BC-34 PS-36 a step that timed out is listed, fails the drain and is retried', () => {
    const plan = planOf('n1', [input]);
    const failure = "timed out draining domain 'd'";
    const outcomes = plan.steps.map((step, index) => (index === 2 ? { step, failure } : { step }));
    const report = drainReport({ ...plan, outcomes, running: new Set() });
    expect(report.isComplete).toBe(false);
    expect(report.text.split('\n')).toEqual([
      "drained node 'n1' (moved 1 of 3 scheduled graph node(s))",
      'quiesce level: DYNAMIC',
      '- kind=deduplicator name=d from=n1 to=n2 replicas=n1 promoted_replica=yes',
      '- kind=emitter name=e owner=n2 replicas=n3',
      "- kind=junction name=z owner=n1 failed: timed out draining domain 'd'",
      "- kind=relay name=r owner=n1 failed: timed out draining domain 'd'",
    ]);
    const previous = entries({
      'deduplicator:d': 'n2 n3',
      'emitter:e': 'n2 n3',
      'junction:a': 'n3',
      'junction:z': 'n1',
      'relay:r': 'n1',
    });
    const retry = planOf('n1', [{ ...input, previous }]);
    expect(retry.steps.map(({ members }) => members.map(({ name }) => name))).toEqual([['z', 'r']]);
  });

  test('PS-36 domains go in name order', () => {
    const named = (domain: string) => ({
      ...input,
      placement: { ...input.placement, domain },
    });
    const plan = planOf('n1', [named('b'), named('a')]);
    expect([...new Set(plan.steps.map(({ domain }) => domain))]).toEqual(['a', 'b']);
    expect(plan.ownedCount).toBe(6);
  });

  test('PS-36 a process that ends is no replica of what it hands over', () => {
    const cluster = [node('n1', { isTerminating: true }), node('n2')];
    const single = domainInput(
      { members: ['a'] },
      { nodes: cluster, previous: entries({ a: 'n1' }), replicaCount: 1 },
    );
    expect(planOf('n1', [single]).steps[0]?.members[0]).toMatchObject({ to: 'n2', replicas: [] });
  });

  test.each([
    ['a node that nobody cordoned', {}, true],
    ['a node that was cordoned before', { isCordoned: true }, false],
  ])('PS-38 a drain of %s knows whether the cordon is its own', (_, change, setsCordon) => {
    const cluster = [node('n1', change), node('n2')];
    expect(planOf('n1', [{ ...input, nodes: cluster }])).toMatchObject({ setsCordon });
  });

  test.each([
    ['n9', nodes('n1', 'n2'), 'SCHED_NOT_A_MEMBER', "node 'n9' is not a raft member"],
    [
      'n1',
      [node('n1'), node('n2', { isTerminating: true })],
      'SCHED_NO_DRAIN_DESTINATION',
      "cannot drain node 'n1': no live schedulable raft voters remain",
    ],
  ])('PS-36 refuses to drain %s', (name, cluster, code, message) => {
    expect(planDrain(name, [{ ...input, nodes: cluster }])).toMatchObject({
      kind: 'refused',
      code,
      message,
    });
  });
});

property.prop([scheduleInputArbitrary])(
  'PS-36 PS-37 executed moves are the planned moves; afterwards the node owns nothing',
  (random) => {
    const cluster = [node('n1'), node('n2'), ...random.nodes.filter(({ name }) => name > 'n2')];
    const placed = computeSchedule({ ...random, nodes: cluster });
    const start = { ...random, nodes: cluster, previous: placed.entries };
    const plan = planOf('n1', [start]);
    const listeners = new Set(
      random.traits.filter(({ runs }) => runs === 'every_node').map((key) => keyText(key)),
    );
    let current: DomainScheduleInput = start;
    const restarts = new Map<string, number>();
    for (const planned of plan.steps) {
      const [first] = planned.members;
      const executed = first && drainStep('n1', current, first);
      expect(executed?.step).toEqual(planned);
      for (const member of planned.members.filter(isPrimaryMove)) {
        restarts.set(keyText(member), (restarts.get(keyText(member)) ?? 0) + 1);
      }
      current = { ...current, previous: executed?.entries ?? [] };
      for (const { members } of random.placement.groups) {
        const mates = members.flatMap((id) => current.previous[id] ?? []);
        const hosts = mates.filter((entry) => !listeners.has(keyText(entry)));
        expect(new Set(hosts.map((entry) => entry.nodes[0])).size).toBeLessThanOrEqual(1);
      }
    }
    const owned = current.previous.filter(
      (entry) => entry.nodes[0] === 'n1' && !listeners.has(keyText(entry)),
    );
    expect(owned).toEqual([]);
    expect(Math.max(0, ...restarts.values())).toBeLessThanOrEqual(1);
  },
);
