import { fc, test } from '@fast-check/vitest';
import { canonicalText, type Model, type Statement } from '@nervix/model';
import { expect } from 'vitest';
import {
  domainModels,
  type PlanningSnapshot,
  planTransaction,
  snapshotOf,
  sortedModels,
  type TransactionPlan,
} from '../../src/index.js';
import { validGraph } from '../support/arbitraries.js';
import { NODE } from '../support/transactions.js';

const create = (model: Model): Statement => ({ kind: 'create_model', ifNotExists: false, model });
const drop = ({ kind, name }: Model): Statement => ({ kind: 'drop_model', modelKind: kind, name });

/** Edits of the models of a graph, many of which make no sense. */
function edits(models: readonly Model[]): fc.Arbitrary<readonly Statement[]> {
  const some = fc.constantFrom(...models);
  const relays = models.filter(({ kind }) => kind === 'relay');
  const alterRelay = fc
    .tuple(fc.constantFrom(...relays), fc.nat(9), fc.boolean())
    .map(([{ name }, capacity, isSchema]): Statement => {
      const operation = isSchema
        ? ({ op: 'set_schema', schema: 'event_copy' } as const)
        : ({ op: 'set_capacity', capacity: String(capacity + 1) } as const);
      return { kind: 'alter_model', modelKind: 'relay', name, operations: [operation] };
    });
  const statement = fc.oneof(
    some.map(create),
    some.map(drop),
    alterRelay,
    fc.constant<Statement>({ kind: 'start', at: null }),
    fc.constant<Statement>({ kind: 'stop' }),
    fc.constantFrom('a', 'b').map((name): Statement => {
      return { kind: 'create_resource', ifNotExists: true, name };
    }),
  );
  return fc.array(statement, { maxLength: 8 });
}

const scenario = validGraph.chain((models) =>
  fc.record({
    models: fc.constant(models),
    statements: edits(models),
    isRunning: fc.boolean(),
    hasCluster: fc.boolean(),
  }),
);

function snapshot(models: readonly Model[], isRunning = true, hasCluster = true): PlanningSnapshot {
  const base = { ...snapshotOf('taxi', []), nodes: hasCluster ? [NODE] : [] };
  const placed = planTransaction(base, models.map(create));
  if (placed.kind === 'refused') throw new Error(placed.refusals[0]?.message);
  return { ...placed.after, status: isRunning ? 'running' : 'stopped' };
}

/** Applies the decisions of a plan to the models that it was planned for. */
function applied(before: PlanningSnapshot, plan: TransactionPlan): readonly Model[] {
  const models = new Map(domainModels(before.models));
  for (const { decision } of plan.steps) {
    if (decision.kind !== 'models') continue;
    for (const { before: old } of decision.transitions) {
      if (old !== null) models.delete(`${old.kind}/${old.name}`);
    }
    for (const { after } of decision.transitions) {
      if (after !== null) models.set(`${after.kind}/${after.name}`, after);
    }
  }
  return sortedModels(models);
}

/** Numbers of operations that effects of a step are attributed to. */
function attributions(value: unknown): readonly (readonly number[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'attribution' ? [part as readonly number[]] : attributions(part),
  );
}

/** What holds of every report, whatever it is about. */
function expectInvariants({ report, steps }: TransactionPlan): void {
  const { operations, execution_steps: reported } = report;
  expect(operations.map(({ number }) => number)).toEqual(operations.map((_, index) => index + 1));
  expect(report.position).toBe(operations.length);
  const ranges = reported.map((step) => step.operations);
  expect(ranges.map(({ first }) => first)).toEqual([
    ...(ranges.length === 0 ? [] : [1]),
    ...ranges.slice(0, -1).map(({ last }) => last + 1),
  ]);
  expect(ranges.at(-1)?.last ?? 0).toBe(operations.length);
  expect(steps.map(({ first, last }) => ({ first, last }))).toEqual(ranges);
  for (const { number, execution_step: range } of operations) {
    expect(ranges).toContainEqual(range);
    expect(range.first <= number && number <= range.last).toBe(true);
  }
  const isComplete = reported.every(({ planned }) => planned.completeness.status === 'COMPLETE');
  expect(report.completeness.status === 'COMPLETE').toBe(isComplete);
  for (const { planned, operations: range } of reported) {
    expect(Object.keys(planned).sort()).toEqual(['completeness', 'effects', 'pause']);
    for (const numbers of attributions(planned)) {
      expect(numbers.length).toBeGreaterThan(0);
      expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
      expect(numbers.every((each) => range.first <= each && each <= range.last)).toBe(true);
    }
  }
}

test.prop([scenario])(
  'CP-77 CP-80 CP-81 CP-83 planning never throws, is the same each time, and applying a plan gives the state after it',
  ({ models, statements, isRunning, hasCluster }) => {
    const before = snapshot(models, isRunning, hasCluster);
    const plan = planTransaction(before, statements);
    expect(canonicalText(planTransaction(structuredClone(before), statements))).toBe(
      canonicalText(plan),
    );
    if (plan.kind === 'refused') {
      expect(plan.refusals.length).toBeGreaterThan(0);
      for (const { operation, message } of plan.refusals) {
        expect(operation).toBeGreaterThan(0);
        expect(operation).toBeLessThanOrEqual(statements.length);
        expect(message).not.toBe('');
      }
      return;
    }
    expect(applied(before, plan)).toEqual(sortedModels(domainModels(plan.after.models)));
    expect(plan.report.operations.length).toBe(statements.length);
    expectInvariants(plan);
    const schedules = plan.steps.flatMap(({ decision }) =>
      decision.kind === 'models' && decision.schedule !== null ? [decision.schedule] : [],
    );
    expect(plan.after.schedule).toEqual(schedules.at(-1) ?? before.schedule);
  },
);

test.prop([validGraph.chain((models) => fc.tuple(fc.constant(models), fc.subarray([...models])))])(
  'CP-35 CP-94 models that are dropped and created as they were plan nothing',
  ([models, some]) => {
    const before = snapshot(models);
    // Whatever order they are dropped in, all of them are back at the end of the run.
    const plan = planTransaction(before, [...some.map(drop), ...some.map(create)]);
    if (plan.kind === 'refused') throw new Error(plan.refusals[0]?.message);
    expect(applied(before, plan)).toEqual(sortedModels(domainModels(models)));
    for (const step of plan.report.execution_steps) {
      expect(step.planned.pause).toEqual({ kind: 'NO_PAUSE' });
      expect(step.planned.effects.changed_configuration).toEqual([]);
      expect(step.planned.effects.force_flushes).toEqual([]);
    }
    expect(
      plan.steps.every(({ decision }) => decision.kind === 'models' && decision.schedule === null),
    ).toBe(true);
  },
);

test.prop([validGraph.chain((models) => fc.tuple(fc.constant(models), fc.nat(7), fc.nat(9)))])(
  'CP-94 a drop and a creation are one modification: the same pause and effects as the ALTER',
  ([models, index, capacity]) => {
    const before = snapshot(models);
    const relays = models.filter((model) => model.kind === 'relay');
    const relay = relays[index % relays.length];
    if (relay === undefined) return;
    const text = String(capacity + 2);
    const alter: Statement = {
      kind: 'alter_model',
      modelKind: 'relay',
      name: relay.name,
      operations: [{ op: 'set_capacity', capacity: text }],
    };
    const altered = planTransaction(before, [alter]);
    const recreated = planTransaction(before, [drop(relay), create({ ...relay, capacity: text })]);
    if (altered.kind === 'refused' || recreated.kind === 'refused') throw new Error('refused');
    const impact = ({ report }: TransactionPlan) =>
      JSON.stringify(report.execution_steps[0]?.planned).replaceAll('[1,2]', '[1]');
    expect(impact(recreated)).toBe(impact(altered));
    expect(canonicalText(sortedModels(domainModels(recreated.after.models)))).toBe(
      canonicalText(sortedModels(domainModels(altered.after.models))),
    );
  },
);

const BREAK: Statement = { kind: 'create_resource', ifNotExists: true, name: 'a' };
const WEIGHT = ['NO_PAUSE', 'SUBGRAPH', 'DOMAIN'] as const;

const cutScenario = validGraph.chain((models) =>
  fc.record({
    models: fc.constant(models),
    statements: edits(models).map((list) =>
      list.filter(({ kind }) => kind.endsWith('_model')).slice(0, 6),
    ),
    cuts: fc.uniqueArray(fc.nat(5)),
  }),
);

test.prop([cutScenario])(
  'CP-73 CP-94 cutting a run in two changes its steps, not what they lead to',
  ({ models, statements, cuts }) => {
    const before = snapshot(models);
    const parts = statements.flatMap((statement, index) =>
      cuts.includes(index) ? [statement, BREAK] : [statement],
    );
    const [joined, cut] = [planTransaction(before, statements), planTransaction(before, parts)];
    // What only the end of the whole run mends is refused where the run ends before.
    if (cut.kind === 'refused' || statements.length === 0) return;
    if (joined.kind === 'refused') throw new Error(joined.refusals[0]?.message);
    expect(joined.report.execution_steps.map(({ operations }) => operations)).toEqual([
      { first: 1, last: statements.length },
    ]);
    const lengths = cut.report.execution_steps.map(({ operations: { first, last } }) => {
      return parts.slice(first - 1, last);
    });
    expect(lengths.flat()).toEqual(parts);
    for (const part of lengths) expect(part.length === 1 || !part.includes(BREAK)).toBe(true);
    expect(applied(before, cut)).toEqual(applied(before, joined));
    expect(cut.after.schedule).toEqual(joined.after.schedule);
    const weights = ({ report }: TransactionPlan) =>
      report.execution_steps.map(({ planned: { pause } }) => WEIGHT.indexOf(pause.kind));
    expect(Math.max(...weights(joined))).toBeLessThanOrEqual(Math.max(...weights(cut)));
  },
);
