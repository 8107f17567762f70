import type { EmitterPlan, ExecutionPlan, IngestorPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();
const acknowledging: Partial<IngestorPlan> = {
  mode: 'ack_parallel',
  ackWindow: { max: 4, timeoutNanos: 20_000_000_000n },
};
const idsAt = (path: string) => harness.receiver.rows(path).map((row) => row['id']);

const plan = (source: Partial<IngestorPlan>, second: Partial<EmitterPlan> = {}): ExecutionPlan =>
  p.plan({
    clients: harness.clients(),
    relays: [p.relay('events', { capacity: 9 })],
    ingestors: [p.ingestor('in', source)],
    emitters: [
      p.emitter('first', 'events', '/first'),
      p.emitter('second', 'events', '/second', second),
    ],
  });

describe('what a source is told', () => {
  test('one failed path fails it although a sibling has published; again means all again (RT-56, RT-58)', async () => {
    const { plane, receiver } = harness;
    let refusals = 1;
    receiver.answer = ({ path }) => (path === '/second' && refusals-- > 0 ? 400 : 204);
    await plane.install(plan(acknowledging));
    expect((await post(plane, event(1))).status).toBe(503);
    expect(idsAt('/first')).toEqual([1]);
    expect((await post(plane, event(1))).status).toBe(200);
    expect(idsAt('/first')).toEqual([1, 1]);
    expect(idsAt('/second')).toEqual([1, 1]);
  });

  test('a detached path takes no part, and still confirms and retries for itself (RT-53, RT-58)', async () => {
    const { plane, receiver } = harness;
    let failures = 2;
    receiver.answer = ({ path }) => (path === '/second' && failures-- > 0 ? 500 : 204);
    await plane.install(plan(acknowledging, { attached: false }));
    expect((await post(plane, event(1))).status).toBe(200);
    await until('the detached path delivers', () => failures < 0);
    expect(idsAt('/second')).toEqual([1, 1, 1]);
    failures = 0;
    receiver.answer = ({ path }) => (path === '/second' ? 400 : 204);
    expect((await post(plane, event(2))).status).toBe(200);
  });

  test('a source without outcomes loses what was in flight, and is told so by a count (RT-58, RT-192)', async () => {
    const { plane, receiver } = harness;
    receiver.answer = () => 500;
    await plane.install(plan({}));
    expect((await post(plane, event(1))).status).toBe(202);
    await until('the sinks refuse', async () => {
      const { emitters } = await plane.nodeStatus('shop');
      return emitters.every(({ status }) => status === 'ERROR');
    });
    await plane.stopDomain('shop');
    receiver.answer = () => 204;
    await plane.install({ ...plan({}), generation: 2 });
    expect((await post(plane, event(2))).status).toBe(202);
    await until('the next one arrives', () => idsAt('/first').includes(2));
    const seen = receiver.requests.length;
    expect(idsAt('/first').slice(-1)).toEqual([2]);
    expect(seen).toBeGreaterThan(0);
    const lost = await harness.metric('nervix_messages_discarded_total', { target: 'shop' });
    expect(lost).toBe(2);
  });

  test('no capacity is no fault of the data: nothing is counted as failed, and again succeeds (RT-174)', async () => {
    const { plane, receiver } = harness;
    receiver.answer = () => 500;
    const narrow = { ...acknowledging, ackWindow: { max: 1, timeoutNanos: 20_000_000_000n } };
    await plane.install(plan(narrow));
    const first = post(plane, event(1));
    await until('the only slot is taken', async () => {
      return (await plane.nodeStatus('shop')).ingestors[0]?.waitingRequests === 1;
    });
    expect(await post(plane, event(2))).toMatchObject({
      status: 503,
      code: 'BUSY',
      retryAfter: '1',
    });
    receiver.answer = () => 204;
    expect((await first).status).toBe(200);
    expect((await post(plane, event(2))).status).toBe(200);
    for (const name of ['nervix_message_errors_total', 'nervix_ingestor_decode_errors_total']) {
      expect(await harness.metric(name, {})).toBe(0);
    }
    expect([...new Set(idsAt('/first'))]).toEqual([1, 2]);
  });
});

describe('ON GENERAL ERROR of an emitter whose function fails for a batch', () => {
  const trapping = {
    assignments: [
      ...p.inherit(p.EVENT),
      p.set(
        'amount',
        {
          kind: 'udf_call',
          name: 'trap',
          volatile: false,
          arguments: [p.input('amount')],
          type: 'I64',
          optional: false,
          sensitive: false,
        } as const,
        4,
      ),
    ],
    where: p.binary('gt', p.output('id'), p.int(0)),
  };
  const trap = {
    name: 'trap',
    language: 'ECMASCRIPT_2023',
    arguments: [{ name: 'x', type: 'I64', optional: false }],
    returns: { type: 'I64', optional: false },
    volatile: false,
    code: `function trap(x) { if (x === 666n) throw new Error('no'); return x; }`,
  } as const;
  const failing = (generalError: 'LOG' | 'IGNORE') => ({
    ...plan(acknowledging, { construction: trapping, generalError }),
    udfs: [trap],
  });
  const warnings = () =>
    harness.logs.filter(({ message }) => message.includes("emitter 'second' general error"));

  test('LOG reports and refuses the rows (RT-172)', async () => {
    const { plane } = harness;
    await plane.install(failing('LOG'));
    expect((await post(plane, event(1, { amount: 666 }))).status).toBe(503);
    expect(warnings()).toHaveLength(1);
    expect((await post(plane, event(2, { amount: 1 }))).status).toBe(200);
  });

  test('IGNORE acknowledges them in silence (RT-172)', async () => {
    const { plane } = harness;
    await plane.install(failing('IGNORE'));
    expect((await post(plane, event(1, { amount: 666 }))).status).toBe(200);
    expect(idsAt('/first')).toEqual([1]);
    expect(idsAt('/second')).toEqual([]);
    expect(warnings()).toEqual([]);
  });

  test('in a processor it is internal: reported and refused, whatever the policies say (RT-173)', async () => {
    const { plane } = harness;
    const junction = p.junction(
      'j',
      ['events'],
      [p.route('copies', { construction: trapping, messageError: { kind: 'ignore' } })],
    );
    await plane.install({
      ...failing('IGNORE'),
      relays: [p.relay('events'), p.relay('copies')],
      processors: [junction],
      emitters: [p.emitter('first', 'copies', '/first')],
    });
    expect((await post(plane, event(1, { amount: 666 }))).status).toBe(503);
    const messages = harness.logs.map(({ message }) => message).join('\n');
    expect(messages).toContain(
      "junction 'j' internal error in domain 'shop': junction 'j' failed to evaluate FILTER-MAP: ",
    );
    expect(await harness.metric('nervix_internal_errors_total', { target: 'j' })).toBe(1);
  });
});
