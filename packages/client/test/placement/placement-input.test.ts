import { readFileSync } from 'node:fs';
import { computeSchedule } from '@nervix/scheduler';
import { describe, expect, test } from 'vitest';
import { placementInput } from '../../src/cli/placement/placement-input.js';

const GRAPH = {
  nodes: [
    { kind: 'ingestor', name: 'intake', listener: true },
    'relay raw',
    'junction clean',
    { kind: 'relay', name: 'tidy', replication: 'state' },
  ],
  edges: [
    ['intake', 'raw'],
    ['raw', 'clean'],
    ['junction clean', 'relay tidy'],
  ],
};
const RULES = [
  { name: 'near', from: ['raw'], to: ['clean'], policy: 'REQUIRE COLOCATION', rank: 2 },
];
const SCHEDULED = { node: 'raw', on: ['n1'] };
const NODES = ['n1', { name: 'n2', cordoned: true }, { name: 'n3', live: false }];

const file = (label: string, value: unknown) => ({ label, text: JSON.stringify(value) });

function entriesOf(...files: { label: string; text: string }[]) {
  const { entries } = computeSchedule(placementInput(files));
  return Object.fromEntries(entries.map(({ name, nodes }) => [name, nodes]));
}

test('sections may stand in one file or in several, with what is absent left at its default', () => {
  const one = file('all.json', { graph: GRAPH, rules: RULES, nodes: NODES });
  const several = [
    file('graph.json', { graph: GRAPH }),
    file('rules.json', { rules: RULES }),
    file('nodes.json', { nodes: NODES }),
  ];
  const expected = { intake: ['n1', 'n2'], raw: ['n1'], clean: ['n1'], tidy: ['n1'] };
  expect(entriesOf(one)).toEqual(expected);
  expect(entriesOf(...several)).toEqual(expected);
});

test('the schedule in force, replicas, the default policy and the domain are read', () => {
  const input = placementInput([
    file('all.json', {
      domain: 'shop',
      defaultPolicy: 'PREFER COLOCATION',
      replicas: 1,
      graph: GRAPH,
      nodes: ['n1', 'n2'],
      schedule: [{ node: 'relay tidy', on: ['n2', 'n1'] }],
    }),
  ]);
  expect(input.placement).toMatchObject({ domain: 'shop', defaultPolicy: 'PREFER COLOCATION' });
  const { entries } = computeSchedule(input);
  expect(entries.find(({ name }) => name === 'tidy')?.nodes).toEqual(['n2', 'n1']);
});

test('PS-1 a side of a rule keeps the first place of a repeated member', () => {
  const rules = [{ ...RULES[0], to: ['tidy', 'relay tidy', 'clean', 'tidy'] }];
  const { placement } = placementInput([file('all.json', { graph: GRAPH, rules, nodes: NODES })]);
  const to = placement.coverage[0]?.rule.to.map(({ name }) => name);
  expect(to).toEqual(['tidy', 'clean']);
});

describe('a fault is told with its place', () => {
  const parts = { graph: GRAPH, rules: RULES, nodes: NODES };
  const rule = (change: object) => ({ ...parts, rules: [{ ...RULES[0], ...change }] });
  test.each<[unknown, string]>([
    [[], 'all.json: it must be an object'],
    [{ nodes: NODES }, 'no file has a section graph'],
    [{ graph: GRAPH }, 'no file has a section nodes'],
    [{ ...parts, rule: [] }, "all.json: 'rule' is none of domain, defaultPolicy, replicas"],
    [{ ...parts, replicas: -1 }, 'all.json: replicas: it must be a whole number of at least 0'],
    [{ ...parts, domain: 7 }, 'all.json: domain: it must be a text that is not empty'],
    [{ ...parts, nodes: [{}] }, 'all.json: nodes[0].name: it must be a text that is not empty'],
    [{ ...parts, nodes: ['a', 'a'] }, "all.json: nodes[1]: node 'a' is given twice"],
    [
      { ...parts, nodes: [{ name: 'a', live: 'no' }] },
      'all.json: nodes[0].live: it must be true or false',
    ],
    [
      { ...parts, graph: { ...GRAPH, edges: [['raw']] } },
      'all.json: graph.edges[0]: it must be a pair of graph nodes',
    ],
    [
      { ...parts, graph: { ...GRAPH, nodes: ['raw'] } },
      "all.json: graph.nodes[0]: it must be 'kind name'",
    ],
    [
      { ...parts, graph: { ...GRAPH, nodes: [...GRAPH.nodes, 'relay raw'] } },
      'all.json: graph.nodes[4]: relay raw is given twice',
    ],
    [
      { ...parts, graph: { ...GRAPH, nodes: [...GRAPH.nodes, 'rilay late'] } },
      'all.json: graph.nodes[4]: the kind must be one of ingestor, reingestor',
    ],
    [
      { ...parts, graph: { ...GRAPH, nodes: [{ kind: 'table', name: 'late' }] } },
      'all.json: graph.nodes[0].kind: it must be one of ingestor, reingestor',
    ],
    [
      { ...parts, graph: { ...GRAPH, nodes: [{ kind: 'relay', name: 'x', listener: true }] } },
      'all.json: graph.nodes[0].listener: only an ingestor listens',
    ],
    [{ ...parts, rules: [...RULES, ...RULES] }, "all.json: rules[1]: rule 'near' is given twice"],
    [rule({ from: [] }), 'all.json: rules[0].from: it must not be empty'],
    [
      rule({ to: ['clean', 'intake'] }),
      "all.json: rules[0].to[1]: ingestor 'intake' listens on every node, so no rule may name it",
    ],
    [
      { ...parts, schedule: [SCHEDULED, { node: 'relay raw', on: [] }] },
      'all.json: schedule[1]: relay raw is given twice',
    ],
    [
      { ...parts, schedule: [{ ...SCHEDULED, on: ['n1', 'n1'] }] },
      "all.json: schedule[0].on[1]: node 'n1' is given twice",
    ],
    [rule({ to: ['gone'] }), "all.json: rules[0].to[0]: the graph has no node 'gone'"],
    [
      rule({ policy: 'TOGETHER' }),
      'all.json: rules[0].policy: it must be one of REQUIRE COLOCATION',
    ],
    [rule({ rank: 0 }), 'all.json: rules[0].rank: it must be a whole number of at least 1'],
    [
      {
        ...parts,
        graph: { ...GRAPH, nodes: [...GRAPH.nodes, 'junction raw'] },
      },
      "'raw' is a name of several kinds (relay, junction): write the kind before it",
    ],
    [
      {
        ...parts,
        rules: [...RULES, { ...RULES[0], name: 'apart', policy: 'SUGGEST SEPARATION' }],
      },
      "placement rules 'apart' and 'near' in domain 'domain' conflict at equal rank",
    ],
  ])('%j', (value, message) => {
    expect(() => placementInput([file('all.json', value)])).toThrow(message);
  });

  test('what is no JSON, and a section that two files have', () => {
    expect(() => placementInput([{ label: 'x.json', text: '{' }])).toThrow(
      'x.json: it is not JSON: ',
    );
    const twice = [file('a.json', parts), file('b.json', { nodes: NODES })];
    expect(() => placementInput(twice)).toThrow('b.json: nodes: an earlier file has it as well');
  });
});

test('the example of the README can be computed, and does what its text says', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const text = /```json\n([^`]+)```/.exec(readme)?.[1] ?? '';
  const { entries } = computeSchedule(placementInput([{ label: 'README.md', text }]));
  expect(Object.fromEntries(entries.map(({ name, nodes }) => [name, nodes]))).toEqual({
    sales_in: ['n1', 'n2', 'n3'],
    sales: ['n2'],
    once: ['n2', 'n1'],
    unique_sales: ['n2', 'n1'],
  });
});
