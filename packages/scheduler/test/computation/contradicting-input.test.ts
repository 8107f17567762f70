import { expect, test } from 'vitest';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { computeSchedule, planDrain, ScheduleError } from '../../src/index.js';
import { domainInput, entries, keyOfId, node, nodes } from '../support/domain-fixture.js';

const sound = domainInput({ members: ['a', 'b'] }, { nodes: nodes('n1', 'n2') });
const [first, second] = [entries({ a: 'n1' }), entries({ a: 'n2' })];
const trait = { ...keyOfId('b'), runs: 'once', replication: 'none' } as const;

const contradictions: readonly [Partial<DomainScheduleInput>, string][] = [
  [{ nodes: [node('n1'), node('n1', { isLive: false })] }, "cluster node 'n1' is given twice"],
  [{ previous: [...first, ...second] }, "the previous entries give junction 'a' twice"],
  [
    { previous: [...second, ...entries({ b: 'n1' }), ...first] },
    "the previous entries give junction 'a' twice",
  ],
  [
    { previous: entries({ a: 'n1 n2 n1' }) },
    "the previous entry of junction 'a' gives node 'n1' twice",
  ],
  [{ traits: [trait, { ...trait, runs: 'every_node' }] }, "the traits give junction 'b' twice"],
  [{ replicaCount: -1 }, 'the replica count is -1'],
  [{ replicaCount: 1.5 }, 'the replica count is 1.5'],
  [{ replicaCount: Number.NaN }, 'the replica count is NaN'],
];

test.each(contradictions)(
  'PS-18 a plan is refused where its input is not one: %#',
  (change, problem) => {
    const message = `the input of the schedule is invalid: ${problem}`;
    const expected = new ScheduleError('SCHED_INVALID_INPUT', message, { details: { problem } });
    const input = { ...sound, ...change };
    expect(() => computeSchedule(input)).toThrow(expected);
    expect(() => planDrain('n1', [input])).toThrow(message);
  },
);

test.each([-1, Number.NaN])('OP-44 no failover has a budget of %d', (failoverBudget) => {
  const problem = `the failover budget is ${failoverBudget}`;
  expect(() => computeSchedule({ ...sound, failoverBudget })).toThrow(problem);
});
