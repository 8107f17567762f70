import { DEFAULT_FRAME_LIMITS, encodeClientFrame } from '@nervix/protocol/session';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true });
const pack = (value: unknown): Uint8Array => packr.pack(value);
const LIST = { t: 'ListDomainsRequest' } as const;

async function open(): Promise<SessionClient> {
  const { port } = await startSession();
  return SessionClient.connect(port);
}

describe('CL-9: what is no frame ends the connection', () => {
  test.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array()],
    ['a byte that begins no value', Uint8Array.of(0xc1)],
    ['an extension type', pack(new Date(0))],
    ['a scalar', pack(1)],
    ['two frames', Buffer.concat([pack({ request_id: 1, request: LIST }), pack(1)])],
    ['a frame that is cut short', pack({ request_id: 1, request: LIST }).subarray(0, -1)],
    ['a text that is no UTF-8', Uint8Array.of(0x81, 0xa1, 0xff, 0x01)],
    ['an announced length without bytes', Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['values nested too deep', new Uint8Array(200).fill(0x91)],
    ['an undeclared field of the envelope', pack({ request_id: 1, request: LIST, more: 1 })],
    ['no request', pack({ request_id: 1 })],
    ['an undeclared tag', pack({ request_id: 1, request: { t: 'SelfDestructRequest' } })],
    ['a request without a tag', pack({ request_id: 1, request: {} })],
  ])('%s: close 1007', async (_what, bytes) => {
    const client = await open();
    client.socket.send(bytes);
    expect((await client.closed).code).toBe(1007);
  });

  test('a text message: close 1003', async () => {
    const client = await open();
    client.socket.send('{"request_id":1}');
    expect((await client.closed).code).toBe(1003);
  });

  test('CL-14: a message above the frame limit: close 1009', async () => {
    const frameLimits = { ...DEFAULT_FRAME_LIMITS, frameBytes: 1_024 };
    const { port } = await startSession({ listener: { frameLimits } });
    const client = await SessionClient.connect(port);
    client.socket.send(new Uint8Array(1_025));
    expect((await client.closed).code).toBe(1009);
  });

  test('CL-3: compression is off unless asked for, and bounds what it unpacks to', async () => {
    const plain = await open();
    expect(plain.socket.extensions).toBe('');
    const { port } = await startSession({ listener: { hasCompression: true } });
    const packed = await SessionClient.connect(port, { options: { perMessageDeflate: true } });
    expect(packed.socket.extensions).toContain('permessage-deflate');
    expect(await packed.ask(LIST)).toMatchObject({ t: 'DomainList' });
    packed.socket.send(new Uint8Array(DEFAULT_FRAME_LIMITS.frameBytes + 1));
    expect((await packed.closed).code).toBe(1009);
  });

  test.each<[string, unknown]>([
    ['is absent', { request: LIST }],
    ['is zero', { request_id: 0, request: LIST }],
    ['is negative', { request_id: -1, request: LIST }],
    ['is a text', { request_id: '1', request: LIST }],
  ])(
    'CL-16: a request id that %s ends the session by word, with close 1000',
    async (_what, frame) => {
      const client = await open();
      client.socket.send(pack(frame));
      const ending = await client.find(({ t }) => t === 'SessionEnding');
      expect(ending).toMatchObject({ reason: { t: 'ProtocolViolated' } });
      expect((await client.closed).code).toBe(1000);
    },
  );

  test('CL-9: no bytes whatever make the server fail', async () => {
    const { port, logLines } = await startSession();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        const client = await SessionClient.connect(port);
        client.socket.send(bytes);
        const { code } = await client.closed;
        expect([1000, 1007]).toContain(code);
      }),
      { numRuns: 60 },
    );
    const client = await SessionClient.connect(port);
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
    expect(logLines.filter((line) => line.includes('"error"'))).toEqual([]);
  });
});

describe('CL-24: what a request gets wrong is answered in the session', () => {
  const command = { t: 'CommandRequest', query: 'START;', execution_reference: 'a' };

  test.each<[string, object, string]>([
    ['a missing field', { t: 'CommandRequest', query: 'START;' }, 'execution_reference'],
    ['an empty field', { ...command, query: '' }, 'query'],
    ['a null for an absent field', { ...command, domain: null }, 'domain'],
    ['an undeclared field', { ...command, urgent: true }, 'urgent'],
    [
      'a reference of another form',
      { ...command, execution_reference: 'a b' },
      'execution_reference',
    ],
    [
      'a negative position',
      { ...command, expected_transaction_position: -1 },
      'expected_transaction_position',
    ],
    [
      'a digest of another length',
      {
        ...command,
        expected_preview: { transaction_id: 'x', position: 0, planning_basis: Buffer.alloc(31) },
      },
      'expected_preview.planning_basis',
    ],
    [
      'an undeclared tag inside',
      { t: 'InspectTransactionRequest', target: { t: 'Nothing' } },
      'target.t',
    ],
    [
      'a page that is too large',
      { t: 'SuggestRequest', input: '', cursor: 0, page_size: 101 },
      'page_size',
    ],
    [
      'a cursor behind the text',
      { t: 'SuggestRequest', input: 'a', cursor: 2, page_size: 1 },
      'cursor',
    ],
    [
      'a cursor within a character',
      { t: 'SuggestRequest', input: 'ä', cursor: 1, page_size: 1 },
      'cursor',
    ],
  ])('%s', async (_what, request, field) => {
    const client = await open();
    client.socket.send(pack({ request_id: 7, request }));
    const reply = await client.reply(7n);
    expect(reply).toMatchObject({ t: 'RequestRejected', rejection: 'InvalidRequest', field });
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });

  test('CL-9: a map that holds a key twice is no frame', async () => {
    const client = await open();
    const frame = Buffer.from(encodeClientFrame({ request_id: 1n, request: LIST }));
    const key = Buffer.from([0xa1, 0x74, ...frame.subarray(-19)]);
    const at = frame.length - 21;
    const doubled = Buffer.concat([frame.subarray(0, at - 1), Buffer.of(0x82), key, key]);
    client.socket.send(doubled);
    expect((await client.closed).code).toBe(1007);
  });

  test.each([
    { t: 'ReadOperationRequest', execution_reference: 'a' },
    { t: 'AttachDomainClockRequest', domain: 'shop' },
    { t: 'CloseEmitterRequest', consumer: 3 },
  ])('CP-134: $t is declared and not served', async (request) => {
    const client = await open();
    client.socket.send(pack({ request_id: 3, request }));
    expect(await client.reply(3n)).toEqual({
      t: 'RequestRejected',
      rejection: 'UnsupportedRequest',
      message: `${request.t} is not supported by this release`,
    });
  });

  test.each([
    ['deadline_ns', { deadline_ns: 5n }],
    ['trace', { trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
  ])('CP-134: the field %s is refused by name', async (field, extra) => {
    const client = await open();
    const reply = await client.ask({
      t: 'CommandRequest',
      query: 'START;',
      execution_reference: 'a',
      ...extra,
    });
    expect(reply).toMatchObject({ t: 'RequestRejected', rejection: 'UnsupportedValue', field });
  });
});

describe('CL-14, CL-15: a server with larger limits than its clients have', () => {
  const MIB = 1_048_576;
  const frameLimits = {
    ...DEFAULT_FRAME_LIMITS,
    frameBytes: 8 * MIB,
    transferBytes: 128 * MIB,
    stringBytes: 128 * MIB,
  };
  const command = { t: 'CommandRequest', query: 'START;', execution_reference: 'r' } as const;

  async function ask(messageBytes: number) {
    const { port, plane } = await startSession({ listener: { frameLimits } });
    const outcome = {
      execution_reference: 'r',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message: 'x'.repeat(messageBytes),
      diagnostics: [],
    } as const;
    plane.onExecute = async () => ({ kind: 'completed', outcome });
    const client = await SessionClient.connect(port);
    return { client, reply: await client.ask(command) };
  }

  test('sends a reply in parts that these can read', async () => {
    const { client, reply } = await ask(5 * MIB);
    expect(reply).toMatchObject({ t: 'CommandOutcome', message: 'x'.repeat(5 * MIB) });
    // The leader, the domains, and two parts.
    expect(client.frames).toBe(4);
  });

  test('refuses a reply that these would not gather', async () => {
    const { reply } = await ask(DEFAULT_FRAME_LIMITS.transferBytes);
    expect(reply).toMatchObject({ t: 'RequestRejected', rejection: 'ReplyTooLarge' });
  });

  test('leaves out rows that these could not read', async () => {
    const { port, plane } = await startSession({ listener: { frameLimits } });
    const client = await SessionClient.connect(port);
    await client.ask({
      t: 'SubscribeRequest',
      domain: 'shop',
      statement: 'CREATE SUBSCRIPTION w TO orders;',
      subscription_type: 'Row',
    });
    const [subscribed] = plane.subscribed;
    expect(subscribed?.request.cellBytes).toBe(DEFAULT_FRAME_LIMITS.frameBytes - 512);
    const rows = new Uint8Array(5 * MIB);
    void subscribed?.reader({ kind: 'cells', rows, rowCount: 1, branchKey: null });
    const told = await client.find(({ t }) => t.startsWith('SubscriptionRows'));
    expect(told).toMatchObject({ t: 'SubscriptionRowsSkipped', cause: 'EncodingFailed' });
  });
});
