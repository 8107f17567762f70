import type { Model } from '@nervix/model';
import { expect, test } from 'vitest';
import { change, from, junction, relay, SCHEMAS } from '../support/models.js';
import { levels, NODE, planned, read, running } from '../support/transactions.js';

/** A junction between two relays. */
function step(name: string, input: string, output: string): Model {
  const routes = junction.routes.map((route) => {
    return { ...route, relay: output, messageError: { kind: 'log' } as const };
  });
  return change(junction, { name, inputs: from(input), routes });
}

/** A running domain on two nodes, everything on the first but what is named. */
function placed(models: readonly Model[], ...away: readonly string[]) {
  const domain = running(models);
  const schedule = domain.schedule.map((entry) =>
    away.includes(entry.name) ? { ...entry, nodes: ['n2'] } : entry,
  );
  return { ...domain, nodes: [NODE, { ...NODE, name: 'n2' }], schedule };
}

const held = ({ report }: ReturnType<typeof planned>) => {
  const { pause } = report.summary;
  if (pause.kind !== 'SUBGRAPH') throw new Error('nothing is paused in part');
  return {
    nodes: pause.scope.nodes.map(({ coverage }) => coverage.node.identifier).sort(),
    gates: pause.scope.gate_boundaries.map(({ boundary }) => boundary.relay),
  };
};
const together = (name: string, left: string, right: string) =>
  `CREATE PLACEMENT ${name} FROM ${left} TO ${right} REQUIRE COLOCATION;`;

test('CP-89 what lies between two nodes that move is held with them and empties itself', () => {
  const relays = ['first', 'second', 'third', 'last', 'aside', 'end'];
  const domain = placed(
    [
      ...SCHEMAS,
      ...relays.map((name) => relay(name, 'event')),
      step('a', 'first', 'second'),
      step('b', 'second', 'third'),
      step('c', 'third', 'last'),
      step('x', 'second', 'aside'),
      step('y', 'last', 'end'),
    ],
    'second',
    'x',
    'last',
    'y',
  );
  const plan = planned(domain, together('near_a', 'a', 'x') + together('near_c', 'c', 'y'));
  expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
  expect(plan.steps[0]?.moves.map(({ key }) => key)).toEqual(['junction/a', 'junction/c']);
  expect(held(plan)).toEqual({
    nodes: ['a', 'b', 'c', 'last', 'second', 'third', 'x', 'y'],
    gates: ['first'],
  });
});

test('CP-88 groups before and after a move are held together where they share a node', () => {
  const relays = ['r0', 'r1', 'r2', 'r3', 'r4'];
  const models = [
    ...SCHEMAS,
    ...relays.map((name) => relay(name, 'event')),
    step('w', 'r0', 'r1'),
    step('x', 'r1', 'r2'),
    step('y', 'r2', 'r3'),
    step('z', 'r3', 'r4'),
  ];
  const base = placed(models, 'w', 'r1');
  const bound = planned({ ...base, status: 'stopped' }, read(together('near', 'x', 'y'))).after;
  const script = `DROP PLACEMENT near; ${together('early', 'w', 'x')} ${together('late', 'y', 'z')}`;
  const plan = planned({ ...bound, status: 'running' }, script);
  expect(plan.steps[0]?.moves.map(({ key }) => key)).toEqual(['junction/x']);
  expect(held(plan).nodes).toEqual(['r1', 'r2', 'r3', 'w', 'x', 'y', 'z']);
});
