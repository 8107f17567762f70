import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type FrameLimits, SESSION_SUBPROTOCOL } from '@nervix/protocol/session';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Authenticator } from '../auth/authenticator.js';
import type { SessionTickets } from '../auth/session-tickets.js';
import type { ControlPlane, Principal } from '../control-plane/control-plane.js';
import { sendBareRefusal } from '../http/bare-refusal.js';
import { type Refusal, refusal } from '../http/error-envelope.js';
import type { Logger } from '../logging/logger.js';
import type { SessionCounts } from '../observability/session-counts.js';
import { sentLimits } from './sent-limits.js';
import { Session, type SessionServices } from './session.js';
import { OBSERVATION_INTERVAL_MS, SessionObservations } from './session-observations.js';
import { SessionSocket } from './session-socket.js';
import { asksForSession, shownCredentials, upgradeRefusal } from './upgrade-request.js';

/** Settings of the sessions of a listener. */
export interface SessionEndpointOptions {
  readonly limits: FrameLimits;
  /** Whether clients that ask for it get compressed messages. */
  readonly hasCompression: boolean;
  /** Silence after which a peer is pinged; 0 for never. */
  readonly keepaliveMs: number;
  /** Time between looks at the leader and the domains. */
  readonly observationIntervalMs?: number;
  /** How long a peer may take to hear that its session ends before its connection is cut. */
  readonly closeGraceMs: number;
}

/** What an endpoint works with. */
export interface SessionEndpointParts {
  readonly controlPlane: ControlPlane;
  readonly authenticator: Authenticator;
  readonly tickets: SessionTickets;
  readonly logger: Logger;
  readonly counts: SessionCounts;
}

/** How a session is counted that was not let in. */
const OPERATION = 'openSession';

/** Turns requests for `GET /session` into sessions of the users that they authenticate. */
export class SessionEndpoint {
  readonly #parts: SessionEndpointParts;
  readonly #services: SessionServices;
  readonly #server: WebSocketServer;
  readonly #sessions = new Set<Session>();
  readonly #observations: SessionObservations;
  #isClosing = false;

  constructor(options: SessionEndpointOptions, parts: SessionEndpointParts) {
    const { controlPlane, logger, counts } = parts;
    const { limits, keepaliveMs, hasCompression, closeGraceMs: endingGraceMs } = options;
    this.#parts = parts;
    this.#services = { controlPlane, logger, counts, limits, keepaliveMs, endingGraceMs };
    this.#server = new WebSocketServer({
      noServer: true,
      // A peer that pings and does not read would be answered into memory.
      autoPong: false,
      clientTracking: false,
      maxPayload: limits.frameBytes,
      perMessageDeflate: hasCompression,
      handleProtocols: (names) => names.has(SESSION_SUBPROTOCOL) && SESSION_SUBPROTOCOL,
    });
    this.#observations = new SessionObservations(
      controlPlane,
      this.#sessions,
      sentLimits(limits),
      options.observationIntervalMs ?? OBSERVATION_INTERVAL_MS,
    );
    controlPlane.onUserRemoved((user) => this.#endOf(user));
  }

  /** Whether a request is one for this endpoint rather than an ordinary one. */
  static takes(request: IncomingMessage): boolean {
    return asksForSession(request);
  }

  /** Sessions that are open. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Takes the upgrades of a server. */
  attachTo(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      // Whatever happens to a connection that is no session yet concerns nobody.
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head);
    });
  }

  /** Lets nobody in any more, tells every session that the node stops, and ends it. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#observations.stop();
    const sessions = [...this.#sessions];
    for (const session of sessions) void session.end({ t: 'ServerShuttingDown' });
    await Promise.all(sessions.map((session) => session.over));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const fault = asksForSession(request)
      ? upgradeRefusal(request)
      : refusal('NOT_FOUND', 'there is no WebSocket under this path');
    if (fault !== undefined) return this.#refuse(socket, fault);
    const admission = await this.#authenticate(request);
    if (socket.destroyed) return undefined;
    if ('error' in admission) return this.#refuse(socket, admission);
    // Whoever was dropped while the credentials were looked at is another than has the name now.
    if (!this.#parts.authenticator.knows(admission)) return this.#refuse(socket, UNKNOWN_USER);
    if (this.#isClosing) {
      return this.#refuse(socket, refusal('SERVER_BUSY', 'the server is shutting down'));
    }
    // The HTTP server of this process hands out sockets of its own.
    const transport = socket as Socket;
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      this.#open(webSocket, transport, admission),
    );
    return undefined;
  }

  async #authenticate(request: IncomingMessage): Promise<Principal | Refusal> {
    const { authenticator, tickets } = this.#parts;
    const credentials = shownCredentials(request);
    if (credentials.kind === 'ticket') return tickets.redeem(credentials.ticket) ?? UNKNOWN_USER;
    const result = await authenticator.authenticate(credentials.authorization);
    switch (result.kind) {
      case 'authenticated':
        return result.principal;
      case 'busy':
        return refusal('SERVER_BUSY', 'too many sign-ins at once');
      case 'rejected':
        return UNKNOWN_USER;
    }
  }

  #refuse(socket: Duplex, answer: Refusal): void {
    this.#services.counts.answered(OPERATION, answer.error.code);
    const headers: string[] = [];
    if (answer.status === 401) headers.push('WWW-Authenticate: Basic realm="Nervix"');
    if (answer.status === 503) headers.push('Retry-After: 1');
    sendBareRefusal(socket, answer, headers);
  }

  #open(webSocket: WebSocket, transport: Socket, principal: Principal): void {
    const { counts, logger } = this.#parts;
    const socket = new SessionSocket(webSocket, transport);
    const session = new Session(socket, principal, this.#services);
    webSocket.on('message', (message, isBinary) => {
      // The server asks for messages in one piece.
      session.receive(message as Buffer, isBinary);
    });
    webSocket.on('error', (error) => {
      logger.debug('a session failed', { user: principal.user, reason: error.message });
    });
    webSocket.on('ping', (text) => socket.pong(text, this.#services.limits.frameBytes));
    webSocket.on('close', (code) => {
      counts.sessionClosed();
      session.closed(code);
    });
    counts.sessionOpened();
    counts.answered(OPERATION, 'COMPLETED');
    this.#observations.greet(session);
    this.#sessions.add(session);
    void session.over.then(() => this.#sessions.delete(session));
  }

  #endOf(user: string): void {
    this.#parts.tickets.revoke(user);
    for (const session of this.#sessions) {
      if (session.user !== user) continue;
      void session.end({ t: 'ProtocolViolated', message: `user '${user}' was dropped` });
    }
  }
}

const UNKNOWN_USER: Refusal = refusal(
  'UNAUTHENTICATED',
  'a valid user name and password are required',
);
