import type { Model, PlacementModel, PlacementOperation } from '@nervix/model';
import type { ScheduleEntry, ScheduleNode } from '@nervix/scheduler';
import { describe, expect, test } from 'vitest';
import {
  type AcceptedChange,
  domainModels,
  domainPlacement,
  type ModelChange,
  type PlanChangeInput,
  planChange,
  planSchedule,
} from '../../src/index.js';
import { DOMAIN, junction, relay, SAMPLE } from '../support/models.js';

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

const input: PlanChangeInput = {
  domain: DOMAIN,
  running: true,
  revision: 8,
  generation: 2,
  models: domainModels(SAMPLE),
  scheduling: { nodes: [nodeOf('n1'), nodeOf('n2')], replicaCount: 0, previous: [] },
};

function accepted(
  changes: readonly ModelChange[],
  parts: Partial<PlanChangeInput> = {},
): AcceptedChange {
  const outcome = planChange({ ...input, ...parts }, changes);
  if (outcome.kind === 'accepted') return outcome;
  throw new Error(outcome.refusals.map((refusal) => refusal.message).join('\n'));
}

function refused(changes: readonly ModelChange[], parts: Partial<PlanChangeInput> = {}) {
  const outcome = planChange({ ...input, ...parts }, changes);
  if (outcome.kind === 'accepted') throw new Error('the change was accepted');
  return { ...outcome.refusals[0], operation: outcome.operation };
}

/** The sample, all of it owned by the given node. */
function scheduledOn(owner: string): Partial<PlanChangeInput> {
  const models = domainModels(SAMPLE);
  const resolved = domainPlacement({ domain: DOMAIN, models, defaultPolicy: 'NEUTRAL' });
  if (resolved.kind === 'rejected') throw new Error(resolved.refusal.message);
  const outcome = planSchedule(resolved, { ...schedulingOf(), nodes: [nodeOf(owner)] }, false);
  if (outcome.kind === 'rejected') throw new Error(outcome.refusal.message);
  return { models, scheduling: { ...schedulingOf(), previous: outcome.schedule.entries } };
}

function schedulingOf(): NonNullable<PlanChangeInput['scheduling']> {
  return { nodes: [nodeOf('n1'), nodeOf('n2')], replicaCount: 0, previous: [] };
}

const ownerOf = (entries: readonly ScheduleEntry[] | undefined, kind: string, name: string) =>
  entries?.find((entry) => entry.kind === kind && entry.name === name)?.nodes[0];

describe('schedules of a changed domain', () => {
  test('PS-24, PS-25 every executable model has an owner and listeners run everywhere', () => {
    const { schedule, plannedRelocations } = accepted([create(relay('fresh', 'event'))]);
    expect(schedule?.entries.every(({ nodes }) => nodes.length > 0)).toBe(true);
    expect(schedule?.entries.find(({ kind }) => kind === 'ingestor')?.nodes).toEqual(['n1', 'n2']);
    expect([schedule?.stalls, plannedRelocations]).toEqual([[], 0]);
  });

  test('PS-25 without a node that may take them, new graph nodes wait and are reported', () => {
    const scheduling = { ...schedulingOf(), nodes: [nodeOf('n1', { isCordoned: true })] };
    const { schedule } = accepted([create(relay('fresh', 'event'))], { scheduling });
    expect(schedule?.entries.find(({ name }) => name === 'fresh')?.nodes).toEqual([]);
    expect(schedule?.stalls.map(({ code }) => code)).toContain('SCHED_NO_FEASIBLE_NODE');
  });

  test('PS-26 a change beside moves nothing and a batch without effect writes no schedule', () => {
    const before = scheduledOn('n2');
    const { schedule, plannedRelocations } = accepted([create(relay('fresh', 'event'))], before);
    const moved = schedule?.delta.entries.filter(({ change }) => change === 'primary_moved');
    expect([moved, plannedRelocations]).toEqual([[], 0]);
    const fresh = relay('fresh', 'event');
    expect(accepted([create(fresh), drop(fresh)], before).schedule).toBeNull();
  });

  test('PS-28, PS-32 a group that has to come together pauses its running domain', () => {
    const before = scheduledOn('n1');
    const previous = (before.scheduling?.previous ?? []).map((entry) =>
      entry.kind === 'relay' && entry.name === 'copies' ? { ...entry, nodes: ['n2'] } : entry,
    );
    const parts = { scheduling: { ...schedulingOf(), previous } };
    const apart = accepted([create(ruleOf('together', { policy: 'NEUTRAL' }))], parts);
    expect([apart.level, apart.plannedRelocations]).toEqual(['DYNAMIC', 0]);
    const joined = accepted([create(ruleOf('together'))], parts);
    expect([joined.level, joined.plannedRelocations]).toEqual(['ENTITY_PAUSE', 1]);
    const { entries } = joined.schedule ?? {};
    expect(ownerOf(entries, 'relay', 'copies')).toBe(ownerOf(entries, 'relay', 'events'));
    const stopped = accepted([create(ruleOf('together'))], { ...parts, running: false });
    expect([stopped.level, stopped.plannedRelocations]).toEqual(['DYNAMIC', 1]);
    const nodes = ['n1', 'n2'].map((name) => nodeOf(name, { isCordoned: true }));
    const homeless = { ...parts, scheduling: { ...parts.scheduling, nodes } };
    expect(refused([create(ruleOf('together'))], homeless)).toMatchObject({
      code: 'PLAN_UNPLACEABLE',
      message:
        'no cluster node can bring together group [junction split, relay copies, relay events] ' +
        '(n1: cordoned, n2: cordoned)',
    });
  });

  test('a change of configuration alone leaves the schedule as it is', () => {
    const cordoned = { ...schedulingOf(), nodes: [nodeOf('n1', { isCordoned: true })] };
    const schema: Model = { kind: 'schema', name: 'more', fields: [] };
    const field = { name: 'id', type: 'I64', optional: false, sensitive: false } as const;
    const change = create({ ...schema, fields: [field] });
    expect(accepted([change], { scheduling: cordoned }).schedule).toBeNull();
  });

  test('PS-5 the default policy of the domain places direct neighbours', () => {
    const { schedule } = accepted([create(relay('fresh', 'event'))], {
      placement: 'REQUIRE COLOCATION',
    });
    const owners = ['events', 'copies'].map((name) => ownerOf(schedule?.entries, 'relay', name));
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
    const models = domainModels([...SAMPLE, ruleOf('a')]);
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
    const models = domainModels([
      ...SAMPLE,
      ruleOf('b', { from: ['spare'] }),
      ruleOf('a', {
        from: ['spare'],
      }),
      relay('spare', 'event'),
    ]);
    const spare = relay('spare', 'event');
    expect(refused([drop(spare)], { models })).toMatchObject({
      code: 'PLAN_MODEL_IN_USE',
      message: "cannot delete model 'spare' in domain 'taxi' because it is used by a, b",
      model: { kind: 'relay', name: 'spare' },
      operation: 0,
    });
    const all = [ruleOf('a'), spare, ruleOf('b')].map(drop);
    expect(accepted(all, { models }).changed).toHaveLength(3);
    const replaced = accepted([drop(spare), create({ ...spare, capacity: '7' })], { models });
    expect(replaced.changed).toHaveLength(1);
  });

  test('PS-4 alterations run in written order on a copy, and a rename changes the key', () => {
    const models = domainModels([...SAMPLE, ruleOf('p')]);
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
    expect(models.get('placement/p')).toEqual(ruleOf('p'));
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
    const models = domainModels([...SAMPLE, ruleOf('p'), ruleOf('q')]);
    expect(refused([alter(name, ...operations)], { models }).code).toBe(code);
  });

  test('PS-4 rules, members and drops of one batch are judged together', () => {
    const lane: Model = { ...junction, name: 'lane' };
    const changes = [create(ruleOf('p', { to: ['lane'] })), create(lane)];
    const { changed, schedule } = accepted(changes);
    expect(changed.map(({ name }) => name).sort()).toEqual(['lane', 'p']);
    const owners = ['events', 'lane'].map(
      (name) => schedule?.entries.find((entry) => entry.name === name)?.nodes[0],
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
