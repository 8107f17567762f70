import { fc, test } from '@fast-check/vitest';
import type {
  ExecutionPlan,
  TypedAggregate,
  TypedExpression,
  TypedLiteral,
  WindowBoundPlan,
} from '@nervix/model';
import { describe, expect } from 'vitest';
import { AckSet } from '../../src/ack/ack-set.js';
import { IDS, idBatch, relayBatch, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

const id = p.input('id', IDS);
const messages = (count: number): WindowBoundPlan => ({ messages: count, durationNanos: null });
const lasting = (nanos: bigint): WindowBoundPlan => ({ messages: null, durationNanos: nanos });

function literal(value: number): TypedLiteral {
  return { kind: 'literal', type: 'I64', value: String(value), optional: false, sensitive: false };
}

function over(name: string, argument: TypedExpression, ...constants: number[]): TypedAggregate {
  const made = { function: name, arguments: [argument], constants: constants.map(literal) };
  return { ...made, type: 'F64', optional: true, sensitive: false };
}

/** A window whose routes `out0`, `out1`, … each hold one aggregate. */
function windowPlan(
  aggregates: readonly TypedAggregate[],
  rest: { width: WindowBoundPlan; step: WindowBoundPlan; maxStateBytes: bigint | null },
  branch: string | null = null,
): ExecutionPlan {
  const type = aggregates[0]?.type ?? 'F64';
  const result = { name: 'result', fields: [p.field('value', type, { optional: true })] };
  const value = { kind: 'aggregate', index: 0, type, optional: true, sensitive: false } as const;
  const assignments = [p.set('value', value, 0)];
  return p.plan({
    schemas: [IDS, result, p.TENANT, p.EVENT, p.FAILURE],
    relays: [
      p.relay('events', { schema: 'ids', branch }),
      ...aggregates.map((_, index) => p.relay(`out${index}`, { schema: 'result', branch })),
      p.relay('failures', { schema: 'failure' }),
    ],
    ingestors: [],
    processors: [
      {
        ...{ kind: 'window_processor', name: 'w', attached: true, collect: null, filter: null },
        ...{ inputs: [{ relay: 'events', where: null }], inputSchema: 'ids', branch },
        ...rest,
        routes: aggregates.map((aggregate, index) => ({
          relay: `out${index}`,
          aggregates: [aggregate],
          construction: { assignments, where: null },
          messageError: p.sendTo('failures'),
        })),
      } as ExecutionPlan['processors'][number],
    ],
  });
}

const SECOND = 1_000_000_000n;

describe('windows within limits', () => {
  const aggregate = fc.constantFrom(
    over('SUM', {
      ...id,
      kind: 'cast',
      isTry: false,
      operand: id,
      target: 'F64',
      type: 'F64',
    } as TypedExpression),
    over('APPROX_QUANTILE', id, 50, 32),
    over('PERCENTILE_LINEAR_HISTOGRAM', id, 50, 10, 0, 100, 20),
  );
  const rows = fc.array(fc.record({ id: fc.nat(100), wait: fc.integer({ min: -3, max: 12 }) }), {
    maxLength: 40,
  });

  test.prop(
    [aggregate, rows, fc.array(fc.nat(40), { maxLength: 5 }), fc.integer({ min: 40, max: 6_000 })],
    { numRuns: propertyRuns(300) },
  )(
    'take and refuse the same rows however these are batched (RT-108, RT-115)',
    async (one, all, cuts, limit) => {
      const plan = windowPlan([one], {
        ...{ width: lasting(20n), step: lasting(10n), maxStateBytes: BigInt(limit) },
      });
      let at = 1_000n;
      const timed = all.map((row) => {
        at += BigInt(row.wait);
        return { id: row.id, at };
      });
      const outcome = async (ends: readonly number[]) => {
        const { probe, publish } = virtualGraph(plan);
        const [out, failures] = [probe('out0'), probe('failures')];
        let start = 0;
        for (const end of [...new Set(ends)].sort((left, right) => left - right)) {
          const part = timed.slice(start, end);
          start = end;
          if (part.length === 0) continue;
          const low = BigInt64Array.from(part, (row) => row.at);
          const batch = idBatch(part.map((row) => row.id));
          await publish('events', { batch, branchKey: null, low, high: low, acks: AckSet.NONE });
        }
        return { rows: out.rows(), refused: failures.rows().length };
      };
      const each = timed.map((_, index) => index + 1);
      expect(await outcome([...cuts.filter((cut) => cut < timed.length), timed.length])).toEqual(
        await outcome(each),
      );
    },
  );

  test('rows that left and are counted for a while keep no later ones out for good (RT-108, RT-117)', async () => {
    const histogram = over(
      'PERCENTILE_LINEAR_HISTOGRAM',
      id,
      50,
      10,
      0,
      100,
      Number(3_600n * SECOND),
    );
    const plan = windowPlan([histogram], {
      ...{ width: messages(10), step: messages(10), maxStateBytes: 280n },
    });
    const { probe, publish, advance } = virtualGraph(plan);
    const [out, failures] = [probe('out0'), probe('failures')];
    const ids = Array.from({ length: 10 }, (_, index) => index);
    await publish('events', relayBatch(ids));
    await publish('events', relayBatch(ids));
    expect(out.rows()).toHaveLength(1);
    const refused = failures.rows().length;
    expect(refused).toBeGreaterThan(0);
    await advance(2 * 3_600_000);
    await publish('events', relayBatch(ids));
    await publish('events', relayBatch(ids));
    expect(out.rows().length).toBeGreaterThan(1);
  });

  test('rows that fail in one route leave the values of the others where they belong (RT-108)', async () => {
    const hundredBy = (less: number): TypedExpression => {
      const divisor = p.binary('add', id, p.int(-less));
      return p.binary('div', p.int(60), divisor);
    };
    const sum = (argument: TypedExpression): TypedAggregate => ({
      ...over('MAX', argument),
      type: 'I64',
    });
    const plan = windowPlan([sum(hundredBy(0)), sum(hundredBy(3))], {
      ...{ width: messages(3), step: messages(3), maxStateBytes: null },
    });
    const { probe, publish } = virtualGraph(plan);
    const [left, right, failures] = [probe('out0'), probe('out1'), probe('failures')];
    // 0 fails in the first route and 3 in the second: 1, 2 and 5 are left.
    await publish('events', relayBatch([0, 1, 3, 2, 5]));
    expect(failures.rows().length).toBeGreaterThan(0);
    expect(left.rows()).toEqual([{ value: 60n }]);
    expect(right.rows()).toEqual([{ value: 30n }]);
  });

  test('a branch that a successor takes over is idle for as long as it was (RT-20, RT-193)', async () => {
    const plan = windowPlan(
      [over('AVG', id)],
      { width: messages(2), step: messages(2), maxStateBytes: null },
      'by_tenant',
    );
    const branchKey = tenantKey('acme');
    const before = virtualGraph(plan);
    await before.publish('events', relayBatch([1], { branchKey }));
    await before.advance(40_000);
    before.graph.close('replaced');
    const after = virtualGraph(plan, before.clock);
    const out = after.probe('out0');
    after.graph.restore(before.graph.exportState());
    await after.advance(20_000);
    after.graph.scanBranches(null);
    // The former row has gone with its branch after a minute; with it there would be two.
    await after.publish('events', relayBatch([3], { branchKey }));
    expect(out.rows()).toEqual([]);
    await after.publish('events', relayBatch([5], { branchKey }));
    expect(out.rows()).toEqual([{ value: 4 }]);
  });
});
