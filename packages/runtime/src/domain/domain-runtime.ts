import { type ExecutionPlan, equalData, TYPED_PROGRAM_VERSION } from '@nervix/model';
import { type BranchLiterals, branchKeyOf } from '../branch/branch-literals.js';
import { BranchPresence } from '../branch/branch-presence.js';
import { type Clock, sleep, type Timer } from '../clock/clock.js';
import type { HttpRoute, HttpRouteTable } from '../connector/http/http-route-table.js';
import { runtimeError } from '../errors.js';
import type { RuntimeLog } from '../log.js';
import { DomainMetrics } from '../metrics/domain-metrics.js';
import type { MetricStore } from '../metrics/metric-store.js';
import { EndpointIntake } from '../node/endpoint-intake.js';
import type { IngestGroupLimits } from '../node/ingest-group.js';
import { type NodeContext, takeSnapshot } from '../node/node-context.js';
import type { HeldBody } from '../node/quiesce-buffer.js';
import type { MemoryPressure } from '../pressure/memory-pressure.js';
import {
  Subscription,
  type SubscriptionEvent,
  type SubscriptionRequest,
} from '../relay/subscription.js';
import { DomainUdfs } from '../udf/domain-udfs.js';
import type { DomainState, DomainStatus } from './domain-status.js';
import { calledUdfs, sameExecution } from './executable-parts.js';
import { type CarriedState, Graph } from './graph.js';

/** Bound of the drain before an alteration. */
const ALTERATION_DRAIN_MS = 60_000;
const BRANCH_SCAN_MS = 30_000;
/** How often a drain looks whether it is done. */
const DRAIN_TURN_MS = 1;

/** What a domain is run with. */
export interface DomainOptions {
  readonly domain: string;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: RuntimeLog;
  readonly store: MetricStore;
  readonly nodeId: string;
  readonly routes: HttpRouteTable;
  /** Told when a node's own invariants broke. */
  readonly failed: (error: unknown) => void;
  readonly ingestGroup: IngestGroupLimits;
  /** null when memory is not watched. */
  readonly pressure: MemoryPressure | null;
  readonly alterationDrainMs?: number;
  readonly branchScanMs?: number;
}

/** How a drain ended: with nothing left, or at its deadline with what `pending` names. */
export interface DrainResult {
  readonly outcome: 'completed' | 'abandoned';
  readonly pending: readonly string[];
}

/** One domain: the graph of its installed plan, its routes, subscriptions and carried state. */
export class DomainRuntime {
  readonly domain: string;
  readonly #options: DomainOptions;
  readonly #metrics: DomainMetrics;
  readonly #presences = new Map<string, BranchPresence>();
  readonly #endpoints = new Map<string, EndpointIntake>();
  readonly #subscriptions = new Set<Subscription>();
  #graph: Graph | null = null;
  #udfs: DomainUdfs = new DomainUdfs([]);
  /** Those of a plan that was prepared, loaded before anything is held. */
  #preparedUdfs: DomainUdfs | null = null;
  #state: DomainState = 'stopped';
  #carried: CarriedState = new Map();
  #scan: Timer | undefined;
  /** Installs, stops and drains run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Ends that wait for their turn; a replacement does not keep them waiting for its drain. */
  #endsWaiting = 0;

  constructor(options: DomainOptions) {
    this.domain = options.domain;
    this.#options = options;
    this.#metrics = new DomainMetrics(options.store, options.domain, options.nodeId);
  }

  get state(): DomainState {
    return this.#state;
  }

  /**
   * Makes room for a plan without running it: checks its addresses and, where it runs another graph,
   * holds and drains the present one. A refusal leaves everything as it was. {@link install} or
   * {@link release} must follow.
   */
  prepare(plan: ExecutionPlan): Promise<void> {
    return this.#inTurn(async () => {
      this.#options.routes.check(this.domain, addressesOf(plan));
      this.#preparedUdfs = this.#loadedUdfs(plan);
      const graph = this.#graph;
      if (graph !== null && !sameExecution(graph.plan, plan)) await this.#pause(graph);
    });
  }

  /** Lets the graph that a preparation holds go on. */
  release(): Promise<void> {
    return this.#inTurn(async () => {
      this.#preparedUdfs = null;
      if (this.#graph !== null && this.#state === 'paused') this.#resume(this.#graph);
    });
  }

  /**
   * Runs a plan, in place of the one before it if there is one: that is drained first, and what
   * cannot be drained in time leaves it running. A plan of the same graph takes over without a pause.
   */
  install(plan: ExecutionPlan): Promise<void> {
    return this.#inTurn(() => this.#install(plan));
  }

  /** Ends execution: rows in flight are refused, endpoints answer that nothing runs. */
  stop(): Promise<void> {
    return this.#inEndingTurn(async () => {
      this.#end('the domain was stopped');
    });
  }

  /** Refuses intake, finishes what was admitted within the deadline, then ends execution. */
  drain(deadlineMs: number): Promise<DrainResult> {
    return this.#inEndingTurn(async () => {
      if (this.#graph === null) return { outcome: 'completed', pending: [] };
      this.#state = 'draining';
      for (const ingestor of this.#graph.ingestors) ingestor.refuse();
      const pending = await this.#drained(this.#graph, deadlineMs, () => false);
      this.#end('the data plane shut down');
      return { outcome: pending.length === 0 ? 'completed' : 'abandoned', pending };
    });
  }

  /** Ends execution and everything that refers to the domain. */
  remove(): Promise<void> {
    return this.#inEndingTurn(async () => {
      this.#end('the domain was removed');
      this.#carried = new Map();
      for (const subscription of this.#subscriptions) subscription.end('relay_removed');
      this.#subscriptions.clear();
      this.#options.routes.remove(this.domain);
      this.#options.store.forget({ domain: this.domain });
    });
  }

  /** Whether a concrete branch lives on a relay. */
  hasBranch(name: string, literals: BranchLiterals): boolean {
    const relays = this.#graph?.relays;
    if (relays?.has(name) !== true) return false;
    const { branch, keys } = relays.find(name);
    if (branch === null || keys === null) return false;
    const key = branchKeyOf(branch.name, branch.schema, literals);
    return key !== undefined && keys.has(key.text);
  }

  /** Opens a live view of a relay. */
  subscribe(
    request: SubscriptionRequest,
    emit: (event: SubscriptionEvent) => void,
  ): { credit(bytes: number): void; close(): void } {
    const graph = this.#graph;
    if (graph === null) {
      throw runtimeError('RUNTIME_DOMAIN_NOT_RUNNING', { domain: this.domain });
    }
    const { relay, schema, branch } = graph.relays.find(request.relay);
    const level = this.#metrics.subscriptions(request.relay);
    const context = this.#context(graph.plan.generation, this.#udfs);
    const subscription = new Subscription({
      request,
      schema,
      branchSchema: branch?.schema ?? null,
      snapshot: () => takeSnapshot(context),
      losses: this.#metrics.subscriptionLosses(request.relay),
      emit,
    });
    this.#subscriptions.add(subscription);
    level.value += 1;
    subscription.attach(relay);
    return {
      credit: (bytes) => {
        subscription.credit(bytes);
      },
      close: () => {
        subscription.detach();
        if (this.#subscriptions.delete(subscription)) level.value -= 1;
      },
    };
  }

  /** Brings levels up to date before a scrape. */
  refreshMetrics(): void {
    this.#graph?.refreshMetrics();
    for (const [branch, presence] of this.#presences) {
      this.#metrics.gauge('nervix_branch_instances', { branch }).value = presence.size;
      for (const reason of ['ttl', 'lru'] as const) {
        const counter = this.#metrics.counter('nervix_branch_evictions_total', { branch, reason });
        counter.value = presence.evictions[reason];
      }
    }
  }

  status(): DomainStatus {
    this.refreshMetrics();
    const graph = this.#graph;
    return {
      domain: this.domain,
      state: this.#state,
      revision: graph?.plan.revision ?? 0,
      generation: graph?.plan.generation ?? 0,
      relays: [...(graph?.relays.all() ?? [])].map(({ relay, keys }) => ({
        name: relay.name,
        capacity: relay.capacity,
        buffered: relay.depth,
        waiting: relay.waiting,
        branchInstances: keys?.size ?? null,
      })),
      ingestors: (graph?.ingestors ?? []).map((node) => ({ name: node.name, ...node.figures })),
      processors: (graph?.processors ?? []).map(({ kind, name, branchCount }) => ({
        kind: kind as DomainStatus['processors'][number]['kind'],
        name,
        branchInstances: branchCount,
      })),
      emitters: (graph?.emitters ?? []).map((node) => ({ name: node.name, ...node.figures })),
      metrics: this.#metrics.described(),
    };
  }

  async #install(plan: ExecutionPlan): Promise<void> {
    const old = this.#graph;
    this.#refuseForeign(plan);
    this.#refuseStale(plan, old);
    this.#options.routes.check(this.domain, addressesOf(plan));
    if (old !== null && sameExecution(old.plan, plan)) {
      old.adopt(plan);
      this.#udfs = this.#loadedUdfs(plan);
      if (this.#state === 'paused') this.#resume(old);
      return;
    }
    const udfs = this.#loadedUdfs(plan);
    const next = new Graph(this.#context(plan.generation, udfs), plan, (branch) =>
      this.#presenceOf(branch),
    );
    const held = new Map<string, readonly HeldBody[]>();
    if (old !== null) {
      await this.#pause(old);
      const successors = new Set(next.ingestors.map(({ name }) => name));
      for (const ingestor of old.ingestors) {
        if (successors.has(ingestor.name)) held.set(ingestor.name, ingestor.takeHeld());
      }
      this.#retire(old, 'the plan was replaced');
    }
    next.restore(this.#carried);
    this.#carried = new Map();
    this.#graph = next;
    this.#udfs = udfs;
    this.#preparedUdfs = null;
    this.#reattach(next);
    next.start(this.#options.failed);
    this.#publish(plan, next);
    this.#options.pressure?.apply(this.domain, next.ingestors);
    for (const ingestor of next.ingestors) ingestor.start(held.get(ingestor.name) ?? []);
    this.#state = 'running';
    this.#armScan();
  }

  /** The UDFs of a plan, of which those that it calls are loaded. */
  #loadedUdfs(plan: ExecutionPlan): DomainUdfs {
    const udfs = new DomainUdfs(plan.udfs, this.#preparedUdfs ?? this.#udfs);
    udfs.load(calledUdfs(plan));
    return udfs;
  }

  #presenceOf(branch: string): BranchPresence {
    const known = this.#presences.get(branch);
    if (known !== undefined) return known;
    const presence = new BranchPresence();
    this.#presences.set(branch, presence);
    return presence;
  }

  /** Expressions of another version would be misread rather than fail. */
  #refuseForeign({ programVersion }: ExecutionPlan): void {
    if (programVersion === TYPED_PROGRAM_VERSION) return;
    const problem = `its expressions have version ${programVersion}, not ${TYPED_PROGRAM_VERSION}`;
    throw runtimeError('RUNTIME_INVALID_PLAN', { domain: this.domain, problem });
  }

  #refuseStale(plan: ExecutionPlan, old: Graph | null): void {
    if (old === null) return;
    const { generation, revision } = old.plan;
    if (
      plan.generation < generation ||
      (plan.generation === generation && plan.revision <= revision)
    ) {
      throw runtimeError('RUNTIME_STALE_PLAN', {
        domain: this.domain,
        revision: plan.revision,
        installed: revision,
      });
    }
  }

  /** Holds intake by its quiesce modes and drains; a drain that fails resumes the graph. */
  async #pause(graph: Graph): Promise<void> {
    this.#state = 'paused';
    for (const ingestor of graph.ingestors) ingestor.hold();
    const deadlineMs = this.#options.alterationDrainMs ?? ALTERATION_DRAIN_MS;
    const pending = await this.#drained(graph, deadlineMs, () => this.#endsWaiting > 0);
    if (pending.length === 0) return;
    this.#resume(graph);
    throw runtimeError('RUNTIME_DRAIN_TIMEOUT', { domain: this.domain, pending });
  }

  #resume(graph: Graph): void {
    for (const ingestor of graph.ingestors) ingestor.start();
    this.#state = 'running';
  }

  /**
   * Flushes again and again until nothing is left to move.
   *
   * @returns what was left at the deadline or when `isGivenUp` said so
   */
  async #drained(
    graph: Graph,
    deadlineMs: number,
    isGivenUp: () => boolean,
  ): Promise<readonly string[]> {
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + deadlineMs;
    for (;;) {
      graph.flush();
      await sleep(clock, DRAIN_TURN_MS);
      const pending = graph.pending();
      if (pending.length === 0 || clock.monotonicMs() >= endMs || isGivenUp()) return pending;
    }
  }

  #end(reason: string): void {
    const graph = this.#graph;
    if (graph === null) return;
    for (const endpoint of this.#endpoints.values()) endpoint.setTargets([]);
    this.#reportDiscarded(graph.heldRows(), reason);
    this.#options.pressure?.apply(this.domain, []);
    this.#retire(graph, reason);
    this.#graph = null;
    this.#state = 'stopped';
    this.#scan?.cancel();
  }

  /** Rows of sources that wait for an answer are refused to them; the others are gone. */
  #reportDiscarded(rows: number, reason: string): void {
    if (rows === 0) return;
    const labels = { target_kind: 'DOMAIN', target: this.domain, reason: 'stopped' };
    this.#metrics.counter('nervix_messages_discarded_total', labels).value += rows;
    this.#options.log.warn(`domain '${this.domain}' ended with rows in flight: ${reason}`, {
      discarded: rows,
    });
  }

  #retire(graph: Graph, reason: string): void {
    for (const subscription of this.#subscriptions) subscription.detach();
    graph.close(reason);
    this.#carried = graph.exportState();
    for (const presence of this.#presences.values()) presence.reset();
  }

  /** Points the endpoints, old and new, at the ingestors of the graph. */
  #publish(plan: ExecutionPlan, graph: Graph): void {
    const routes: HttpRoute[] = [];
    const names = new Set(plan.endpoints.map(({ name }) => name));
    for (const name of this.#endpoints.keys()) if (!names.has(name)) this.#endpoints.delete(name);
    for (const { name, hostnames, path } of plan.endpoints) {
      const intake = this.#endpoints.get(name) ?? this.#endpoint(name);
      this.#endpoints.set(name, intake);
      intake.setTargets(graph.ingestors.filter((ingestor) => ingestor.plan.endpoint === name));
      for (const host of hostnames) routes.push({ host, path, intake });
    }
    this.#options.routes.replace(this.domain, routes);
  }

  #endpoint(name: string): EndpointIntake {
    return new EndpointIntake([], (status) =>
      this.#metrics.counter('nervix_endpoint_responses_total', {
        endpoint: name,
        status: String(status),
      }),
    );
  }

  /** Keeps the subscriptions whose relay is still the same, and ends the others. */
  #reattach(graph: Graph): void {
    for (const subscription of this.#subscriptions) {
      const { relay: name } = subscription.request;
      const found = graph.relays.has(name) ? graph.relays.find(name) : null;
      if (found !== null && equalData(found.schema, subscription.schema)) {
        subscription.attach(found.relay);
        continue;
      }
      this.#subscriptions.delete(subscription);
      this.#metrics.subscriptions(name).value -= 1;
      subscription.end(found === null ? 'relay_removed' : 'relay_changed');
    }
  }

  #armScan(): void {
    this.#scan?.cancel();
    this.#scan = this.#options.clock.after(this.#options.branchScanMs ?? BRANCH_SCAN_MS, () => {
      this.#graph?.scanBranches(this.#options.clock.utcNanos());
      this.#armScan();
    });
  }

  #context(generation: number, udfs: DomainUdfs): NodeContext {
    const { domain, clock, randomBytes, log, ingestGroup } = this.#options;
    const metrics = this.#metrics;
    return { domain, generation, clock, randomBytes, log, metrics, ingestGroup, udfs };
  }

  async #inEndingTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#endsWaiting += 1;
    return this.#inTurn(() => {
      this.#endsWaiting -= 1;
      return work();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function addressesOf(plan: ExecutionPlan): { readonly host: string; readonly path: string }[] {
  return plan.endpoints.flatMap(({ hostnames, path }) => hostnames.map((host) => ({ host, path })));
}
