import {
  DEFAULT_FRAME_LIMITS,
  encodeServerFrame,
  LANE_FRAMES_MAX,
  readRows,
  readServerFrame,
  type SubscribeRequest,
  type SubscriptionRows,
} from '@nervix/protocol/session';
import type { SubscriptionEvent } from '@nervix/runtime/data-plane';
import { describe, expect, test } from 'vitest';
import { OutboundLanes } from '../../src/session/outbound-lanes.ts';
import { SessionSubscription } from '../../src/session/subscriptions/session-subscription.ts';
import type { FakeControlPlane } from '../support/fake-control-plane.ts';
import { type SessionSetup, startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';
import { identityOf } from '../support/users.ts';

const LIST = { t: 'ListDomainsRequest' } as const;
const POLLED = { timeout: 10_000, interval: 5 };

function subscribe(statement: string, rest: Partial<SubscribeRequest> = {}): SubscribeRequest {
  return { t: 'SubscribeRequest', domain: 'shop', statement, subscription_type: 'Row', ...rest };
}

/** Rows of the field `id U8`. */
function rowsEvent(...ids: readonly number[]): SubscriptionEvent {
  const rows = Uint8Array.from([0xdc, 0, ids.length, ...ids.flatMap((id) => [0x91, id])]);
  return { kind: 'cells', rows, rowCount: ids.length, branchKey: null };
}

async function open(setup: SessionSetup = {}) {
  const session = await startSession(setup);
  const client = await SessionClient.connect(session.port);
  const read = (index: number, event: SubscriptionEvent): Promise<void> =>
    session.plane.subscribed[index]?.reader(event) ?? Promise.resolve();
  return { ...session, client, read };
}

const rowFrames = (client: SessionClient): readonly SubscriptionRows[] =>
  client.bodies.flatMap((body) => (body.t === 'SubscriptionRows' ? [body] : []));

/** Whether a promise is settled after the event loop has turned. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('CL-50: opening', () => {
  test('is answered before every row, with the schema and a generation', async () => {
    const { client, plane, read } = await open();
    plane.onSubscribe = ((found) => async (request) => {
      // The source has rows before the reply is on its way.
      void read(0, rowsEvent(1, 2));
      return found(request);
    })(plane.onSubscribe);
    const reply = await client.ask(subscribe('CREATE SUBSCRIPTION w TO orders;'));
    expect(reply).toEqual({
      t: 'SubscribeOutcome',
      disposition: {
        t: 'SubscriptionOpened',
        subscription: { name: 'w', generation: 1n },
        domain: 'shop',
        relay: 'orders',
        subscription_type: 'Row',
        schema: { fields: [{ name: 'id', type: { t: 'U8' }, nullable: false, sensitive: false }] },
      },
      message: "created subscription 'w' in domain 'shop'",
      diagnostics: [],
    });
    const rows = await client.find(({ t }) => t === 'SubscriptionRows');
    const kinds = client.bodies.map(({ t }) => t);
    expect(kinds.indexOf('Reply')).toBeLessThan(kinds.indexOf('SubscriptionRows'));
    if (rows.t !== 'SubscriptionRows') throw new Error('no rows');
    const { schema } = openedOf(reply);
    expect(readRows(rows, schema)).toEqual({ kind: 'rows', rows: [[1], [2]] });
    expect(plane.views).toEqual(['begin w']);
  });

  test.each<[string, SubscribeRequest, string, string]>([
    [
      'a statement of another kind',
      subscribe('START;'),
      'REQUEST_SHAPE',
      'the statement must be exactly one CREATE SUBSCRIPTION',
    ],
    [
      'two statements',
      subscribe('CREATE SUBSCRIPTION a TO r; CREATE SUBSCRIPTION b TO r;'),
      'REQUEST_SHAPE',
      'the statement must be exactly one CREATE SUBSCRIPTION',
    ],
    ['no statement', subscribe('CREATE;'), 'PARSE_FAILED', ''],
  ])('%s is refused', async (_what, request, code, message) => {
    const { client, plane } = await open();
    const reply = await client.ask(request);
    expect(reply).toMatchObject({ disposition: { t: 'RequestFailed', code } });
    if (message !== '') expect(reply).toMatchObject({ message });
    expect(plane.subscribed).toEqual([]);
  });

  test('another type of subscription is refused by name', async () => {
    const { client } = await open();
    const request = subscribe('CREATE SUBSCRIPTION w TO r;', { subscription_type: 'Aggregate' });
    expect(await client.ask(request)).toMatchObject({
      t: 'RequestRejected',
      rejection: 'UnsupportedValue',
      field: 'subscription_type',
    });
  });

  test('TX-37: a name is one of the session, and a refusal gives it free', async () => {
    const { client, plane } = await open();
    const found = plane.onSubscribe;
    const error = { code: 'NOT_FOUND', message: 'no', diagnostics: [] } as const;
    plane.onSubscribe = async () => ({ kind: 'refused', error });
    const statement = 'CREATE SUBSCRIPTION w TO r;';
    expect(await client.ask(subscribe(statement))).toMatchObject({ message: 'no' });
    plane.onSubscribe = found;
    const opened = await client.ask(subscribe(statement));
    expect(opened).toMatchObject({ disposition: { subscription: { generation: 2n } } });
    expect(await client.ask(subscribe(statement, { domain: 'other' }))).toMatchObject({
      disposition: { t: 'RequestFailed', code: 'ALREADY_EXISTS' },
      message: "session subscription 'w' already exists",
    });
  });

  test('a request that was withdrawn leaves nothing', async () => {
    const { client, plane } = await open();
    const found = plane.onSubscribe;
    const goOn = Promise.withResolvers<void>();
    plane.onSubscribe = async (request) => {
      await goOn.promise;
      return found(request);
    };
    const id = client.send(subscribe('CREATE SUBSCRIPTION w TO r;'));
    await expect.poll(() => plane.subscribed.length, POLLED).toBe(1);
    await client.ask({ t: 'CancelRequest', target_request_id: id });
    goOn.resolve();
    plane.onSubscribe = found;
    await client.ask(subscribe('CREATE SUBSCRIPTION w TO r;'));
    expect(plane.views).toEqual(['begin w', 'close w', 'begin w']);
  });
});

function openedOf(reply: unknown) {
  const { disposition } = reply as { disposition: { t: string } };
  if (disposition.t !== 'SubscriptionOpened') throw new Error(`not opened: ${disposition.t}`);
  return disposition as Extract<
    import('@nervix/protocol/session').SubscribeDisposition,
    { readonly t: 'SubscriptionOpened' }
  >;
}

const REBUILT =
  "session subscription 'w' was dropped because relay 'r' in domain 'shop' was rebuilt after a " +
  'schema or execution change; recreate the subscription against the current schema';

describe('CL-51: ending', () => {
  test('nothing of a generation follows its SubscriptionDeleted', async () => {
    const { client, plane, read } = await open();
    const { subscription } = openedOf(await client.ask(subscribe('CREATE SUBSCRIPTION w TO r;')));
    await read(0, rowsEvent(1));
    const deleted = await client.ask({ t: 'UnsubscribeRequest', subscription });
    expect(deleted).toEqual({
      t: 'UnsubscribeOutcome',
      disposition: { t: 'SubscriptionDeleted', subscription },
      message: "deleted subscription 'w' from domain 'shop'",
      diagnostics: [],
    });
    const before = rowFrames(client).length;
    await read(0, rowsEvent(2));
    await client.ask(LIST);
    expect(rowFrames(client)).toHaveLength(before);
    expect(plane.views).toEqual(['begin w', 'close w']);
  });

  test('an unknown handle is refused, and so is one of an older generation', async () => {
    const { client } = await open();
    const statement = 'CREATE SUBSCRIPTION w TO r;';
    const { subscription } = openedOf(await client.ask(subscribe(statement)));
    await client.ask({ t: 'UnsubscribeRequest', subscription });
    await client.ask(subscribe(statement));
    expect(await client.ask({ t: 'UnsubscribeRequest', subscription })).toEqual({
      t: 'UnsubscribeOutcome',
      disposition: { t: 'RequestFailed', code: 'NOT_FOUND' },
      message: "session subscription 'w' does not exist",
      diagnostics: [{ message: "session subscription 'w' not found" }],
    });
  });

  test.each([
    ['relay_changed', 'RelayChanged', REBUILT],
    ['relay_removed', 'RelayRemoved', "relay 'r' in domain 'shop' does not exist any more"],
  ] as const)('CL-55: %s is the last frame and frees the name', async (reason, ending, message) => {
    const { client, read } = await open();
    const statement = 'CREATE SUBSCRIPTION w TO r;';
    const { subscription } = openedOf(await client.ask(subscribe(statement)));
    await read(0, { kind: 'ended', reason });
    expect(await client.find(({ t }) => t === 'SubscriptionEnded')).toEqual({
      t: 'SubscriptionEnded',
      subscription,
      reason: ending,
      message,
    });
    const again = openedOf(await client.ask(subscribe(statement)));
    expect(again.subscription.generation).toBe(2n);
  });

  test('the end of the session closes its sources', async () => {
    const { client, plane } = await open();
    await client.ask(subscribe('CREATE SUBSCRIPTION w TO r;'));
    await client.close();
    await expect.poll(() => plane.views.length, POLLED).toBe(2);
    expect(plane.views).toEqual(['begin w', 'close w']);
  });
});

describe('CL-21, CL-53: a BLOCKING subscription', () => {
  test('sends as many frames as its window, and more as they are granted', async () => {
    const { client, read } = await open();
    const request = subscribe('CREATE SUBSCRIPTION w TO r;', { window_frames: 2 });
    const { subscription } = openedOf(await client.ask(request));
    const reads = [1, 2, 3, 4].map((id) => read(0, rowsEvent(id)));
    await client.until(() => rowFrames(client).length === 2);
    await client.ask(LIST);
    expect(await isSettled(Promise.all(reads.slice(0, 2)))).toBe(true);
    expect(await isSettled(reads[2] ?? Promise.resolve())).toBe(false);
    client.grant({ t: 'GrantSubscriptionCredit', subscription, frames: 1 });
    await client.until(() => rowFrames(client).length === 3);
    // For one that is no more, it is for nobody.
    const stale = { ...subscription, generation: 7n };
    client.grant({ t: 'GrantSubscriptionCredit', subscription: stale, frames: 1 });
    await client.ask(LIST);
    expect(rowFrames(client)).toHaveLength(3);
    client.grant({ t: 'GrantSubscriptionCredit', subscription, frames: 1 });
    await Promise.all(reads);
    await client.until(() => rowFrames(client).length === 4);
    expect(rowFrames(client).map(({ rows }) => rows.at(-1))).toEqual([1, 2, 3, 4]);
  });

  test('one without credit holds up neither another nor replies', async () => {
    const { client, read } = await open();
    await client.ask(subscribe('CREATE SUBSCRIPTION a TO r;', { window_frames: 1 }));
    await client.ask(subscribe('CREATE SUBSCRIPTION b TO r;'));
    void read(0, rowsEvent(1));
    const held = read(0, rowsEvent(2));
    await read(1, rowsEvent(3));
    await client.until(() => rowFrames(client).length === 2);
    expect(await isSettled(held)).toBe(false);
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });
});

describe('CL-54: a DROPPING subscription', () => {
  const statement = 'CREATE SUBSCRIPTION w TO r DROPPING;';

  test('leaves rows out without credit, and tells how many before the next', async () => {
    const { client, read } = await open();
    const opened = await client.ask(subscribe(statement, { window_frames: 1 }));
    const { subscription } = openedOf(opened);
    for (const ids of [[1], [2, 3], [4]]) await read(0, rowsEvent(...ids));
    await read(0, { kind: 'lost', rowCount: 5 });
    client.grant({ t: 'GrantSubscriptionCredit', subscription, frames: 1 });
    await client.ask(LIST);
    await read(0, rowsEvent(6));
    await client.until(() => rowFrames(client).length === 2);
    const told = client.bodies.filter(({ t }) => t.startsWith('Subscription'));
    expect(told).toMatchObject([
      { t: 'SubscriptionRows', row_count: 1 },
      { t: 'SubscriptionDeliveryLost', dropped_rows: 8n },
      { t: 'SubscriptionRows', row_count: 1 },
    ]);
  });

  test('CL-55: tells what it left out before it tells that it ended', async () => {
    const { client, read } = await open();
    await client.ask(subscribe(statement, { window_frames: 1 }));
    for (const ids of [[1], [2, 3]]) await read(0, rowsEvent(...ids));
    await read(0, { kind: 'ended', reason: 'relay_removed' });
    await client.find(({ t }) => t === 'SubscriptionEnded');
    const told = client.bodies.filter(({ t }) => t.startsWith('Subscription'));
    expect(told).toMatchObject([
      { t: 'SubscriptionRows', row_count: 1 },
      { t: 'SubscriptionDeliveryLost', dropped_rows: 2n },
      { t: 'SubscriptionEnded' },
    ]);
  });

  test('CL-55: rows that a filter failed on are told before the end, too', async () => {
    const sent: string[] = [];
    const socket = {
      bufferedAmount: 1,
      send: (bytes: Uint8Array) => {
        const reading = readServerFrame(bytes, DEFAULT_FRAME_LIMITS);
        sent.push(reading.kind === 'frame' ? reading.frame.body.t : reading.message);
      },
    };
    const lanes = new OutboundLanes(socket, 0);
    const subject = { handle: { name: 'w', generation: 1n }, domain: 'shop', relay: 'r' };
    const settings = { delivery: 'DROPPING', windowFrames: undefined, frameBytes: 1_024 } as const;
    const subscription = new SessionSubscription(subject, lanes, settings, () => undefined);
    for (let frame = 0; frame < LANE_FRAMES_MAX; frame += 1) void subscription.read(rowsEvent(1));
    void subscription.read({ kind: 'skipped', rowCount: 3 });
    void subscription.read(rowsEvent(1));
    const ended = subscription.read({ kind: 'ended', reason: 'relay_removed' });
    socket.bufferedAmount = 0;
    await lanes.control(encodeServerFrame({ body: { t: 'DomainsObserved', domains: [] } }));
    await ended;
    expect(sent.slice(-3)).toEqual([
      'SubscriptionRowsSkipped',
      'SubscriptionDeliveryLost',
      'SubscriptionEnded',
    ]);
  });

  test('CL-19: replies pass rows of a peer that reads slowly', async () => {
    const { client, read } = await open();
    await client.ask(subscribe(statement));
    client.socket.pause();
    const bytes = new Uint8Array(200_000);
    for (let frame = 0; frame < 200; frame += 1) {
      await read(0, { kind: 'cells', rows: bytes, rowCount: 1, branchKey: null });
    }
    const reply = client.reply(client.send(LIST));
    client.socket.resume();
    expect(await reply).toMatchObject({ t: 'DomainList' });
    await client.until(() => rowFrames(client).length > 16);
    expect(rowFrames(client).length).toBeLessThan(200);
  });
});

test.each([
  [
    'a filter that failed',
    { kind: 'skipped', rowCount: 3 },
    'FilterFailed',
    "session subscription 'w' predicate failed on 3 row(s)",
  ],
  [
    'a row that no frame holds',
    { kind: 'cells', rows: new Uint8Array(5_000_000), rowCount: 1, branchKey: null },
    'EncodingFailed',
    "session subscription 'w' left out 1 row(s) that no frame can hold",
  ],
] as const)(
  'CL-52: %s is told, and the subscription stays open',
  async (_what, event, cause, message) => {
    const { client, read } = await open();
    await client.ask(subscribe('CREATE SUBSCRIPTION w TO r;'));
    await read(0, event);
    await read(0, rowsEvent(1));
    await client.until(() => rowFrames(client).length === 1);
    expect(client.bodies.find(({ t }) => t === 'SubscriptionRowsSkipped')).toMatchObject({
      cause,
      message,
    });
  },
);

test('CP-49, CL-42: a session with a transaction opens and closes no subscription', async () => {
  const { client, plane, read } = await open();
  const { subscription } = openedOf(await client.ask(subscribe('CREATE SUBSCRIPTION w TO r;')));
  attach(plane);
  await client.ask({ t: 'CommandRequest', query: 'BEGIN;', execution_reference: 'r' });
  const refusal = {
    disposition: { t: 'RequestFailed', code: 'NOT_QUEUEABLE' },
    message: 'session-scoped and client-local statements cannot be queued in a transaction',
  };
  expect(await client.ask(subscribe('CREATE SUBSCRIPTION v TO r;'))).toMatchObject(refusal);
  expect(await client.ask({ t: 'UnsubscribeRequest', subscription })).toMatchObject(refusal);
  // What was open before goes on.
  await read(0, rowsEvent(1));
  await client.until(() => rowFrames(client).length === 1);
});

/** Lets the next command begin a transaction. */
function attach(plane: FakeControlPlane): void {
  const status = { id: 't1', domain: 'shop', accepted_operations: 0, applied_operations: 0 };
  plane.onExecute = async () => ({
    kind: 'completed',
    outcome: {
      execution_reference: 'r',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message: '',
      diagnostics: [],
      transaction: { ...status, state: 'Open' },
    },
  });
  plane.onTransaction = () => ({
    kind: 'transaction',
    id: 't1',
    owner: identityOf('ada'),
    domain: 'shop',
    state: 'OPEN',
    operations: [],
    sourceBytes: 0,
    accepted: 0,
    applied: 0,
    preview: null,
    progress: null,
    error: null,
    createdAtMs: 0,
    activeAtMs: 0,
    deadlineMs: 0,
  });
}
