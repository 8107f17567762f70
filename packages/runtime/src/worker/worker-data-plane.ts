import { Worker } from 'node:worker_threads';
import type { ExecutionPlan, UdfPlan } from '@nervix/model';
import type { BranchLiterals } from '../branch/branch-literals.js';
import { noSecrets, type SecretReading } from '../connector/client-secrets.js';
import type { SecureHost } from '../connector/http/secure-hosts.js';
import type { AdmittedHold } from '../domain/admitted-hold.js';
import type { DrainResult } from '../domain/domain-runtime.js';
import type { DomainStatus } from '../domain/domain-status.js';
import { RuntimeError, runtimeError } from '../errors.js';
import type { MetricSample } from '../metrics/metric-sample.js';
import {
  rowBytes,
  type SubscriptionEvent,
  type SubscriptionRequest,
} from '../relay/subscription.js';
import { prepareUdfsApart } from '../udf/udf-preparation.js';
import type {
  DataPlane,
  DataPlaneOptions,
  SubscriptionHandle,
  SubscriptionReader,
} from './data-plane.js';
import { SentPlans } from './known-plans.js';
import type { FromWorker, PortableError, ToWorker, WorkerCall } from './worker-messages.js';

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class WorkerDataPlane implements DataPlane {
  readonly #worker: Worker;
  readonly #options: DataPlaneOptions;
  readonly #calls = new Map<number, PendingCall>();
  readonly #readers = new Map<number, SubscriptionReader>();
  readonly #sent = new SentPlans();
  #httpAddress = { host: '', port: 0 };
  #nextId = 1;
  #isClosing = false;
  #failure: Error | null = null;

  constructor(options: DataPlaneOptions) {
    const { onLog: _onLog, onFailure: _onFailure, readSecrets: _, ...workerData } = options;
    this.#options = options;
    this.#worker = new Worker(workerEntry(), { workerData, name: 'nervix-data-plane' });
  }

  get httpAddress(): { readonly host: string; readonly port: number } {
    return this.#httpAddress;
  }

  /** Resolves when the worker's listener is open. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          this.#httpAddress = message.httpAddress;
          resolve();
        } else if (message.kind === 'not_started') {
          this.#isClosing = true;
          reject(revived(message.error, 'start'));
        } else {
          this.#receive(message);
        }
      });
      let cause: unknown;
      this.#worker.on('error', (error) => {
        cause = error;
      });
      this.#worker.on('exit', (exitCode) => {
        const error = this.#isClosing
          ? runtimeError('RUNTIME_CLOSED', {})
          : runtimeError('RUNTIME_WORKER_FAILED', { exitCode }, cause);
        this.#end(error);
        reject(error);
      });
    });
  }

  async listen(): Promise<void> {
    const address = await this.#call({ method: 'listen' });
    this.#httpAddress = address as { host: string; port: number };
  }

  async prepare(plan: ExecutionPlan, admitted?: AdmittedHold): Promise<void> {
    await this.#sent.send(plan, (patch) =>
      this.#call({ method: 'prepare', plan: patch, admitted }),
    );
  }

  prepareUdfs(udfs: readonly UdfPlan[]): Promise<string | undefined> {
    return prepareUdfsApart(udfs);
  }

  async release(domain: string): Promise<void> {
    await this.#call({ method: 'release', domain });
  }

  async install(plan: ExecutionPlan): Promise<void> {
    await this.#sent.send(plan, (patch) => this.#call({ method: 'install', plan: patch }));
  }

  async serveHosts(domain: string, hosts: readonly SecureHost[]): Promise<void> {
    await this.#call({ method: 'serve_hosts', domain, hosts });
  }

  async stopDomain(domain: string): Promise<void> {
    this.#sent.forget(domain);
    await this.#call({ method: 'stop_domain', domain });
  }

  async removeDomain(domain: string): Promise<void> {
    this.#sent.forget(domain);
    await this.#call({ method: 'remove_domain', domain });
  }

  async drain(deadlineMs: number): Promise<DrainResult> {
    return (await this.#call({ method: 'drain', deadlineMs })) as DrainResult;
  }

  async metrics(): Promise<readonly MetricSample[]> {
    return (await this.#call({ method: 'metrics' })) as readonly MetricSample[];
  }

  async hasBranch(domain: string, relay: string, key: BranchLiterals): Promise<boolean> {
    return (await this.#call({ method: 'has_branch', domain, relay, key })) as boolean;
  }

  async nodeStatus(domain: string): Promise<DomainStatus> {
    return (await this.#call({ method: 'node_status', domain })) as DomainStatus;
  }

  async openSubscription(
    request: SubscriptionRequest,
    reader: SubscriptionReader,
  ): Promise<SubscriptionHandle> {
    const subscription = this.#nextId++;
    this.#readers.set(subscription, reader);
    try {
      await this.#call({ method: 'open_subscription', subscription, request });
    } catch (error) {
      this.#readers.delete(subscription);
      throw error;
    }
    return {
      close: async () => {
        this.#readers.delete(subscription);
        if (this.#failure === null) {
          await this.#call({ method: 'close_subscription', subscription });
        }
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosing || this.#failure !== null) return;
    const exited = new Promise<void>((resolve) => {
      this.#worker.once('exit', () => {
        resolve();
      });
    });
    const closed = this.#call({ method: 'close' });
    this.#isClosing = true;
    try {
      await closed;
    } finally {
      await this.#worker.terminate();
      await exited;
    }
  }

  #call(call: WorkerCall): Promise<unknown> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#isClosing) return Promise.reject(runtimeError('RUNTIME_CLOSED', {}));
    const id = this.#nextId++;
    // What cannot be sent throws here, and is not waited for.
    this.#post({ kind: 'call', id, call });
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: Exclude<FromWorker, { kind: 'ready' | 'not_started' }>): void {
    switch (message.kind) {
      case 'read_secrets':
        void this.#readSecrets(message);
        return;
      case 'log':
        this.#options.onLog?.(message.record);
        return;
      case 'event':
        this.#deliver(message.subscription, message.event);
        return;
      case 'result':
        this.#calls.get(message.id)?.resolve(message.value);
        this.#calls.delete(message.id);
        return;
      case 'failure':
        this.#calls.get(message.id)?.reject(revived(message.error, 'call'));
        this.#calls.delete(message.id);
        return;
    }
  }

  async #readSecrets({
    id,
    domain,
    secrets,
  }: Extract<FromWorker, { kind: 'read_secrets' }>): Promise<void> {
    let reading: SecretReading;
    try {
      reading = await (this.#options.readSecrets?.(domain, secrets) ?? noSecrets(secrets));
    } catch {
      // Whoever waits for an answer in the other thread gets one in any case.
      reading = { kind: 'unavailable', reason: 'secrets cannot be read' };
    }
    if (this.#failure === null) this.#post({ kind: 'secrets', id, reading });
  }

  #deliver(subscription: number, event: SubscriptionEvent): void {
    const reader = this.#readers.get(subscription);
    if (reader === undefined) return;
    const bytes = rowBytes(event)?.length ?? 0;
    const done = reader(event) ?? Promise.resolve();
    done.then(
      () => {
        if (bytes > 0) this.#post({ kind: 'credit', subscription, bytes });
      },
      () => {
        this.#readers.delete(subscription);
        this.#post({
          kind: 'call',
          id: this.#nextId++,
          call: { method: 'close_subscription', subscription },
        });
      },
    );
  }

  #end(error: Error): void {
    this.#failure = error;
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
    this.#readers.clear();
    if (!this.#isClosing) this.#options.onFailure?.(error);
  }
}

/** Rebuilds an error of the worker. */
function revived(error: PortableError, operation: string): Error {
  if (error.code === null) {
    return runtimeError('RUNTIME_INTERNAL', { operation }, new Error(error.message));
  }
  const { code, message, details, retryable } = error;
  return new RuntimeError(code, message, { details, retryable });
}

/** The compiled entry of the worker; sources run by a test runner use the build beside them. */
function workerEntry(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  const path = isSource ? '../../dist/worker/data-plane-worker.js' : './data-plane-worker.js';
  return new URL(path, import.meta.url);
}

/** Starts a data plane in a worker thread of its own. */
export async function startDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const plane = new WorkerDataPlane(options);
  await plane.start();
  return plane;
}
