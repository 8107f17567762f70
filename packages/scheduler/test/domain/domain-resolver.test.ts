import { describe, expect, test } from 'vitest';
import { type DomainDefinition, DomainResolver, ScheduleError } from '../../src/index.js';

const [a, b] = [
  { kind: 'junction', name: 'a' },
  { kind: 'relay', name: 'b' },
];
const near = { name: 'near', from: [a], to: [b], policy: 'REQUIRE COLOCATION' } as const;
const definition: DomainDefinition = {
  domain: 'd',
  members: [{ ...b, replication: 'state' }, a],
  edges: [{ from: a, to: b }],
  rules: [near],
};

const resolve = (change: Partial<DomainDefinition> = {}, resolver = new DomainResolver()) =>
  resolver.resolve({ ...definition, ...change });

describe('a definition', () => {
  test('PS-16 PS-23 gives the placement and the traits of every graph node', () => {
    const outcome = resolve();
    expect(outcome).toMatchObject({
      kind: 'resolved',
      traits: [
        { ...a, runs: 'once', replication: 'role' },
        { ...b, runs: 'once', replication: 'state' },
      ],
      placement: { domain: 'd', defaultPolicy: 'NEUTRAL', groups: [{ members: [0, 1] }] },
    });
  });

  test('PS-14 rules that disagree are a refusal with code and details', () => {
    const far = { ...near, name: 'far', policy: 'NEUTRAL' } as const;
    expect(resolve({ rules: [near, far] })).toMatchObject({
      kind: 'refused',
      code: 'SCHED_PLACEMENT_CONFLICT',
      details: { domain: 'd', rules: ['far', 'near'], pair: [a, b] },
      retryable: false,
    });
  });

  test('PS-71 an equal graph is the graph of before, another one is not', () => {
    const resolver = new DomainResolver();
    const graphs = [definition, structuredClone(definition), { ...definition, edges: [] }].map(
      (one) => {
        const outcome = resolver.resolve(one);
        return outcome.kind === 'resolved' ? outcome.placement.graph : undefined;
      },
    );
    expect(graphs[1]).toBe(graphs[0]);
    expect(graphs[2]).not.toBe(graphs[0]);
  });
});

test.each([
  [{ members: [a, b, a] }, "member 'junction/a' is given twice"],
  [{ edges: [{ from: a, to: { kind: 'relay', name: 'x' } }] }, "an edge joins unlisted relay 'x'"],
  [{ rules: [near, near] }, "rule 'near' is given twice"],
  [{ rules: [{ ...near, rank: '00' }] }, "rule 'near' has rank '00'"],
  [{ rules: [{ ...near, from: [] }] }, "rule 'near' has a side without members"],
  [
    { rules: [{ ...near, to: [b, b] }] },
    "member of one side of rule 'near', 'relay/b' is given twice",
  ],
  [
    { rules: [{ ...near, to: [{ ...b, kind: 'lookup' }] }] },
    "rule 'near' names unlisted hash map 'b'",
  ],
  [
    { members: [{ ...a, runs: 'every_node' }, b] },
    "rule 'near' names junction 'a', which runs on every cluster node",
  ],
  [
    { members: [{ ...a, requirements: { capacity: { cpuCores: -1 } } }, b] },
    "junction 'a' needs -1 of cpuCores",
  ],
  [
    { members: [{ ...a, requirements: { capacity: { diskBytes: Number.NaN } } }, b] },
    "junction 'a' needs NaN of diskBytes",
  ],
] satisfies [Partial<DomainDefinition>, string][])(
  '%# contradicting input throws',
  (change, problem) => {
    let thrown: unknown;
    try {
      resolve(change);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ScheduleError);
    expect(thrown).toMatchObject({
      code: 'SCHED_INVALID_INPUT',
      message: `the input of the schedule is invalid: ${problem}`,
      details: { problem },
    });
  },
);

test('PS-2 a rule is checked again once a member listens on every node', () => {
  const resolver = new DomainResolver();
  expect(resolve({}, resolver).kind).toBe('resolved');
  const members = [{ ...a, runs: 'every_node' as const }, b];
  expect(() => resolve({ members }, resolver)).toThrow('runs on every cluster node');
});
