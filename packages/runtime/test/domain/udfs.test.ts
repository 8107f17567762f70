import type { TypedExpression, UdfPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

/** Doubles; rejects 13, and traps at 666. */
const DOUBLED: UdfPlan = {
  name: 'doubled',
  language: 'ECMASCRIPT_2023',
  arguments: [{ name: 'x', type: 'I64', optional: false }],
  returns: { type: 'I64', optional: false },
  volatile: false,
  code: `function doubled(x) {
    if (x === 13n) reject('unlucky');
    if (x === 666n) throw new Error('secret ' + x);
    return x * 2n;
  }`,
};

const called: TypedExpression = {
  kind: 'udf_call',
  name: 'doubled',
  volatile: false,
  arguments: [p.input('amount')],
  type: 'I64',
  optional: false,
  sensitive: false,
  span: { start: 12, end: 18 },
};
const doubling = {
  assignments: [
    ...p.inherit(p.EVENT),
    p.set('amount', called, 4, ['input.amount', 'output.amount']),
  ],
  where: null,
};
const lines = { type: 'application/x-ndjson' };
const amounts = (...values: number[]): string =>
  values.map((amount, id) => event(id, { amount })).join('\n');

const failureSink = p.emitter('failures_out', 'failures', '/failures', {
  inputSchema: 'failure',
  outputSchema: 'failure',
  construction: { assignments: p.inherit(p.FAILURE), where: null },
  sink: { ...p.emitter('x', 'failures', '/failures').sink, codec: 'failure_json' },
});

const junctionPlan = (rest: Parameters<typeof p.plan>[0] = {}) =>
  p.plan({
    clients: harness.clients(),
    udfs: [DOUBLED],
    relays: [p.relay('events'), p.relay('doubled'), p.relay('failures', { schema: 'failure' })],
    processors: [
      p.junction(
        'x',
        ['events'],
        [p.route('doubled', { construction: doubling, messageError: p.sendTo('failures') })],
      ),
    ],
    emitters: [p.emitter('out', 'doubled', '/out'), failureSink],
    ...rest,
  });

describe('UDFs in a graph (TYPE 8)', () => {
  test('rows go through, and a rejected one is a message error (RT-45)', async () => {
    const { plane, receiver } = harness;
    await plane.install(junctionPlan());
    await post(plane, amounts(1, 13, 3), lines);
    await until('all rows arrive', () => receiver.requests.length === 3);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([2, 6]);
    expect(receiver.rows('/failures')[0]).toMatchObject({
      code: 'evaluation',
      message:
        "junction 'x' FILTER-MAP side error invalid_argument: " +
        "UDF 'doubled' rejected the row: unlucky at 12..18",
      operation: 'set',
      operation_index: 4,
    });
  });

  test('a trap costs its batch, is told without values, and the next goes on (TX-55)', async () => {
    const { plane, receiver } = harness;
    const ingestor = p.ingestor('in', {
      mode: 'ack_parallel',
      ackWindow: { max: 64, timeoutNanos: 20_000_000_000n },
    });
    await plane.install(junctionPlan({ ingestors: [ingestor] }));
    const refused = await post(plane, amounts(1, 666), lines);
    expect(refused.status).toBe(503);
    const accepted = await post(plane, amounts(4), lines);
    expect(accepted.status).toBe(200);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([8]);
    const [error] = harness.logs.filter(({ level }) => level === 'error');
    expect(error).toMatchObject({
      message:
        "junction 'x' internal error in domain 'shop': junction 'x' failed to evaluate FILTER-MAP: " +
        "UDF 'doubled': call failed: ECMAScript execution trapped: Error at line 3",
    });
  });

  test('in an emitter it is a general error (TX-55, RT-177)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        udfs: [DOUBLED],
        emitters: [p.emitter('out', 'events', '/out', { construction: doubling })],
      }),
    );
    await post(plane, amounts(666), lines);
    await until('the error is told', () => harness.logs.some(({ level }) => level === 'warn'));
    await post(plane, amounts(5), lines);
    await until('the other batch arrives', () => receiver.requests.length === 1);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([10]);
    expect(harness.logs.map(({ message }) => message)).toContain(
      "emitter 'out' general error in domain 'shop': " +
        "UDF 'doubled': call failed: ECMAScript execution trapped: Error at line 3",
    );
  });

  test('one whose code cannot be loaded leaves what runs as it was (RT-196)', async () => {
    const { plane, receiver } = harness;
    await plane.install(junctionPlan());
    const broken = { ...DOUBLED, code: 'function doubled(' };
    const next = junctionPlan({ revision: 2, udfs: [broken] });
    const refusal = "UDF 'doubled': load failed: ECMAScript compilation failed:";
    await expect(plane.prepare(next)).rejects.toThrow(refusal);
    await expect(plane.install(next)).rejects.toThrow(refusal);
    await post(plane, amounts(2), lines);
    await until('the row arrives', () => receiver.requests.length === 1);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([4]);
  });

  test('a UDF that changes replaces the graph that calls it, another one does not (RT-196)', async () => {
    const { plane, receiver } = harness;
    await plane.install(junctionPlan());
    await post(plane, amounts(1), lines);
    const tripled = { ...DOUBLED, code: 'function doubled(x) { return x * 3n; }' };
    await plane.install(junctionPlan({ revision: 2, udfs: [tripled] }));
    await post(plane, amounts(1), lines);
    await plane.install(
      junctionPlan({ revision: 3, udfs: [tripled, { ...DOUBLED, name: 'unused' }] }),
    );
    await post(plane, amounts(1), lines);
    await until('all rows arrive', () => receiver.requests.length === 3);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([2, 3, 3]);
  });
});
