import { parentPort, workerData } from 'node:worker_threads';
import { assert, type SecretReference } from '@nervix/model';
import type { SecretReading } from '../connector/client-secrets.js';
import { RuntimeError } from '../errors.js';
import { describeError } from '../node/node-context.js';
import { rowBytes } from '../relay/subscription.js';
import { InProcessDataPlane } from './in-process-data-plane.js';
import { ReceivedPlans } from './known-plans.js';
import type {
  FromWorker,
  PortableError,
  ToWorker,
  WorkerCall,
  WorkerOptions,
} from './worker-messages.js';

const port = parentPort;
assert(port !== null, 'the data plane worker runs in a worker thread');

const received = new ReceivedPlans();
const subscriptions = new Map<number, { credit(bytes: number): void; close(): void }>();

const readings = new Map<number, (reading: SecretReading) => void>();
let lastReading = 0;

/** Secrets are the main thread's: it is asked for them at each attempt to connect. */
function readSecrets(domain: string, secrets: readonly SecretReference[]): Promise<SecretReading> {
  lastReading += 1;
  const id = lastReading;
  return new Promise((resolve) => {
    readings.set(id, resolve);
    post({ kind: 'read_secrets', id, domain, secrets });
  });
}

function post(message: FromWorker): void {
  const rows = message.kind === 'event' ? rowBytes(message.event) : undefined;
  if (rows === undefined) port?.postMessage(message);
  else port?.postMessage(message, [rows.buffer]);
}

function portable(error: unknown): PortableError {
  if (error instanceof RuntimeError) {
    const { code, message, details, retryable } = error;
    return { code, message, details, retryable };
  }
  return { code: null, message: describeError(error), details: {}, retryable: false };
}

async function perform(plane: InProcessDataPlane, call: WorkerCall): Promise<unknown> {
  switch (call.method) {
    case 'listen':
      await plane.listen();
      return plane.httpAddress;
    case 'prepare':
      return plane.prepare(received.taken(call.plan), call.admitted);
    case 'release':
      return plane.release(call.domain);
    case 'install':
      return plane.install(received.taken(call.plan));
    case 'serve_hosts':
      return plane.serveHosts(call.domain, call.hosts);
    case 'stop_domain':
      received.forget(call.domain);
      return plane.stopDomain(call.domain);
    case 'remove_domain':
      received.forget(call.domain);
      return plane.removeDomain(call.domain);
    case 'drain':
      return plane.drain(call.deadlineMs);
    case 'metrics':
      return plane.metrics();
    case 'has_branch':
      return plane.hasBranch(call.domain, call.relay, call.key);
    case 'node_status':
      return plane.nodeStatus(call.domain);
    case 'open_subscription': {
      const { subscription, request } = call;
      const open = plane.subscribe(request, (event) => {
        post({ kind: 'event', subscription, event });
      });
      subscriptions.set(subscription, open);
      return undefined;
    }
    case 'close_subscription':
      subscriptions.get(call.subscription)?.close();
      subscriptions.delete(call.subscription);
      return undefined;
    case 'close':
      return plane.close();
  }
}

function receive(plane: InProcessDataPlane, message: ToWorker): void {
  if (message.kind === 'credit') {
    subscriptions.get(message.subscription)?.credit(message.bytes);
    return;
  }
  if (message.kind === 'secrets') {
    readings.get(message.id)?.(message.reading);
    readings.delete(message.id);
    return;
  }
  const { id, call } = message;
  perform(plane, call).then(
    (value) => {
      post({ kind: 'result', id, value });
      if (call.method === 'close') port?.close();
    },
    (error: unknown) => {
      post({ kind: 'failure', id, error: portable(error) });
    },
  );
}

/** A broken invariant ends the worker, which its owner is told of. */
function fail(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

InProcessDataPlane.start({
  ...(workerData as WorkerOptions),
  onLog: (record) => {
    post({ kind: 'log', record });
  },
  onFailure: fail,
  readSecrets,
}).then(
  (plane) => {
    port.on('message', (message: ToWorker) => {
      receive(plane, message);
    });
    post({ kind: 'ready', httpAddress: plane.httpAddress });
  },
  (error: unknown) => {
    post({ kind: 'not_started', error: portable(error) });
  },
);
