import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ControlPlane, ReadinessNeeds } from '../control-plane/control-plane.js';
import { samplesText } from '../control-plane/reads/metrics-text.js';
import type { Logger } from '../logging/logger.js';
import {
  isLoopbackHost,
  type ListenAddress,
  printListenAddress,
} from '../options/listen-address.js';
import type { ConsensusCounts } from './consensus-counts.js';
import { EventLoopLateness } from './event-loop-lateness.js';
import { createProcessMetrics, type ProcessMetrics } from './process-metrics.js';
import type { SessionCounts } from './session-counts.js';

/** What the listener reads from the node. */
export type Observed = Pick<ControlPlane, 'metricsText' | 'unreadyReason'>;

/** What this process has counted. */
export interface NodeCounts {
  readonly session: SessionCounts;
  readonly consensus: ConsensusCounts;
}

/** The listener for health checks and metrics. It asks nobody for a password. */
export interface ObservabilityListener {
  /** Binds and starts to answer. Rejects when the address cannot be bound. */
  listen(): Promise<ListenAddress>;
  /** Closes all connections. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

const PLAIN = 'text/plain; charset=utf-8';
const METRICS = 'text/plain; version=0.0.4; charset=utf-8';
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 256;

/** Builds the listener. It does not listen yet. */
export function createObservabilityListener(
  address: ListenAddress,
  observed: Observed,
  counts: NodeCounts,
  logger: Logger,
): ObservabilityListener {
  const lateness = new EventLoopLateness();
  let metrics: Promise<ProcessMetrics> | undefined;
  const answers: Readonly<Record<string, (query: string) => Answer | Promise<Answer>>> = {
    '/livez': () => ({ status: 200, text: 'live' }),
    '/healthz': () => ({ status: 200, text: 'live' }),
    '/readyz': (query) => {
      const needs = readinessNeeds(query);
      if (typeof needs === 'string') return { status: 400, text: needs };
      const reason = observed.unreadyReason(needs);
      return reason === null ? { status: 200, text: 'ready' } : { status: 503, text: reason };
    },
    '/metrics': async () => {
      metrics ??= createProcessMetrics(lateness, counts.session);
      const [node, process] = [await observed.metricsText(), await (await metrics).text()];
      const border = node === '' || node.endsWith('\n') ? '' : '\n';
      const log = samplesText(counts.consensus.samples());
      return { status: 200, text: `${node}${border}${log}${process}`, type: METRICS };
    },
  };
  const answerOf = async (request: IncomingMessage): Promise<Answer> => {
    const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? [];
    const answer = answers[path];
    if (answer === undefined) return { status: 404, text: 'not found' };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, text: 'only GET is possible here' };
    }
    try {
      return await answer(query);
    } catch (error) {
      logger.error('an observability request failed', {}, error);
      return { status: 500, text: 'the server failed; its log has the cause' };
    }
  };
  const server = createServer((request, response) => {
    void answerOf(request).then((answer) => send(request, response, answer));
  });
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = CONNECTIONS_MAX;
  return {
    listen: async () => {
      const actual = await bind(server, address);
      lateness.start();
      const shown = { address: printListenAddress(actual) };
      logger.info('observability listener is open', shown);
      if (!isLoopbackHost(address.host)) {
        logger.warn('the observability listener answers other machines unauthenticated', shown);
      }
      return actual;
    },
    close: async () => {
      lateness.stop();
      if (!server.listening) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** What `/readyz?admitted=1&shutdown=1` asks for, or what is wrong with the parameters. */
function readinessNeeds(query: string): ReadinessNeeds | string {
  const needs = { admitted: false, shutdown: false };
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'admitted' && name !== 'shutdown') {
      return 'only the parameters admitted and shutdown are possible here';
    }
    if (value !== '0' && value !== '1') return `parameter '${name}' must be 0 or 1`;
    needs[name] = value === '1';
  }
  return { isAdmitted: needs.admitted, isStaying: needs.shutdown };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.type === METRICS ? answer.text : `${answer.text}\n`);
  response.writeHead(answer.status, {
    'content-type': answer.type ?? PLAIN,
    'content-length': body.length,
    'cache-control': 'no-store',
    ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function bind(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address();
  return { host, port: typeof bound === 'object' && bound !== null ? bound.port : port };
}
