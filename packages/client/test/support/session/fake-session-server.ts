import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { API_PATHS } from '@nervix/protocol';
import {
  type ClientGrant,
  type ClientRequest,
  DEFAULT_FRAME_LIMITS,
  encodeServerFrame,
  type ReplyBody,
  readClientFrame,
  type ServerBody,
} from '@nervix/protocol/session';
import { type WebSocket, WebSocketServer } from 'ws';

/** In PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A session as the server holds it. */
export interface ServerSession {
  readonly socket: WebSocket;
  /** Of all sessions of the server, from 1. */
  readonly number: number;
  send(body: ServerBody): void;
  reply(id: bigint, body: ReplyBody): void;
}

/** How the server behaves; what is left out is done in the ordinary way. */
export interface SessionBehaviour {
  /** Answers a ticket; by default it sells one. */
  readonly ticket?: (message: IncomingMessage, response: ServerResponse) => void;
  /** Any other request of the HTTP API. */
  readonly http?: (message: IncomingMessage, response: ServerResponse) => void;
  /** A session was admitted; by default it is welcomed. */
  readonly opened?: (session: ServerSession) => void;
  readonly request?: (session: ServerSession, id: bigint, request: ClientRequest) => void;
  readonly closed?: (session: ServerSession, code: number) => void;
}

/** First frame of a session at the leader. */
export const WELCOME: ServerBody = {
  t: 'LeadershipObserved',
  leadership: { t: 'LeaderIsServingNode', node: 'node-1' },
  feature_level: { session: 1, node: 1, activated: 1 },
  cluster: 'default',
};

/** Speaks the session protocol on loopback as the test says, and remembers what it was asked. */
export class FakeSessionServer implements AsyncDisposable {
  readonly requests: { readonly session: number; readonly request: ClientRequest }[] = [];
  readonly grants: ClientGrant[] = [];
  readonly authorizations: (string | undefined)[] = [];
  readonly closeCodes: number[] = [];
  readonly sessions: ServerSession[] = [];
  readonly #behaviour: SessionBehaviour;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #tickets = new Set<string>();
  readonly #scheme: 'http' | 'https';

  private constructor(
    behaviour: SessionBehaviour,
    certificate: ServerCertificate | undefined,
    frameBytesMax: number,
  ) {
    this.#behaviour = behaviour;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: frameBytesMax,
      handleProtocols: (offered) => (offered.has('nervix.msgpack') ? 'nervix.msgpack' : false),
    });
    const answer = (message: IncomingMessage, response: ServerResponse): void =>
      this.#answer(message, response);
    this.#scheme = certificate === undefined ? 'http' : 'https';
    this.#server =
      certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
    this.#server.on('upgrade', (message, socket, head) => {
      const ticket = new URL(message.url ?? '/', 'http://server').searchParams.get('ticket') ?? '';
      if (!this.#tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(message, socket, head, (opened) => this.#open(opened));
    });
  }

  /**
   * @param certificate of a server over TLS, for `localhost`
   * @param frameBytesMax bytes of the longest message that it takes
   */
  static async start(
    behaviour: SessionBehaviour = {},
    certificate?: ServerCertificate,
    frameBytesMax: number = DEFAULT_FRAME_LIMITS.frameBytes,
  ): Promise<FakeSessionServer> {
    const fake = new FakeSessionServer(behaviour, certificate, frameBytesMax);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    const host = this.#scheme === 'https' ? 'localhost' : '127.0.0.1';
    return `${this.#scheme}://${host}:${this.port}`;
  }

  /** Requests of one kind, in the order in which they came. */
  of<Tag extends ClientRequest['t']>(tag: Tag): Extract<ClientRequest, { t: Tag }>[] {
    return this.requests
      .map(({ request }) => request)
      .filter((request): request is Extract<ClientRequest, { t: Tag }> => request.t === tag);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.sessions) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(message: IncomingMessage, response: ServerResponse): void {
    if (message.url !== API_PATHS.tickets) {
      const { http = (_message, missing) => void missing.writeHead(404).end() } = this.#behaviour;
      http(message, response);
      return;
    }
    this.authorizations.push(message.headers.authorization);
    const { ticket } = this.#behaviour;
    if (ticket !== undefined) ticket(message, response);
    if (response.writableEnded || response.destroyed) return;
    const sold = `ticket-${this.authorizations.length}`;
    this.#tickets.add(sold);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ticket: sold }));
  }

  #open(socket: WebSocket): void {
    const send = (body: ServerBody): void => socket.send(encodeServerFrame({ body }));
    const session: ServerSession = {
      socket,
      number: this.sessions.length + 1,
      send,
      reply: (id, body) => send({ t: 'Reply', request_id: id, body }),
    };
    this.sessions.push(session);
    socket.on('error', () => undefined);
    socket.on('message', (bytes: Buffer) => this.#take(session, bytes));
    socket.on('close', (code) => {
      this.closeCodes.push(code);
      this.#behaviour.closed?.(session, code);
    });
    const { opened = ({ send: welcome }: ServerSession) => welcome(WELCOME) } = this.#behaviour;
    opened(session);
  }

  #take(session: ServerSession, bytes: Buffer): void {
    const reading = readClientFrame(bytes, DEFAULT_FRAME_LIMITS);
    if (reading.kind === 'grant') {
      this.grants.push(reading.grant);
      return;
    }
    if (reading.kind !== 'request') throw new Error(`the client sent ${reading.kind}`);
    const { request_id: id, request } = reading.frame;
    this.requests.push({ session: session.number, request });
    this.#behaviour.request?.(session, id, request);
  }
}

/** The outcome of a command that took effect. */
export function completedOutcome(
  request: Extract<ClientRequest, { t: 'CommandRequest' }>,
): ReplyBody {
  return {
    t: 'CommandOutcome',
    execution_reference: request.execution_reference,
    origin: 'Executed',
    disposition: { t: 'CommandCompleted', already_existed: false },
    message: `done: ${request.query}`,
    diagnostics: [],
  };
}
