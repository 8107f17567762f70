import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_FRAME_LIMITS, type FrameLimits } from '@nervix/protocol/session';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Authenticator } from '../auth/authenticator.js';
import { SessionTickets } from '../auth/session-tickets.js';
import type { ControlPlane } from '../control-plane/control-plane.js';
import type { Logger } from '../logging/logger.js';
import type { SessionCounts } from '../observability/session-counts.js';
import {
  isLoopbackHost,
  type ListenAddress,
  printListenAddress,
} from '../options/listen-address.js';
import { SessionEndpoint } from '../session/session-endpoint.js';
import { addBodyDeadline } from './body-deadline.js';
import { answerClientFault } from './client-fault.js';
import { frameworkRefusal, internalFault, refusal, sendRefusal } from './error-envelope.js';
import { commandsPlugin } from './plugins/commands.js';
import { descriptionPlugin } from './plugins/description.js';
import { domainsPlugin } from './plugins/domains.js';
import { rowsPlugin } from './plugins/rows.js';
import { secretsPlugin } from './plugins/secrets.js';
import { ticketsPlugin } from './plugins/tickets.js';
import { transactionsPlugin } from './plugins/transactions.js';
import { uploadsPlugin } from './plugins/uploads.js';
import { countRequests, NO_OPERATION } from './request-counting.js';
import { PRINCIPAL, type SessionContext } from './session-context.js';

/** Settings of a session listener. */
export interface SessionListenerOptions {
  readonly address: ListenAddress;
  /** Told of each connection and of what each request got. */
  readonly counts: SessionCounts;
  readonly bodyBytesMax?: number;
  /** Longest wait for a request's headers. */
  readonly headersTimeoutMs?: number;
  /** Longest wait for a whole body, and of an upload for its next bytes. */
  readonly requestTimeoutMs?: number;
  /** Time between signs of life on a row stream: comments of events, empty lines of NDJSON. */
  readonly commentIntervalMs?: number;
  /** Bounds of what sessions read. */
  readonly frameLimits?: FrameLimits;
  /** Whether sessions are compressed for clients that ask for it. */
  readonly hasCompression?: boolean;
  /** Silence after which a session's peer is pinged; 0 for never. */
  readonly keepaliveMs?: number;
  /** How long a close waits for answers under way before it cuts their connections. */
  readonly closeGraceMs?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** One method and path of the API. */
export interface SessionRoute {
  readonly method: string;
  /** Path with `{name}` for its parameters. */
  readonly path: string;
}

/** The listener that carries the HTTP API. */
export interface SessionListener {
  /** What is served. */
  routes(): Promise<readonly SessionRoute[]>;
  /** Binds and starts to answer. Rejects when the address cannot be bound. */
  listen(): Promise<ListenAddress>;
  /** Refuses new requests, ends row streams, and closes all connections. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const TIMEOUT_CHECK_MS = 1_000;
const COMMENT_INTERVAL_MS = 15_000;
const CLOSE_GRACE_MS = 2_000;
const KEEPALIVE_MS = 20_000;
/** A name has at most 128 characters; percent-encoding makes three of each. */
const PARAMETER_LENGTH_MAX = 512;
const METHODS: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
];

interface BuiltApp {
  readonly app: FastifyInstance;
  readonly routes: readonly SessionRoute[];
}

/** Makes the session listener over the control plane. It does not listen yet. */
export function createSessionListener(
  options: SessionListenerOptions,
  controlPlane: ControlPlane,
  authenticator: Authenticator,
  logger: Logger,
): SessionListener {
  const tickets = new SessionTickets();
  const closeGraceMs = options.closeGraceMs ?? CLOSE_GRACE_MS;
  const context: SessionContext = {
    controlPlane,
    tickets,
    logger,
    commentIntervalMs: options.commentIntervalMs ?? COMMENT_INTERVAL_MS,
    rowResponses: new Set(),
    counts: options.counts,
    now: options.now ?? Date.now,
  };
  const sessions = new SessionEndpoint(
    {
      limits: options.frameLimits ?? DEFAULT_FRAME_LIMITS,
      hasCompression: options.hasCompression ?? false,
      keepaliveMs: options.keepaliveMs ?? KEEPALIVE_MS,
      closeGraceMs,
    },
    { controlPlane, authenticator, tickets, logger, counts: options.counts },
  );
  let isClosing = false;
  let built: Promise<BuiltApp> | undefined;
  const build = (): Promise<BuiltApp> => {
    built ??= buildApp(options, context, (app) => addGate(app, authenticator, () => isClosing));
    return built;
  };
  return {
    routes: async () => (await build()).routes,
    listen: async () => {
      const { app } = await build();
      sessions.attachTo(app.server);
      return listen(app, options.address, logger);
    },
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      if (built === undefined) return sessions.close();
      const { app } = await built;
      await Promise.all([sessions.close(), closeApp(app, context, closeGraceMs)]);
    },
  };
}

async function buildApp(
  options: SessionListenerOptions,
  context: SessionContext,
  guard: (app: FastifyInstance) => void,
): Promise<BuiltApp> {
  const bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX;
  const app = await createApp(options, bodyBytesMax);
  countRequests(app, options.counts);
  addBodyDeadline(app, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS, options.counts);
  guard(app);
  addErrorAnswers(app, bodyBytesMax, context.logger);
  const collected = collectRoutes(app);
  await app.register(commandsPlugin, context);
  await app.register(domainsPlugin, context);
  await app.register(rowsPlugin, context);
  await app.register(uploadsPlugin, context);
  await app.register(secretsPlugin, context);
  await app.register(ticketsPlugin, context);
  await app.register(transactionsPlugin, context);
  await app.register(descriptionPlugin);
  const served = [...collected];
  refuseOtherMethods(app, served);
  const routes = served.map(({ method, path }) => ({
    method,
    path: path.replace(/:([a-z]+)/g, '{$1}'),
  }));
  return { app, routes };
}

async function createApp(
  options: SessionListenerOptions,
  bodyBytesMax: number,
): Promise<FastifyInstance> {
  // The framework is the largest part of the server's code: load it only to serve.
  const { fastify } = await import('fastify');
  return fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    http: {
      // Bodies have deadlines of their own.
      requestTimeout: 0,
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAlive: true,
      // Another protocol that a client offers on the way is none of ours.
      shouldUpgradeCallback: (request: IncomingMessage) => SessionEndpoint.takes(request),
    },
    ajv: {
      // A request means what it says: nothing is converted, dropped or filled in.
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false },
    },
    clientErrorHandler: (error, socket) => {
      const answer = answerClientFault(error, socket);
      if (answer !== undefined) options.counts.answered(NO_OPERATION, answer.error.code);
    },
    frameworkErrors: (error, _request, reply) => {
      const answer = frameworkRefusal(error, bodyBytesMax) ?? internalFault();
      // Such a request passes no hook.
      options.counts.answered(NO_OPERATION, answer.error.code);
      // Typed for any route; what is sent here belongs to none.
      void sendRefusal(reply as unknown as FastifyReply, answer);
    },
  });
}

/** Lets through requests of known users while the listener is open, before a body is read. */
function addGate(
  app: FastifyInstance,
  authenticator: Authenticator,
  isClosing: () => boolean,
): void {
  app.decorateRequest(PRINCIPAL, null);
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept for a next request would hold up the close.
    if (isClosing()) reply.header('connection', 'close');
  });
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (isClosing()) {
      return sendRefusal(reply, refusal('SERVER_BUSY', 'the server is shutting down'));
    }
    const result = await authenticator.authenticate(request.headers.authorization);
    switch (result.kind) {
      case 'authenticated':
        request.setDecorator(PRINCIPAL, result.principal);
        return;
      case 'busy':
        return sendRefusal(reply, refusal('SERVER_BUSY', 'too many sign-ins at once'));
      case 'rejected':
        reply.header('www-authenticate', 'Basic realm="Nervix"');
        return sendRefusal(
          reply,
          refusal('UNAUTHENTICATED', 'a valid user name and password are required'),
        );
    }
  });
}

function addErrorAnswers(app: FastifyInstance, bodyBytesMax: number, logger: Logger): void {
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(reply, refusal('NOT_FOUND', `there is no ${request.method} under this path`)),
  );
  app.setErrorHandler<Error & { code: string }>((error, request, reply) => {
    const answer = frameworkRefusal(error as Parameters<typeof frameworkRefusal>[0], bodyBytesMax);
    if (answer !== undefined) return sendRefusal(reply, answer);
    const route = request.routeOptions.url ?? '';
    logger.error('a request failed', { method: request.method, route }, error);
    return sendRefusal(reply, internalFault());
  });
}

function collectRoutes(app: FastifyInstance): SessionRoute[] {
  const routes: SessionRoute[] = [];
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push({ method, path: route.url });
  });
  return routes;
}

function refuseOtherMethods(app: FastifyInstance, served: readonly SessionRoute[]): void {
  for (const path of new Set(served.map((route) => route.path))) {
    const allowed = served.filter((route) => route.path === path).map((route) => route.method);
    const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('allow', allowed.join(', '));
      const message = `${request.method} is not possible here`;
      return sendRefusal(reply, refusal('METHOD_NOT_ALLOWED', message));
    };
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: path,
      // Before the body is read: whatever it holds changes nothing.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

async function listen(
  app: FastifyInstance,
  address: ListenAddress,
  logger: Logger,
): Promise<ListenAddress> {
  await app.listen({ host: address.host, port: address.port });
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  const actual = { host: address.host, port };
  const shown = { address: printListenAddress(actual) };
  logger.info('session listener is open', shown);
  if (!isLoopbackHost(address.host)) {
    logger.warn('the session listener takes passwords from other machines without TLS', shown);
  }
  return actual;
}

async function closeApp(
  app: FastifyInstance,
  context: SessionContext,
  graceMs: number,
): Promise<void> {
  for (const response of context.rowResponses) response.finish();
  const closing = app.close();
  const graceOver = new AbortController();
  const cut = wait(graceMs, undefined, { signal: graceOver.signal }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  );
  await closing;
  graceOver.abort();
  await cut;
}
