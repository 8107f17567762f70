import { expect, test } from 'vitest';
import { planTransaction, snapshotOf } from '../../src/index.js';
import { wasmProcessor } from '../support/every-kind.js';
import { SAMPLE } from '../support/models.js';
import { levels, NODE, planned, read, running } from '../support/transactions.js';

const domain = running(SAMPLE);
const two = {
  ...domain,
  nodes: [NODE, { ...NODE, name: 'n2' }],
  schedule: domain.schedule.map((entry) =>
    entry.name === 'split' ? { ...entry, nodes: ['n2'] } : entry,
  ),
};

test('CP-26 CP-88 a policy that moves a running node pauses it with its group and closes its inputs', () => {
  const plan = planned(two, 'ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION');
  expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
  expect(plan.steps[0]?.moves).toEqual([
    { key: 'junction/split', source: 'n2', destination: 'n1' },
  ]);
  expect(plan.report.execution_steps[0]?.planned.effects.rebuilds).toMatchObject([
    { node: { node: { kind: 'junction', identifier: 'split' } }, reason: 'OWNERSHIP' },
  ]);
  expect(plan.after.placement).toBe('REQUIRE COLOCATION');
  const stopped = { ...two, status: 'stopped' } as const;
  expect(levels(planned(stopped, 'ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION'))).toEqual([
    'DYNAMIC',
  ]);
});

test('CP-26 a policy that the domain has already changes nothing', () => {
  const plan = planned(two, 'ALTER DOMAIN SET PLACEMENT NEUTRAL');
  expect(plan.report.operations[0]?.reasons).toEqual([]);
  expect(plan.after).toEqual(two);
});

test('CP-84 CP-96 a reset pauses what it selects, and no more', () => {
  const models = [...SAMPLE, wasmProcessor];
  const base = {
    ...domain,
    models,
    schedule: [...domain.schedule, { kind: 'wasm_processor', name: 'guest', nodes: ['n1'] }],
  };
  const reset = (target: 'all_branches' | 'unbranched') =>
    planTransaction(base, [
      { kind: 'reset_wasm_processor', name: 'guest', domain: 'taxi', target: { kind: target } },
    ]);
  const plan = reset('all_branches');
  if (plan.kind === 'refused') throw new Error(plan.refusals[0]?.message);
  expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
  const { pause } = plan.report.summary;
  expect(pause.kind === 'SUBGRAPH' && pause.scope.nodes.length).toBe(1);
  expect(plan.after.schedule.at(-1)?.guestGenerations).toEqual({ common: 2, byBranch: {} });
  expect(reset('unbranched')).toMatchObject({
    kind: 'refused',
    refusals: [{ code: 'PLAN_RESET_SCOPE', message: "wasm processor 'guest' is branched" }],
  });
});

test('CP-124 versions that are not complete are refused', () => {
  const base = { ...snapshotOf('taxi', SAMPLE), resources: [{ name: 'tables', versions: [] }] };
  const rebind = (version: string) =>
    planTransaction(base, [
      { kind: 'rebind_resource', resource: 'tables', version, members: null },
    ]);
  expect(rebind('LATEST')).toMatchObject({
    refusals: [{ message: "resource 'tables' has no completed versions in domain 'taxi'" }],
  });
  expect(rebind('3')).toMatchObject({
    refusals: [{ message: "resource 'tables@3' is not a completed version in domain 'taxi'" }],
  });
});

test('CP-58 CP-70 a policy after models that lack something is refused, and says what is missing', () => {
  const orphan = read(`CREATE RELAY orphan SCHEMA nowhere UNBRANCHED;
    ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION`);
  const message = "model 'orphan' in domain 'taxi' requires missing schema 'nowhere'";
  const refused = planTransaction(two, orphan);
  expect(refused).toMatchObject({ kind: 'refused', refusals: [{ operation: 1, message }, {}] });
  const models = two.models.filter(({ name }) => name !== 'tenant_once');
  expect(
    planTransaction({ ...two, models }, read('ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION')),
  ).toMatchObject({
    kind: 'refused',
    refusals: [{ operation: 1, code: 'PLAN_MISSING_REFERENCE' }],
  });
});
