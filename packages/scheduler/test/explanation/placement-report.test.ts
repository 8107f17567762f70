import { expect, test } from 'vitest';
import {
  computeSchedule,
  type DomainScheduleInput,
  finish,
  placementReport,
  reportJsonSteps,
  resolveDomain,
} from '../../src/index.js';

const key = (text: string) => {
  const [kind = '', name = ''] = text.split(' ');
  return { kind, name };
};
const keys = (...texts: string[]) => texts.map(key);
const node = { isLive: true, isCordoned: false, isTerminating: false };

function inputOf(): DomainScheduleInput {
  const members = [
    ...keys('junction clean', 'relay raw', 'relay tidy'),
    { ...key('ingestor intake'), runs: 'every_node' as const },
  ];
  const flow = [
    ['ingestor intake', 'relay raw'],
    ['relay raw', 'junction clean'],
    ['junction clean', 'relay tidy'],
  ];
  const outcome = resolveDomain({
    domain: 'shop',
    members,
    edges: flow.map(([from = '', to = '']) => ({ from: key(from), to: key(to) })),
    rules: [
      {
        name: 'near',
        from: keys('relay raw'),
        to: keys('junction clean'),
        policy: 'REQUIRE COLOCATION',
        rank: '2',
      },
    ],
  });
  if (outcome.kind !== 'resolved') throw new Error(outcome.message);
  const { placement, traits } = outcome;
  return {
    placement,
    traits,
    nodes: [
      { name: 'n2', ...node },
      { name: 'n1', ...node, isCordoned: true },
      { name: 'n3', ...node },
    ],
    replicaCount: 0,
    previous: [],
  };
}

test('OP-36 a report holds graph, rules, owners, scores and every rejected node with its reasons', () => {
  const report = placementReport(inputOf(), { inputs: { domain: '7' } });
  expect(report).toMatchObject({
    version: 2,
    domain: 'shop',
    policy: 'score/1',
    defaultPolicy: 'NEUTRAL',
    inputs: { domain: '7' },
    clusterNodes: [
      { name: 'n1', unfit: 'cordoned', owned: 0 },
      { name: 'n2', unfit: null, owned: 3 },
      { name: 'n3', unfit: null, owned: 0 },
    ],
    rules: [{ name: 'near', rank: '2', coverage: 'effective', from: [2], to: [1] }],
  });
  expect(report.graphNodes).toEqual([
    { kind: 'ingestor', name: 'intake', depth: 0, nodes: ['n1', 'n2', 'n3'], unit: null },
    { kind: 'junction', name: 'clean', depth: 2, nodes: ['n2'], unit: 0 },
    { kind: 'relay', name: 'raw', depth: 1, nodes: ['n2'], unit: 0 },
    { kind: 'relay', name: 'tidy', depth: 3, nodes: ['n2'], unit: 1 },
  ]);
  expect(report.edges).toEqual([
    [0, 2],
    [1, 3],
    [2, 1],
  ]);
  expect(report.units[0]).toMatchObject({
    members: [1, 2],
    chosen: 'n2',
    cause: 'new',
    candidates: [{ node: 'n2' }, { node: 'n3' }],
    rejected: 0,
    bonds: [{ left: 1, right: 2, rules: ['near'] }],
  });
  expect(report.units[1]).toMatchObject({ members: [3], rejected: 0, bonds: [] });
  expect(report.rejections).toMatchObject([
    [{ node: 'n1', checks: [{ constraint: 'not_cordoned', verdict: 'fail' }] }],
  ]);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect(finish(reportJsonSteps(report))).toBe(JSON.stringify(report));
});

test('OP-36 a report of one graph node explains its unit alone and still draws the whole graph', () => {
  const report = placementReport(inputOf(), { isAsked: ({ name }) => name === 'tidy' });
  expect(report.units.map(({ members }) => members)).toEqual([[3]]);
  expect(report.graphNodes.map(({ unit }) => unit)).toEqual([null, null, null, 0]);
  expect(report.edges).toHaveLength(3);
});

test('a bound on candidates keeps the best and the owner, and counts the rest', () => {
  const input = inputOf();
  const [group] = placementReport(input, { candidatesMax: 1 }).units;
  expect([group?.candidates.map(({ node }) => node), group?.omitted]).toEqual([['n2'], 1]);
  const { entries } = computeSchedule(input);
  // Everything is on the same node, so a newcomer would be better off elsewhere.
  const kept = { ...input, previous: entries.map((entry) => ({ ...entry, nodes: ['n3'] })) };
  const [, tidy] = placementReport(kept, { candidatesMax: 0 }).units;
  expect([tidy?.candidates.map(({ node }) => node), tidy?.omitted]).toEqual([['n3'], 1]);
  expect(placementReport(kept).units.every(({ omitted }) => omitted === 0)).toBe(true);
});

test('OP-36 a unit that declares constraints has a list of rejected nodes of its own', () => {
  const input = inputOf();
  const requirements = { pool: 'blue' };
  const traits = input.traits.map((entry) =>
    entry.name === 'tidy' ? { ...entry, requirements } : entry,
  );
  const { units, rejections } = placementReport({ ...input, traits });
  expect(units.map(({ rejected }) => rejected)).toEqual([0, 1]);
  expect(rejections.map((list) => list.map(({ node }) => node))).toEqual([
    ['n1'],
    ['n1', 'n2', 'n3'],
  ]);
});

test('OP-36 many candidates come in the order in which few do', () => {
  const input = inputOf();
  const names = Array.from({ length: 40 }, (_, index) => `m${(index * 7) % 40}`);
  const many = { ...input, nodes: names.map((name) => ({ name, ...node })) };
  const listed = (candidatesMax: number) =>
    placementReport(many, { candidatesMax }).units.map(({ candidates }) => candidates);
  expect(listed(39).map((candidates) => candidates.slice(0, 8))).toEqual(listed(8));
});

test('OP-36 a report grows with its graph, however many nodes are rejected or left out', () => {
  const cluster = Array.from({ length: 300 }, (_, index) => ({
    name: `m${index}`,
    ...node,
    isCordoned: index % 2 === 0,
  }));
  const bytes = (units: number) => {
    const members = Array.from({ length: units }, (_, index) => key(`junction j${index}`));
    const outcome = resolveDomain({ domain: 'd', members, edges: [] });
    if (outcome.kind !== 'resolved') throw new Error(outcome.message);
    const input = { ...outcome, nodes: cluster, replicaCount: 0, previous: [] };
    return JSON.stringify(placementReport(input, { candidatesMax: 5 })).length;
  };
  expect(bytes(1_000) / bytes(100)).toBeLessThan(12);
  expect(bytes(1_000)).toBeLessThan(1_000_000);
});
