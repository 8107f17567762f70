import type { ClientRequest, ReplyBody, SubscriptionHandle } from '@nervix/protocol/session';
import {
  FakeSessionServer,
  type ServerSession,
  type SessionBehaviour,
  WELCOME,
} from './fake-session-server.js';
import { ModelNode } from './model-node.js';
import { openedReply, orderRows } from './row-frames.js';

/** Where a session may break: once for each frame in either direction, and for its opening. */
export type BreakPoint = 'ticket' | 'welcome' | 'received' | 'carried out' | 'answered';

/** How it breaks. */
const BREAKS = {
  cut: ({ socket }: ServerSession) => socket.terminate(),
  closed: ({ socket }: ServerSession) => socket.close(1011),
  ended: ({ send }: ServerSession) =>
    send({ t: 'SessionEnding', reason: { t: 'ServerShuttingDown' } }),
  garbage: ({ socket }: ServerSession) => socket.send(Buffer.from([0xc1, 0x00])),
  text: ({ socket }: ServerSession) => socket.send('text'),
  cropped: ({ socket }: ServerSession) => socket.send(Buffer.from([0x81, 0xa4, 0x62, 0x6f])),
} as const satisfies Record<string, (session: ServerSession) => void>;

export type BreakKind = keyof typeof BREAKS;
export const BREAK_KINDS = Object.keys(BREAKS) as readonly BreakKind[];

/** What happens at a point, or undefined for nothing. */
export type ChooseBreak = (point: BreakPoint) => BreakKind | undefined;

/** A node whose sessions break where they are told to. */
export async function startBreakingServer(
  choose: ChooseBreak,
): Promise<{ readonly node: ModelNode; readonly server: FakeSessionServer }> {
  const node = new ModelNode();
  /** Whether the session goes on. */
  const passes = (session: ServerSession, point: BreakPoint): boolean => {
    const kind = choose(point);
    if (kind === undefined) return true;
    BREAKS[kind](session);
    return false;
  };
  const broken = new WeakSet<ServerSession>();
  const behaviour: SessionBehaviour = {
    ticket: (_message, response) => {
      if (choose('ticket') !== undefined) response.destroy();
    },
    opened: (session) => {
      if (!passes(session, 'welcome')) broken.add(session);
      else session.send(WELCOME);
    },
    request: (session, id, request) => {
      if (broken.has(session)) return;
      if (!passes(session, 'received')) {
        broken.add(session);
        return;
      }
      const reply = answer(node, session, request);
      if (!passes(session, 'carried out')) {
        broken.add(session);
        return;
      }
      session.reply(id, reply);
      sendRows(session, request, [1, 2, 3]);
      if (passes(session, 'answered')) sendRows(session, request, [4]);
      else broken.add(session);
    },
    closed: (session, code) => {
      if (code === 1000) node.closeCleanly(session);
      else node.release(session);
    },
  };
  return { node, server: await FakeSessionServer.start(behaviour) };
}

function answer(node: ModelNode, session: ServerSession, request: ClientRequest): ReplyBody {
  switch (request.t) {
    case 'CommandRequest':
      return node.command(session, request);
    case 'AttachTransactionRequest':
      return node.attach(session, request.transaction_id);
    case 'SubscribeRequest':
      return openedReply(handleOf(request.statement));
    default:
      return { t: 'RequestRejected', rejection: 'UnsupportedRequest', message: request.t };
  }
}

function handleOf(statement: string): SubscriptionHandle {
  return { name: statement.split(' ')[2] ?? '', generation: 1n };
}

/** Rows that say of which session they are, if these are asked for. */
function sendRows(session: ServerSession, request: ClientRequest, rows: readonly number[]): void {
  if (request.t !== 'SubscribeRequest') return;
  for (const row of rows) {
    session.send(orderRows(handleOf(request.statement), [[BigInt(session.number), row]]));
  }
}
