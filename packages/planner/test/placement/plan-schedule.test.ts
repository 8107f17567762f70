import type { Model, PlacementModel, PlacementOperation, Statement } from '@nervix/model';
import { finish, type ScheduleEntry, type ScheduleNode } from '@nervix/scheduler';
import { describe, expect, test } from 'vitest';
import {
  domainModels,
  domainPlacement,
  type ModelChange,
  type PlanningSnapshot,
  planScheduleSteps,
  planTransaction,
  type SchedulingInput,
  snapshotOf,
} from '../../src/index.js';
import { DOMAIN, junction, relay, SAMPLE } from '../support/models.js';
import { levels } from '../support/transactions.js';

const ruleOf = (name: string, change: Partial<PlacementModel> = {}): PlacementModel => ({
  kind: 'placement',
  name,
  from: ['events'],
  to: ['copies'],
  policy: 'REQUIRE COLOCATION',
  rank: null,
  ...change,
});
const create = (model: Model): ModelChange => ({ op: 'create', ifNotExists: false, model });
const drop = ({ kind, name }: Model): ModelChange => ({ op: 'drop', kind, name });
const alter = (name: string, ...operations: PlacementOperation[]): ModelChange => ({
  op: 'alter',
  kind: 'placement',
  name,
  operations,
});
const nodeOf = (name: string, change: Partial<ScheduleNode> = {}): ScheduleNode => ({
  name,
  isLive: true,
  isCordoned: false,
  isTerminating: false,
  ...change,
});

const base: PlanningSnapshot = {
  ...snapshotOf(DOMAIN, SAMPLE),
  status: 'running',
  startGeneration: 2,
  nodes: [nodeOf('n1'), nodeOf('n2')],
};

function statementOf(change: ModelChange): Statement {
  if (change.op === 'create') {
    const { ifNotExists, model } = change;
    return { kind: 'create_model', ifNotExists, model };
  }
  const { kind: modelKind, name } = change;
  if (change.op === 'drop') return { kind: 'drop_model', modelKind, name };
  return { kind: 'alter_model', modelKind, name, operations: change.operations } as Statement;
}

function plan(changes: readonly ModelChange[], parts: Partial<PlanningSnapshot>) {
  return planTransaction({ ...base, ...parts }, changes.map(statementOf));
}

/** What one run of changes comes to. */
function accepted(changes: readonly ModelChange[], parts: Partial<PlanningSnapshot> = {}) {
  const outcome = plan(changes, parts);
  if (outcome.kind === 'refused') {
    throw new Error(outcome.refusals.map((refusal) => refusal.message).join('\n'));
  }
  const [step] = outcome.steps;
  if (step?.decision.kind !== 'models') throw new Error('the changes are no run of models');
  return {
    level: levels(outcome)[0],
    next: domainModels(outcome.after.models),
    changed: step.decision.transitions.map(({ before, after }) => ({
      name: (after ?? before)?.name ?? '',
      change: before === null ? 'created' : after === null ? 'dropped' : 'changed',
    })),
    entries: step.decision.schedule,
    plannedRelocations: step.moves.length,
  };
}

function refused(changes: readonly ModelChange[], parts: Partial<PlanningSnapshot> = {}) {
  const outcome = plan(changes, parts);
  if (outcome.kind === 'planned') throw new Error('the change was accepted');
  return { ...outcome.refusals[0] };
}

function schedulingOf(): SchedulingInput {
  return { nodes: [nodeOf('n1'), nodeOf('n2')], replicaCount: 0, previous: [] };
}

/** The schedule of the sample with all of it owned by the given node. */
function scheduledOn(owner: string): { readonly schedule: readonly ScheduleEntry[] } {
  const models = domainModels(SAMPLE);
  const resolved = domainPlacement({ domain: DOMAIN, models, defaultPolicy: 'NEUTRAL' });
  if (resolved.kind === 'rejected') throw new Error(resolved.refusal.message);
  const scheduling = { ...schedulingOf(), nodes: [nodeOf(owner)] };
  const outcome = finish(planScheduleSteps(resolved, scheduling, false));
  if (outcome.kind === 'rejected') throw new Error(outcome.refusal.message);
  return { schedule: outcome.schedule.entries };
}

const ownerOf = (entries: readonly ScheduleEntry[] | null, kind: string, name: string) =>
  entries?.find((entry) => entry.kind === kind && entry.name === name)?.nodes[0];

describe('schedules of a changed domain', () => {
  test('PS-24, PS-25 every executable model has an owner and listeners run everywhere', () => {
    const { entries, plannedRelocations } = accepted([create(relay('fresh', 'event'))]);
    expect(entries?.every(({ nodes }) => nodes.length > 0)).toBe(true);
    expect(entries?.find(({ kind }) => kind === 'ingestor')?.nodes).toEqual(['n1', 'n2']);
    expect(plannedRelocations).toBe(0);
  });

  test('PS-25 without a node that may take them, new graph nodes wait', () => {
    const nodes = [nodeOf('n1', { isCordoned: true })];
    const { entries } = accepted([create(relay('fresh', 'event'))], { nodes });
    expect(entries?.find(({ name }) => name === 'fresh')?.nodes).toEqual([]);
  });

  test('PS-26 a change beside moves nothing and a batch without effect writes no schedule', () => {
    const before = scheduledOn('n2');
    const { entries, plannedRelocations } = accepted([create(relay('fresh', 'event'))], before);
    expect(plannedRelocations).toBe(0);
    // Listeners run on every node.
    for (const { kind, name, nodes } of before.schedule.filter(
      (each) => each.kind !== 'ingestor',
    )) {
      expect(ownerOf(entries, kind, name), name).toBe(nodes[0]);
    }
    const fresh = relay('fresh', 'event');
    expect(accepted([create(fresh), drop(fresh)], before).entries).toBeNull();
  });

  test('PS-28, PS-32 a group that has to come together pauses its running domain', () => {
    const before = scheduledOn('n1');
    const schedule = before.schedule.map((entry) =>
      entry.kind === 'relay' && entry.name === 'copies' ? { ...entry, nodes: ['n2'] } : entry,
    );
    const parts = { schedule };
    const apart = accepted([create(ruleOf('together', { policy: 'NEUTRAL' }))], parts);
    expect([apart.level, apart.plannedRelocations]).toEqual(['DYNAMIC', 0]);
    const joined = accepted([create(ruleOf('together'))], parts);
    expect([joined.level, joined.plannedRelocations]).toEqual(['ENTITY_PAUSE', 1]);
    const { entries } = joined;
    expect(ownerOf(entries, 'relay', 'copies')).toBe(ownerOf(entries, 'relay', 'events'));
    const stopped = accepted([create(ruleOf('together'))], { ...parts, status: 'stopped' });
    expect([stopped.level, stopped.plannedRelocations]).toEqual(['DYNAMIC', 1]);
    const nodes = ['n1', 'n2'].map((name) => nodeOf(name, { isCordoned: true }));
    const homeless = { ...parts, nodes };
    expect(refused([create(ruleOf('together'))], homeless)).toMatchObject({
      code: 'PLAN_UNPLACEABLE',
      message:
        'no cluster node can bring together group [junction split, relay copies, relay events] ' +
        '(n1: cordoned, n2: cordoned)',
    });
  });

  test('a change of configuration alone leaves the schedule as it is', () => {
    const nodes = [nodeOf('n1', { isCordoned: true })];
    const schema: Model = { kind: 'schema', name: 'more', fields: [] };
    const field = { name: 'id', type: 'I64', optional: false, sensitive: false } as const;
    const change = create({ ...schema, fields: [field] });
    expect(accepted([change], { nodes }).entries).toBeNull();
  });

  test('PS-5 the default policy of the domain places direct neighbours', () => {
    const { entries } = accepted([create(relay('fresh', 'event'))], {
      placement: 'REQUIRE COLOCATION',
    });
    const owners = ['events', 'copies'].map((name) => ownerOf(entries, 'relay', name));
    expect(new Set(owners).size).toBe(1);
  });
});

describe('placement rules as models', () => {
  test.each([
    ['PS-2 an unknown name', { from: ['gone'] }, "placement member 'gone' does not exist"],
    [
      'PS-2 a listener',
      { to: ['intake'] },
      "placement member 'intake' is not placement-eligible: " +
        'endpoint-source ingestors execute on every cluster node',
    ],
    [
      'PS-2 what is not scheduled',
      { to: ['event'] },
      "placement member 'event' has non-schedulable kind schema and is not placement-eligible",
    ],
    ['PS-1 rank 0', { rank: '0' }, 'placement RANK 0 is invalid; RANK must be greater than zero'],
  ])('%s is refused', (_, change, reason) => {
    const rule = ruleOf('p', change);
    expect(refused([create(rule)])).toMatchObject({
      code: 'PLAN_INVALID_MODEL',
      message: `model 'p' in domain 'taxi' is invalid: ${reason}`,
      model: { kind: 'placement', name: 'p' },
      subject: rule,
    });
  });

  test('PS-14, CP-36 rules of one rank that disagree are refused, blaming the new one', () => {
    const models = [...SAMPLE, ruleOf('a')];
    const rule = ruleOf('b', { policy: 'SUGGEST SEPARATION' });
    expect(refused([create(rule)], { models })).toMatchObject({
      message:
        "placement rules 'a' and 'b' in domain 'taxi' conflict at equal rank for runtime nodes " +
        "junction 'split' and relay 'copies'",
      model: { kind: 'placement', name: 'b' },
    });
    expect(accepted([create({ ...rule, rank: '1' })], { models }).level).toBe('DYNAMIC');
  });

  test('PS-3 a member that rules name cannot be dropped; every rule is listed', () => {
    const models = [
      ...SAMPLE,
      ruleOf('b', { from: ['spare'] }),
      ruleOf('a', { from: ['spare'] }),
      relay('spare', 'event'),
    ];
    const spare = relay('spare', 'event');
    expect(refused([drop(spare)], { models })).toMatchObject({
      code: 'PLAN_MODEL_IN_USE',
      message: "cannot delete model 'spare' in domain 'taxi' because it is used by a, b",
      model: { kind: 'relay', name: 'spare' },
      operation: 1,
    });
    const all = [ruleOf('a'), spare, ruleOf('b')].map(drop);
    expect(accepted(all, { models }).changed).toHaveLength(3);
    const replaced = accepted([drop(spare), create({ ...spare, capacity: '7' })], { models });
    expect(replaced.changed).toHaveLength(1);
  });

  test('PS-4 alterations run in written order on a copy, and a rename changes the key', () => {
    const models = [...SAMPLE, ruleOf('p')];
    const { next, changed, level } = accepted(
      [
        alter(
          'p',
          { op: 'set_policy', policy: 'PREFER COLOCATION' },
          { op: 'set_rank', rank: '4' },
          { op: 'set_rank', rank: '2' },
          { op: 'set_ends', from: ['copies'], to: ['events'] },
          { op: 'rename', name: 'q' },
        ),
      ],
      { models },
    );
    expect(next.has('placement/p')).toBe(false);
    expect(next.get('placement/q')).toEqual(
      ruleOf('q', { from: ['copies'], to: ['events'], policy: 'PREFER COLOCATION', rank: '2' }),
    );
    expect([changed.map(({ name, change }) => [name, change]), level]).toEqual([
      [
        ['p', 'dropped'],
        ['q', 'created'],
      ],
      'DYNAMIC',
    ]);
    expect(models.at(-1)).toEqual(ruleOf('p'));
  });

  test.each([
    ['an absent rule', 'gone', [], 'PLAN_MODEL_NOT_FOUND'],
    ['a name that is taken', 'p', [{ op: 'rename', name: 'q' }], 'PLAN_DUPLICATE_MODEL'],
    [
      'ends that do not exist',
      'p',
      [{ op: 'set_ends', from: ['x'], to: ['x'] }],
      'PLAN_INVALID_MODEL',
    ],
  ] as const)('CP-33 an alteration with %s is refused', (_, name, operations, code) => {
    const models = [...SAMPLE, ruleOf('p'), ruleOf('q')];
    expect(refused([alter(name, ...operations)], { models }).code).toBe(code);
  });

  test('PS-4 rules, members and drops of one batch are judged together', () => {
    const lane: Model = { ...junction, name: 'lane' };
    const changes = [create(ruleOf('p', { to: ['lane'] })), create(lane)];
    const { changed, entries } = accepted(changes);
    expect(changed.map(({ name }) => name).sort()).toEqual(['lane', 'p']);
    const owners = ['events', 'lane'].map(
      (name) => entries?.find((entry) => entry.name === name)?.nodes[0],
    );
    expect(new Set(owners).size).toBe(1);
  });

  test('a rule is not judged while the graph is unsound', () => {
    const rule = ruleOf('p', { from: ['gone'] });
    expect(refused([create(rule), create(relay('lost', 'nope'))]).code).toBe(
      'PLAN_MISSING_REFERENCE',
    );
  });
});
