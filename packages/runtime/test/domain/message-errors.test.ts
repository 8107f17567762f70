import { decodeErrorRowFields } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

const failing = p.set('amount', p.binary('div', p.int(100), p.input('amount')), 4, [
  'input.amount',
  'output.amount',
]);
const dividing = { assignments: [...p.inherit(p.EVENT), failing], where: null };

const failureSink = (relay: string) =>
  p.emitter(`${relay}_out`, relay, `/${relay}`, {
    inputSchema: 'failure',
    outputSchema: 'failure',
    construction: { assignments: p.inherit(p.FAILURE), where: null },
    sink: { ...p.emitter('x', relay, `/${relay}`).sink, codec: 'failure_json' },
  });

describe('message errors', () => {
  test('SEND TO builds the error row, and good rows of the batch proceed (RT-45, RT-168, RT-169)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('shares'), p.relay('failures', { schema: 'failure' })],
        processors: [
          p.junction(
            'x',
            ['events'],
            [p.route('shares', { construction: dividing, messageError: p.sendTo('failures') })],
          ),
        ],
        emitters: [p.emitter('out', 'shares', '/out'), failureSink('failures')],
      }),
    );
    const lines = { type: 'application/x-ndjson' };
    await post(plane, `${event(1)}\n${event(2, { amount: 0 })}\n${event(5)}`, lines);
    await until('all rows arrive', () => receiver.requests.length === 3);
    expect(receiver.rows('/out').map((row) => row['amount'])).toEqual([10, 2]);
    const [error] = receiver.rows('/failures');
    expect(error).toMatchObject({
      code: 'evaluation',
      message:
        "junction 'x' FILTER-MAP side error division_by_zero: integer division by zero at 12..18",
      operation: 'set',
      operation_index: 4,
      fields: ['input.amount', 'output.amount'],
    });
    expect(error!['reference']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(error!['occurred_at']).toMatch(/^20\d\d-.*\+00:00$/);
  });

  test('a failure before the routes is offered to each of them as one failure (RT-40, RT-225)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [
          p.relay('events'),
          p.relay('left'),
          p.relay('right'),
          p.relay('left_failures', { schema: 'failure' }),
          p.relay('right_failures', { schema: 'failure' }),
        ],
        processors: [
          p.junction(
            'x',
            ['events'],
            [
              p.route('left', { messageError: p.sendTo('left_failures') }),
              p.route('right', { messageError: p.sendTo('right_failures') }),
            ],
            { filter: p.binary('gt', p.binary('div', p.int(1), p.input('amount')), p.int(0)) },
          ),
        ],
        emitters: [failureSink('left_failures'), failureSink('right_failures')],
      }),
    );
    await post(plane, event(1, { amount: 0 }));
    await until('both copies arrive', () => receiver.requests.length === 2);
    const [left] = receiver.rows('/left_failures');
    const [right] = receiver.rows('/right_failures');
    expect(left).toMatchObject({ operation: 'filter_where' });
    expect(left).not.toHaveProperty('operation_index');
    expect(right!['reference']).toBe(left!['reference']);
    expect(left!['message']).toContain('FILTER WHERE side error division_by_zero');
  });

  test('LOG names reference, code and operation and no value (RT-8, RT-169, TX-50)', async () => {
    const { plane } = harness;
    await plane.install(
      p.plan({
        ingestors: [
          p.ingestor('in', {
            routes: [{ ...p.route('events', { construction: dividing }), branch: null }],
          }),
        ],
      }),
    );
    await post(plane, event(1, { amount: 0, note: 'secret-value' }));
    await until('the failure is logged', () => harness.logs.length > 0);
    const [record] = harness.logs;
    expect(record).toMatchObject({
      level: 'warn',
      fields: { code: 'evaluation', operation: 'set' },
    });
    expect(record!.message).toMatch(/^ingestor 'in' message error in domain 'shop': /);
    expect(JSON.stringify(harness.logs)).not.toContain('secret-value');
  });

  test('ON DECODE ERROR SEND TO keeps the payload and still answers 422 (CN-372…377, RT-227)', async () => {
    const { plane, receiver } = harness;
    const fields = decodeErrorRowFields(false);
    const refused = { name: 'refused', fields };
    await plane.install(
      p.plan({
        clients: harness.clients(),
        schemas: [p.EVENT, p.TENANT, p.FAILURE, refused],
        codecs: [p.jsonCodec(p.EVENT), p.jsonCodec(refused)],
        relays: [p.relay('events'), p.relay('refused', { schema: 'refused' })],
        ingestors: [
          p.ingestor('in', {
            decodeError: {
              kind: 'send_to',
              relay: 'refused',
              assignments: fields.map((each, index) =>
                p.set(each.name, p.column('error', each), index),
              ),
            },
          }),
        ],
        emitters: [
          p.emitter('out', 'events', '/out'),
          p.emitter('refused_out', 'refused', '/refused', {
            inputSchema: 'refused',
            outputSchema: 'refused',
            construction: { assignments: p.inherit(refused), where: null },
            sink: { ...p.emitter('x', 'refused', '/refused').sink, codec: 'refused_json' },
          }),
        ],
      }),
    );
    expect((await post(plane, '{"id": broken')).status).toBe(422);
    expect((await post(plane, event(7))).status).toBe(202);
    await until('both rows arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/refused')[0]).toMatchObject({
      code: 'validation',
      operation: 'decode',
      payload: Buffer.from('{"id": broken').toString('base64'),
    });
    expect(await harness.metric('nervix_ingestor_decode_errors_total', { action: 'send' })).toBe(1);
  });

  test('a name that only a payload brought is cut in its error row and absent from logs (CN-303, TX-52)', async () => {
    const { plane, receiver } = harness;
    const fields = decodeErrorRowFields(false);
    const refused = { name: 'refused', fields };
    await plane.install(
      p.plan({
        clients: harness.clients(),
        schemas: [p.EVENT, p.TENANT, p.FAILURE, refused],
        codecs: [{ ...p.jsonCodec(p.EVENT), strict: true }, p.jsonCodec(refused)],
        relays: [p.relay('events'), p.relay('refused', { schema: 'refused' })],
        ingestors: [
          p.ingestor('in', {
            decodeError: {
              kind: 'send_to',
              relay: 'refused',
              assignments: fields.map((each, index) =>
                p.set(each.name, p.column('error', each), index),
              ),
            },
          }),
        ],
        emitters: [
          p.emitter('refused_out', 'refused', '/refused', {
            inputSchema: 'refused',
            outputSchema: 'refused',
            construction: { assignments: p.inherit(refused), where: null },
            sink: { ...p.emitter('x', 'refused', '/refused').sink, codec: 'refused_json' },
          }),
        ],
      }),
    );
    const name = `card-4711-${'k'.repeat(50_000)}`;
    expect((await post(plane, event(1, { [name]: 1 }))).status).toBe(422);
    expect((await post(plane, event(1, { amount: 'x' }))).status).toBe(422);
    await until('both rows arrive', () => receiver.requests.length === 2);
    const shown = `${name.slice(0, 128)}…`;
    expect(receiver.rows('/refused')[0]).toMatchObject({
      message: `codec 'event_json' has unexpected field '${shown}'`,
      fields: [shown],
    });
    expect(harness.logs.map(({ message }) => message)).toEqual([
      "failed to decode HTTP message for ingestor 'in' in domain 'shop': " +
        "codec 'event_json' has an unexpected field",
      "failed to decode HTTP message for ingestor 'in' in domain 'shop': " +
        "codec 'event_json' failed to parse field 'amount': expected I64, found string",
    ]);
  });
});
