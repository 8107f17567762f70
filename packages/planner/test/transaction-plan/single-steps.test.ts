import type { ResetTarget } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { planTransaction, snapshotOf } from '../../src/index.js';
import { wasmProcessor } from '../support/every-kind.js';
import { change, from, relay, SAMPLE, UNBRANCHED } from '../support/models.js';
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

describe('CP-84 CP-96 a reset', () => {
  const alone = change(wasmProcessor, {
    name: 'alone',
    inputs: from('events'),
    branching: UNBRANCHED,
    routes: wasmProcessor.routes.map((route) => ({ ...route, relay: 'copies' })),
  });
  const guests = ['guest', 'alone'].map((name) => ({
    kind: 'wasm_processor',
    name,
    nodes: ['n1'],
  }));
  const base = {
    ...domain,
    models: [...SAMPLE, wasmProcessor, alone],
    schedule: [...domain.schedule, ...guests],
  };
  const reset = (name: string, target: ResetTarget) =>
    planTransaction(base, [{ kind: 'reset_wasm_processor', name, domain: 'taxi', target }]);
  const branchOf = (value: string): ResetTarget => ({
    kind: 'branch',
    values: [{ field: 'tenant', value: { kind: 'string', value } }],
  });
  const key = expect.stringMatching(/^[0-9a-f]{64}$/);
  const common = { common: 2, byBranch: {} };

  test.each([
    [
      'guest',
      { kind: 'all_branches' },
      'tenant_events',
      { kind: 'ALL_OF_BRANCH', branch: 'by_tenant' },
      common,
    ],
    [
      'guest',
      branchOf('a'),
      'tenant_events',
      { kind: 'SELECTED', branch: 'by_tenant', keys: [key] },
      { common: 1, byBranch: expect.any(Object) },
    ],
    ['alone', { kind: 'unbranched' }, 'events', { kind: 'UNBRANCHED' }, common],
  ] as const)(
    'of %s, %j, pauses exactly that, closes its inputs for it and flushes everything',
    (...row) => {
      const [name, target, relayName, branches, generations] = row;
      const plan = reset(name, target);
      if (plan.kind === 'refused') throw new Error(plan.refusals[0]?.message);
      expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
      const attribution = [1];
      const coverage = { node: { kind: 'wasm_processor', identifier: name }, branches };
      expect(plan.report.summary.pause).toEqual({
        kind: 'SUBGRAPH',
        scope: {
          domain: 'taxi',
          nodes: [{ coverage, attribution }],
          gate_boundaries: [{ boundary: { relay: relayName, branches }, attribution }],
        },
      });
      const effects = plan.report.execution_steps[0]?.planned.effects;
      expect(effects?.state_resets).toEqual([
        { node: coverage, state: 'WASM_GUEST_STATE', attribution },
      ]);
      expect(effects?.force_flushes).toHaveLength(base.schedule.length);
      expect([effects?.activations, effects?.rebuilds]).toEqual([[], []]);
      const entry = plan.after.schedule.find((each) => each.name === name);
      expect(entry?.guestGenerations).toEqual(generations);
    },
  );

  test('names one branch by a fingerprint that is its own and tells no value', () => {
    const keysOf = (value: string) => {
      const plan = reset('guest', branchOf(value));
      const { pause } = plan.kind === 'planned' ? plan.report.summary : { pause: null };
      const branches = pause?.kind === 'SUBGRAPH' ? pause.scope.nodes[0]?.coverage.branches : null;
      return branches?.kind === 'SELECTED' ? branches.keys : [];
    };
    expect(keysOf('a')).toEqual(keysOf('a'));
    expect(keysOf('a')).not.toEqual(keysOf('b'));
  });

  test('of a scope that the processor does not have is refused', () => {
    expect(reset('guest', { kind: 'unbranched' })).toMatchObject({
      refusals: [{ code: 'PLAN_RESET_SCOPE', message: "wasm processor 'guest' is branched" }],
    });
    expect(reset('alone', { kind: 'all_branches' })).toMatchObject({
      refusals: [{ code: 'PLAN_RESET_SCOPE', message: "wasm processor 'alone' is unbranched" }],
    });
  });
});

describe('CP-96 what changes no model', () => {
  test.each(['STOP', 'CREATE RESOURCE r', 'STOP; START'])('%s pauses nothing', (text) => {
    expect(new Set(levels(planned(domain, text)))).toEqual(new Set(['DYNAMIC']));
  });

  test('CP-78 replicas alone pause nothing, whichever statement makes the schedule anew', () => {
    const kept = relay('kept', 'event', { materialized: true });
    const base = running([...SAMPLE, kept], { isWholeLanguage: true });
    const wide = { ...base, nodes: two.nodes, replicaCount: 1 };
    const policy = 'ALTER DOMAIN SET PLACEMENT PREFER COLOCATION';
    const grown = planned(wide, policy, { isWholeLanguage: true });
    const entry = grown.after.schedule.find(({ name }) => name === 'kept');
    expect(entry?.nodes).toEqual(['n1', 'n2']);
    expect([levels(grown), grown.steps[0]?.moves]).toEqual([['DYNAMIC'], []]);
    const effects = grown.report.execution_steps[0]?.planned.effects;
    expect([effects?.rebuilds, effects?.force_flushes]).toEqual([[], []]);
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
