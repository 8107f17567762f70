import type { ExecutionPlan, UdfPlan } from '@nervix/model';
import type { BranchLiterals } from '../branch/branch-literals.js';
import type { Clock } from '../clock/clock.js';
import { SystemClock } from '../clock/system-clock.js';
import { HttpListener } from '../connector/http/http-listener.js';
import { HttpRouteTable, type RouteTables } from '../connector/http/http-route-table.js';
import type { SecureHost } from '../connector/http/secure-hosts.js';
import { SecureListener } from '../connector/http/secure-listener.js';
import type { AdmittedHold } from '../domain/admitted-hold.js';
import { DomainRuntime, type DrainResult } from '../domain/domain-runtime.js';
import type { DomainStatus } from '../domain/domain-status.js';
import { runtimeError } from '../errors.js';
import { RuntimeLog } from '../log.js';
import type { MetricSample } from '../metrics/metric-sample.js';
import { MetricStore } from '../metrics/metric-store.js';
import { INGEST_GROUP_LIMITS } from '../node/ingest-group.js';
import { describeError } from '../node/node-context.js';
import { randomPool } from '../node/random-pool.js';
import { allocatedBytes, MemoryPressure } from '../pressure/memory-pressure.js';
import {
  rowBytes,
  type SubscriptionEvent,
  type SubscriptionRequest,
} from '../relay/subscription.js';
import { prepareUdf } from '../udf/prepare-udf.js';
import type {
  DataPlane,
  DataPlaneOptions,
  SubscriptionHandle,
  SubscriptionReader,
} from './data-plane.js';

/** A data plane in the calling thread: for libraries, tests, and the worker itself. */
export class InProcessDataPlane implements DataPlane {
  readonly #options: DataPlaneOptions;
  readonly #clock: Clock;
  readonly #routes: RouteTables = { plain: new HttpRouteTable(), secure: new HttpRouteTable() };
  #listener: HttpListener | null = null;
  readonly #secure: SecureListener;
  readonly #log: RuntimeLog;
  readonly #store: MetricStore;
  readonly #randomBytes = randomPool();
  readonly #domains = new Map<string, DomainRuntime>();
  readonly #pressure: MemoryPressure | null;
  #isClosed = false;
  /** The node stops: what is admitted is finished, and nothing new is installed. */
  #isDraining = false;

  private constructor(options: DataPlaneOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#store = new MetricStore(clock);
    this.#log = new RuntimeLog(options.onLog ?? (() => undefined), options.logLevel ?? 'info', () =>
      clock.monotonicMs(),
    );
    this.#secure = new SecureListener({
      options: options.https,
      routes: this.#routes.secure,
      log: this.#log,
      answeredUnrouted: (status) => this.#answeredUnrouted(status),
    });
    const { memory } = options;
    this.#pressure =
      memory === undefined
        ? null
        : new MemoryPressure({
            limits: memory,
            clock,
            log: this.#log,
            sample: allocatedBytes,
            random: Math.random,
          });
  }

  /** Opens the data listener; nothing is installed yet. */
  static async start(
    options: DataPlaneOptions,
    clock: Clock = new SystemClock(),
  ): Promise<InProcessDataPlane> {
    const plane = new InProcessDataPlane(options, clock);
    if (options.isListeningDeferred !== true) await plane.listen();
    return plane;
  }

  async listen(): Promise<void> {
    this.#refuseWhenEnding();
    const { http } = this.#options;
    this.#listener ??= await HttpListener.open(http, this.#routes.plain, (status) =>
      this.#answeredUnrouted(status),
    );
    this.#secure.admit();
  }

  get httpAddress(): { readonly host: string; readonly port: number } {
    return this.#listener?.address ?? { host: this.#options.http.host, port: 0 };
  }

  async install(plan: ExecutionPlan): Promise<void> {
    this.#refuseWhenEnding();
    await this.#domain(plan.domain).install(plan);
  }

  async prepare(plan: ExecutionPlan, admitted?: AdmittedHold): Promise<void> {
    this.#refuseWhenEnding();
    await this.#domain(plan.domain).prepare(plan, admitted);
  }

  async prepareUdfs(udfs: readonly UdfPlan[]): Promise<string | undefined> {
    return udfs.map(prepareUdf).find((problem) => problem !== undefined);
  }

  async release(domain: string): Promise<void> {
    await this.#domains.get(domain)?.release();
  }

  async serveHosts(domain: string, hosts: readonly SecureHost[]): Promise<void> {
    this.#refuseWhenEnding();
    await this.#secure.replace(domain, hosts);
  }

  async stopDomain(domain: string): Promise<void> {
    await this.#domains.get(domain)?.stop();
  }

  async removeDomain(domain: string): Promise<void> {
    await this.#domains.get(domain)?.remove();
    this.#domains.delete(domain);
    if (!this.#isClosed) await this.#secure.replace(domain, []);
  }

  async drain(deadlineMs: number): Promise<DrainResult> {
    this.#isDraining = true;
    const results = await Promise.all(
      [...this.#domains.values()].map(async (domain) => ({
        domain: domain.domain,
        result: await domain.drain(deadlineMs),
      })),
    );
    const pending = results.flatMap(({ domain, result }) =>
      result.pending.map((name) => `${name} of domain '${domain}'`),
    );
    return { outcome: pending.length === 0 ? 'completed' : 'abandoned', pending };
  }

  async metrics(): Promise<readonly MetricSample[]> {
    for (const domain of this.#domains.values()) domain.refreshMetrics();
    return this.#store.samples();
  }

  async hasBranch(domain: string, relay: string, key: BranchLiterals): Promise<boolean> {
    return this.#domains.get(domain)?.hasBranch(relay, key) ?? false;
  }

  async nodeStatus(domain: string): Promise<DomainStatus> {
    return this.#known(domain).status();
  }

  async openSubscription(
    request: SubscriptionRequest,
    reader: SubscriptionReader,
  ): Promise<SubscriptionHandle> {
    const subscription = this.subscribe(request, (event) => {
      const bytes = rowBytes(event)?.length ?? 0;
      const done = reader(event) ?? Promise.resolve();
      done.then(
        () => {
          subscription.credit(bytes);
        },
        () => {
          subscription.close();
        },
      );
    });
    return {
      close: async () => {
        subscription.close();
      },
    };
  }

  /** Opens a subscription whose credit the caller gives back itself. */
  subscribe(
    request: SubscriptionRequest,
    emit: (event: SubscriptionEvent) => void,
  ): { credit(bytes: number): void; close(): void } {
    return this.#known(request.domain).subscribe(request, emit);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pressure?.close();
    await Promise.all([...this.#domains.values()].map((domain) => domain.remove()));
    await Promise.all([this.#listener?.close(), this.#secure.close()]);
  }

  #answeredUnrouted(status: number): void {
    this.#store.counter('nervix_endpoint_responses_total', {
      domain: '-',
      endpoint: '-',
      status: String(status),
      physical_node_id: this.#options.nodeId ?? '-',
    }).value += 1;
  }

  #refuseWhenEnding(): void {
    if (this.#isClosed || this.#isDraining) throw runtimeError('RUNTIME_CLOSED', {});
  }

  /** Known from its first installation on, so that an end finds it even while that is under way. */
  #domain(name: string): DomainRuntime {
    let domain = this.#domains.get(name);
    if (domain === undefined) {
      domain = this.#newDomain(name);
      this.#domains.set(name, domain);
    }
    return domain;
  }

  #known(name: string): DomainRuntime {
    const domain = this.#domains.get(name);
    if (domain === undefined) throw runtimeError('RUNTIME_DOMAIN_NOT_RUNNING', { domain: name });
    return domain;
  }

  #newDomain(domain: string): DomainRuntime {
    const { alterationDrainMs, branchScanMs, nodeId } = this.#options;
    const { ingestGroupMessagesMax, ingestGroupIdleMs, readSecrets } = this.#options;
    return new DomainRuntime({
      domain,
      clock: this.#clock,
      randomBytes: this.#randomBytes,
      log: this.#log,
      store: this.#store,
      nodeId: nodeId ?? '-',
      routes: this.#routes,
      pressure: this.#pressure,
      failed: (error) => {
        this.#fail(error);
      },
      ingestGroup: {
        messagesMax: ingestGroupMessagesMax ?? INGEST_GROUP_LIMITS.messagesMax,
        idleMs: ingestGroupIdleMs ?? INGEST_GROUP_LIMITS.idleMs,
      },
      ...(readSecrets === undefined ? {} : { secrets: (secrets) => readSecrets(domain, secrets) }),
      ...(alterationDrainMs === undefined ? {} : { alterationDrainMs }),
      ...(branchScanMs === undefined ? {} : { branchScanMs }),
    });
  }

  #fail(error: unknown): void {
    this.#log.error(`the data plane failed: ${describeError(error)}`);
    this.#options.onFailure?.(error instanceof Error ? error : new Error(describeError(error)));
  }
}

/** Starts a data plane in the calling thread. */
export function createInProcessDataPlane(
  options: DataPlaneOptions,
  clock?: Clock,
): Promise<DataPlane> {
  return InProcessDataPlane.start(options, clock);
}
