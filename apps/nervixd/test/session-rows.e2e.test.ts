import {
  type ClientRequest,
  DEFAULT_FRAME_LIMITS,
  encodeClientFrame,
  type ReplyBody,
  type RowSchema,
  readRows,
  readServerFrame,
  SESSION_SUBPROTOCOL,
  type ServerBody,
} from '@nervix/protocol/session';
import { eventually } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { PASSWORD, type ScratchNode, scratchNode } from './support/scratch-node.ts';

/** A session without a client library. */
class BareSession {
  readonly bodies: ServerBody[] = [];
  readonly #socket: WebSocket;
  #lastId = 0n;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      const reading = readServerFrame(new Uint8Array(data as ArrayBuffer), DEFAULT_FRAME_LIMITS);
      if (reading.kind === 'invalid') throw new Error(reading.message);
      this.bodies.push(reading.frame.body);
    });
  }

  static async open({ node }: ScratchNode): Promise<BareSession> {
    const auth = encodeURIComponent(Buffer.from(`default:${PASSWORD}`).toString('base64'));
    const address = `${node.addresses.session.replace(/^http/, 'ws')}/session?auth=${auth}`;
    const socket = new WebSocket(address, SESSION_SUBPROTOCOL);
    const session = new BareSession(socket);
    onTestFinished(() => socket.close());
    await session.until('the session opens', ({ t }) => t === 'DomainsObserved');
    return session;
  }

  async ask(request: ClientRequest): Promise<ReplyBody> {
    this.#lastId += 1n;
    const id = this.#lastId;
    this.#socket.send(encodeClientFrame({ request_id: id, request }));
    const isReply = (body: ServerBody): boolean => body.t === 'Reply' && body.request_id === id;
    const body = await this.until(`${request.t} is answered`, isReply);
    if (body.t !== 'Reply') throw new Error('no reply');
    return body.body;
  }

  async until(what: string, fits: (body: ServerBody) => boolean): Promise<ServerBody> {
    const found = await eventually(
      what,
      () => this.bodies.find(fits),
      (body) => body !== undefined,
    );
    if (found === undefined) throw new Error(what);
    return found;
  }

  async subscribe(statement: string): Promise<RowSchema> {
    const reply = await this.ask({
      t: 'SubscribeRequest',
      domain: 'shop',
      statement,
      subscription_type: 'Row',
      window_frames: 256,
    });
    if (reply.t === 'SubscribeOutcome' && reply.disposition.t === 'SubscriptionOpened') {
      return reply.disposition.schema;
    }
    throw new Error(JSON.stringify(reply));
  }

  /** Every row that came, decoded. */
  rows(schema: RowSchema): readonly (readonly unknown[])[] {
    return this.bodies.flatMap((body) => {
      if (body.t !== 'SubscriptionRows') return [];
      const reading = readRows(body, schema);
      if (reading.kind === 'invalid') throw new Error(reading.message);
      return reading.rows;
    });
  }
}

async function deployed(): Promise<ScratchNode & { session: BareSession }> {
  const scratch = await scratchNode();
  await scratch.client.deploy('shop', INTAKE);
  return { ...scratch, session: await BareSession.open(scratch) };
}

describe('CL-50…CL-59: rows over a session', () => {
  test('come as exact cells of the schema that the reply told', async () => {
    const { client, session } = await deployed();
    const schema = await session.subscribe('CREATE SUBSCRIPTION w TO events;');
    expect(schema.fields).toEqual([
      { name: 'id', type: { t: 'I64' }, nullable: false, sensitive: false },
      { name: 'tenant', type: { t: 'String' }, nullable: false, sensitive: false },
      { name: 'amount', type: { t: 'I32' }, nullable: true, sensitive: false },
    ]);
    await client.post('/events', '{"id":9223372036854775807,"tenant":"ü ✈","amount":-5}');
    await client.post('/events', '{"id":9007199254740993,"tenant":""}');
    await eventually(
      'two rows come',
      () => session.rows(schema),
      (rows) => rows.length === 2,
    );
    expect(session.rows(schema)).toEqual([
      [9223372036854775807n, 'ü ✈', -5],
      [9007199254740993n, '', null],
    ]);
  });

  test('those that the condition selects, and a condition that is none is refused', async () => {
    const { client, session } = await deployed();
    const schema = await session.subscribe('CREATE SUBSCRIPTION w TO events WHERE input.id > 1;');
    for (const id of [1, 2, 3]) await client.post('/events', `{"id":${id},"tenant":"t"}`);
    await eventually(
      'two rows come',
      () => session.rows(schema),
      (rows) => rows.length === 2,
    );
    expect(session.rows(schema).map(([id]) => id)).toEqual([2n, 3n]);
    const refused = await session.ask({
      t: 'SubscribeRequest',
      domain: 'shop',
      statement: 'CREATE SUBSCRIPTION v TO events WHERE input.nothing = 1;',
      subscription_type: 'Row',
    });
    expect(refused).toMatchObject({
      disposition: { t: 'RequestFailed', code: 'INVALID_MODEL' },
      message: expect.stringMatching(/^failed to compile session subscription 'v': /),
    });
  });

  test('CL-55: end when the relay is another one, before any row of it', async () => {
    const { client, session } = await deployed();
    await session.subscribe('CREATE SUBSCRIPTION w TO events;');
    const alterations = [
      'ALTER SCHEMA event ADD FIELD later I64 OPTIONAL;',
      'ALTER WIRE JSON SCHEMA event_json ADD FIELD later INTEGER OPTIONAL;',
    ];
    await client.run(`BEGIN; ${alterations.join(' ')} COMMIT;`, { domain: 'shop' });
    expect(await session.until('it ends', ({ t }) => t === 'SubscriptionEnded')).toMatchObject({
      subscription: { name: 'w', generation: 1n },
      reason: 'RelayChanged',
    });
  });

  test('CL-104: a stop of the node is the last word of every session', async () => {
    const { node, session } = await deployed();
    await session.subscribe('CREATE SUBSCRIPTION w TO events;');
    await node.stop();
    expect(session.bodies.at(-1)).toEqual({
      t: 'SessionEnding',
      reason: { t: 'ServerShuttingDown' },
    });
  });
});
