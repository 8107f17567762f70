import type { ReplyBody } from '@nervix/protocol/session';
import { DEFAULT_FRAME_LIMITS } from '@nervix/protocol/session';
import { pack } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import type { FakeControlPlane } from '../support/fake-control-plane.ts';
import { startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';

const LIST = { t: 'ListDomainsRequest' } as const;
const COMMAND = { t: 'CommandRequest', query: 'START;', execution_reference: 'r' } as const;
const limits = { ...DEFAULT_FRAME_LIMITS, frameBytes: 4_096, transferBytes: 65_536 };

interface Case {
  readonly client: SessionClient;
  readonly plane: FakeControlPlane;
}

/** A request whose shape the client's own encoder would refuse. */
function sendRaw({ client }: Case, request: object): Promise<ReplyBody> {
  client.socket.send(pack({ request_id: 700, request }));
  return client.reply(700n);
}

/** Leaves commands in flight that end when the test does. */
function hold({ client, plane }: Case, count: number): void {
  plane.onExecute = () => new Promise(() => undefined);
  for (let index = 0; index < count; index += 1) client.send(COMMAND, BigInt(900 + index));
}

const REJECTIONS: readonly (readonly [string, (given: Case) => Promise<ReplyBody>])[] = [
  ['InvalidRequest', (given) => sendRaw(given, { ...COMMAND, query: 5 })],
  ['UnsupportedRequest', (given) => sendRaw(given, { t: 'CloseEmitterRequest', consumer: 3 })],
  ['UnsupportedValue', ({ client }) => client.ask({ ...COMMAND, deadline_ns: 5n })],
  [
    'DuplicateRequestId',
    (given) => {
      hold(given, 1);
      given.client.send(COMMAND, 900n);
      return given.client.reply(900n);
    },
  ],
  [
    'TooManyRequestsInFlight',
    (given) => {
      hold(given, 64);
      return given.client.ask(COMMAND);
    },
  ],
];

describe('CP-134: a request that is rejected', () => {
  test.each(REJECTIONS)('%s is not served, and the session stays open', async (rejection, ask) => {
    const { port, plane } = await startSession({ listener: { frameLimits: limits } });
    const client = await SessionClient.connect(port, { limits });
    const reply = await ask({ client, plane });
    expect(reply).toMatchObject({ t: 'RequestRejected', rejection, message: expect.any(String) });
    const isHolding = plane.executed.length > 0;
    expect(plane.executed.length, 'at most what was in flight before').toBe(Number(isHolding));
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    if (rejection === 'TooManyRequestsInFlight') return;
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });

  test('ReplyTooLarge and ServerBusy come instead of a reply, and the session stays open', async () => {
    const { port, plane } = await startSession({ listener: { frameLimits: limits } });
    const client = await SessionClient.connect(port, { limits });
    plane.onExecute = async () => ({
      kind: 'failed',
      error: { code: 'INTERNAL', message: 'x'.repeat(70_000), diagnostics: [] },
    });
    const long = await client.ask(COMMAND);
    expect(long).toMatchObject({ t: 'RequestRejected', rejection: 'ReplyTooLarge' });
    plane.suggest = () => {
      throw new Error('no memory');
    };
    const failed = await client.ask({ t: 'SuggestRequest', input: '', cursor: 0, page_size: 1 });
    expect(failed).toMatchObject({ t: 'RequestRejected', rejection: 'ServerBusy' });
    expect(
      JSON.stringify(failed, (_, value) => String(value)),
      'no cause of ours',
    ).not.toContain('no memory');
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });
});
