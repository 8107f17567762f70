import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInProcessDataPlane, type DataPlane, type LogRecord } from '../../src/index.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

let plane: DataPlane;
let receiver: Receiver;
let logs: LogRecord[];

beforeEach(async () => {
  logs = [];
  receiver = await Receiver.open();
  plane = await createInProcessDataPlane({
    http: { host: '127.0.0.1', port: 0, maxBodyBytes: 64 * 1024 },
    onLog: (record) => logs.push(record),
    onFailure: (error) => {
      throw error;
    },
    alterationDrainMs: 3000,
  });
});

afterEach(async () => {
  await plane.close();
  await receiver.close();
});

const clients = () => [
  { name: 'sink', type: 'HTTP', endpoint: receiver.origin, timeoutMs: 2000 } as const,
];

describe('records from an HTTP endpoint to an HTTP destination', () => {
  test('a posted record passes relays, junction and emitter (CN-133, RT-60, CN-230)', async () => {
    await plane.install(
      p.plan({
        clients: clients(),
        relays: [p.relay('events'), p.relay('large')],
        processors: [
          {
            kind: 'junction',
            name: 'split',
            attached: true,
            inputs: [{ relay: 'events', where: null }],
            collect: null,
            filter: p.binary('gt', p.input('amount'), p.int(15)),
            inputSchema: 'event',
            branch: null,
            routes: [p.route('large')],
          },
        ],
        emitters: [p.emitter('out', 'large', '/out')],
      }),
    );
    for (const id of [1, 2, 3]) expect((await post(plane, event(id))).status).toBe(202);
    await until('two records arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/out')).toEqual([
      { id: 2, tenant: 't2', amount: 20 },
      { id: 3, tenant: 't0', amount: 30 },
    ]);
    expect(receiver.connections).toBe(2);
    const status = await plane.nodeStatus('shop');
    expect(status.state).toBe('running');
    expect(status.emitters[0]).toMatchObject({ name: 'out', status: 'OK', bufferedRows: 0 });
  });

  test('a body of lines is admitted whole or not at all, naming the line', async () => {
    await plane.install(
      p.plan({ clients: clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    const lines = { type: 'application/x-ndjson; charset=utf-8' };
    const bad = await post(plane, `${event(1)}\n\n{"id":true}\n${event(2)}`, lines);
    expect(bad.status).toBe(422);
    expect(JSON.parse(bad.body)).toEqual({
      error: {
        code: 'UNDECODABLE',
        message: 'no ingestor could decode the body',
        ingestors: [{ ingestor: 'in', code: 'DECODE_FAILED', line: 3 }],
      },
    });
    expect((await post(plane, `${event(3)}\r\n \n${event(4)}\n`, lines)).status).toBe(202);
    await until('both records arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/out').map((row) => row['id'])).toEqual([3, 4]);
  });
});
