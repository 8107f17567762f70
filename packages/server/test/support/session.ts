import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { Authenticator } from '../../src/auth/authenticator.ts';
import type { ControlPlane } from '../../src/control-plane/control-plane.ts';
import {
  createSessionListener,
  type SessionListener,
  type SessionListenerOptions,
} from '../../src/http/session-listener.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { SessionCounts } from '../../src/observability/session-counts.ts';
import { FakeControlPlane } from './fake-control-plane.ts';
import { storedUser } from './users.ts';

/** `Authorization` of the one user that the fake control plane knows. */
export const AUTHORIZATION = `Basic ${Buffer.from('ada:right').toString('base64')}`;

/** A listening session listener over a fake control plane. */
export interface Session {
  readonly listener: SessionListener;
  readonly plane: FakeControlPlane;
  readonly origin: string;
  readonly port: number;
  readonly logLines: string[];
  readonly counts: SessionCounts;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Opens a GET and gives the response as soon as its head is there. */
  open(path: string, headers?: Record<string, string>): Promise<IncomingMessage>;
  /** A bare connection. */
  connect(): Promise<Socket>;
}

export interface SessionSetup {
  readonly listener?: Partial<SessionListenerOptions>;
  readonly authenticator?: Authenticator;
}

/** Starts a session listener that ends with the test. */
export async function startSession(setup: SessionSetup = {}): Promise<Session> {
  const plane = new FakeControlPlane();
  const logLines: string[] = [];
  const counts = new SessionCounts();
  const authenticator =
    setup.authenticator ??
    new Authenticator({
      user: (name) => plane.user(name),
      verify: async (hash, password) => hash === `hash of ${password}`,
    });
  const listener = createSessionListener(
    { address: { host: '127.0.0.1', port: 0 }, counts, closeGraceMs: 100, ...setup.listener },
    plane,
    authenticator,
    createLogger({
      level: 'trace',
      format: 'json',
      node: 'n',
      write: (line) => logLines.push(line),
    }),
  );
  const { port } = await listener.listen();
  onTestFinished(() => listener.close());
  const origin = `http://127.0.0.1:${port}`;
  const authorized = (headers: RequestInit['headers'] = {}): Headers => {
    const all = new Headers(headers);
    if (!all.has('authorization')) all.set('authorization', AUTHORIZATION);
    return all;
  };
  const fetchPath = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${origin}${path}`, { ...init, headers: authorized(init.headers) });
  return {
    listener,
    plane,
    origin,
    port,
    logLines,
    counts,
    fetch: fetchPath,
    post: (body, headers = {}) =>
      fetchPath('/api/v1/commands', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    open: (path, headers = {}) =>
      new Promise((resolve, reject) => {
        httpRequest(`${origin}${path}`, { headers: { authorization: AUTHORIZATION, ...headers } })
          .on('response', resolve)
          .on('error', reject)
          .end();
      }),
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
        onTestFinished(() => void socket.destroy());
      }),
  };
}

/** Users that every password of the form `right` lets in, for listeners over a real control plane. */
const USERS = ['ada', 'bob'];

/** `Authorization` of a user of {@link listenOver}. */
export function authorizationOf(user: string): string {
  return `Basic ${Buffer.from(`${user}:right`).toString('base64')}`;
}

/** A session listener over a control plane; it ends with the test. */
export async function listenOver(
  plane: ControlPlane,
  options: Partial<SessionListenerOptions> = {},
): Promise<{ readonly port: number; readonly listener: SessionListener }> {
  const authenticator = new Authenticator({
    user: (name) => (USERS.includes(name) ? storedUser(name, 'hash') : undefined),
    verify: async (_hash, password) => password === 'right',
  });
  const counts = new SessionCounts();
  const address = { host: '127.0.0.1', port: 0 };
  const logger = createLogger({ level: 'off', format: 'json', node: 'n' });
  const listener = createSessionListener(
    { address, counts, closeGraceMs: 100, ...options },
    plane,
    authenticator,
    logger,
  );
  const { port } = await listener.listen();
  onTestFinished(() => listener.close());
  return { port, listener };
}

/** All bytes that arrive until the other side ends the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) text += String(chunk);
  return text;
}
