import type { ExecutionPlan, TypedAggregate, TypedAssignment } from '@nervix/model';
import { expect, test } from 'vitest';
import { canonicalPlan } from '../../src/domain/canonical-plan.js';
import { executionDelta, executionPause } from '../../src/domain/execution-delta.js';
import { IDS, relayBatch } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';

const TOTALS = {
  name: 'totals',
  fields: ['count', 'sum', 'again'].map((name) => p.field(name, 'I64', { optional: true })),
};
const aggregate = (name: 'COUNT' | 'SUM', start: number): TypedAggregate => ({
  function: name,
  arguments: [{ ...p.input('id', IDS), span: { start, end: start + 2 } }],
  constants: [],
  type: 'I64',
  optional: name === 'SUM',
  sensitive: false,
});
const read = (field: string, index: number, at: number): TypedAssignment =>
  p.set(field, { kind: 'aggregate', index, type: 'I64', optional: true, sensitive: false }, at);

/** A window of three rows whose route reads the aggregates as they are given. */
const windowed = (
  aggregates: readonly TypedAggregate[],
  assignments: readonly TypedAssignment[],
  rest: object = {},
): ExecutionPlan =>
  p.plan({
    schemas: [IDS, TOTALS, p.EVENT, p.TENANT, p.FAILURE],
    relays: [p.relay('events', { schema: 'ids' }), p.relay('totals', { schema: 'totals' })],
    ingestors: [],
    processors: [
      {
        kind: 'window_processor',
        name: 'w',
        attached: true,
        inputs: [{ relay: 'events', where: null }],
        collect: null,
        filter: null,
        inputSchema: 'ids',
        branch: null,
        width: { messages: 3, durationNanos: null },
        step: { messages: 3, durationNanos: null },
        maxStateBytes: null,
        routes: [
          {
            relay: 'totals',
            aggregates,
            construction: { assignments, where: null },
            messageError: { kind: 'log' },
          },
        ],
        ...rest,
      },
    ],
  });
const before = windowed(
  [aggregate('COUNT', 10), aggregate('SUM', 30)],
  [read('count', 0, 0), read('sum', 1, 1)],
);
/** The same aggregates, read the other way round and one of them twice. */
const after = windowed(
  [aggregate('SUM', 10), aggregate('COUNT', 30), aggregate('COUNT', 50)],
  [read('sum', 0, 0), read('count', 1, 1), read('again', 2, 2)],
);

test('routes that read the same aggregates keep what their windows retain (RT-182, RT-199)', async () => {
  expect(executionPause(before, after)).toBe('DYNAMIC');
  const { graph, probe, publish, advance } = virtualGraph(canonicalPlan(before));
  const totals = probe('totals');
  await publish('events', relayBatch([1, 2]));
  const next = canonicalPlan(after);
  const delta = executionDelta(graph.plan, next);
  if (delta.kind !== 'dynamic') throw new Error(`the change is ${delta.kind}`);
  graph.revise(next, delta.revised);
  await publish('events', relayBatch([4]));
  await advance(1);
  expect(totals.rows()).toEqual([{ count: 3n, sum: 7n, again: 3n }]);
});

test('a window that is replaced takes over what means the same in it (RT-196, RT-199)', async () => {
  const detached = windowed(after.processors.flatMap(aggregatesOf), assignmentsOf(after), {
    attached: false,
  });
  expect(executionPause(before, detached)).toBe('ENTITY_PAUSE');
  const old = virtualGraph(canonicalPlan(before));
  await old.publish('events', relayBatch([1, 2]));
  old.graph.close('replaced');
  const next = virtualGraph(canonicalPlan(detached));
  next.graph.restore(old.graph.exportState());
  const totals = next.probe('totals');
  await next.publish('events', relayBatch([4]));
  expect(totals.rows()).toEqual([{ count: 3n, sum: 7n, again: 3n }]);
});

test('plans whose routes are in order already are left alone', () => {
  const [processor] = canonicalPlan(canonicalPlan(after)).processors;
  expect(processor).toEqual(canonicalPlan(after).processors[0]);
});

function aggregatesOf(processor: ExecutionPlan['processors'][number]): readonly TypedAggregate[] {
  return processor.kind === 'window_processor' ? (processor.routes[0]?.aggregates ?? []) : [];
}

function assignmentsOf(plan: ExecutionPlan): readonly TypedAssignment[] {
  return plan.processors[0]?.routes[0]?.construction.assignments ?? [];
}
