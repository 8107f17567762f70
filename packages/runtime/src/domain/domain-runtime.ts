import { type ExecutionPlan, TYPED_PROGRAM_VERSION } from '@nervix/model';
import { type BranchLiterals, branchKeyOf } from '../branch/branch-literals.js';
import { BranchPresence } from '../branch/branch-presence.js';
import type { Clock, Timer } from '../clock/clock.js';
import { UnpacedClock } from '../clock/unpaced-clock.js';
import { noSecrets, type SecretReader } from '../connector/client-secrets.js';
import type { RouteTables } from '../connector/http/http-route-table.js';
import { runtimeError } from '../errors.js';
import type { RuntimeLog } from '../log.js';
import { DomainMetrics } from '../metrics/domain-metrics.js';
import type { MetricStore } from '../metrics/metric-store.js';
import type { IngestGroupLimits } from '../node/ingest-group.js';
import { type NodeContext, takeSnapshot } from '../node/node-context.js';
import type { HeldBody } from '../node/quiesce-buffer.js';
import type { MemoryPressure } from '../pressure/memory-pressure.js';
import type { SubscriptionEvent, SubscriptionRequest } from '../relay/subscription.js';
import { DomainUdfs } from '../udf/domain-udfs.js';
import { type AdmittedHold, heldLevel, heldNodes, NOTHING_ADMITTED } from './admitted-hold.js';
import { canonicalPlan } from './canonical-plan.js';
import { usedNames } from './definition-uses.js';
import { DomainEndpoints } from './domain-endpoints.js';
import { DomainQuiesce } from './domain-quiesce.js';
import type { DomainState, DomainStatus } from './domain-status.js';
import { DomainSubscriptions } from './domain-subscriptions.js';
import { type ExecutionDelta, executionDelta, pauseOf } from './execution-delta.js';
import { type CarriedState, Graph } from './graph.js';

/** Bound of the drain before an alteration. */
const ALTERATION_DRAIN_MS = 60_000;
const BRANCH_SCAN_MS = 30_000;

/** What a domain is run with. */
export interface DomainOptions {
  readonly domain: string;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: RuntimeLog;
  readonly store: MetricStore;
  readonly nodeId: string;
  readonly routes: RouteTables;
  /** Told when a node's own invariants broke. */
  readonly failed: (error: unknown) => void;
  readonly ingestGroup: IngestGroupLimits;
  /** Reads secrets of the domain; absent where there are none. */
  readonly secrets?: SecretReader;
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
  readonly #endpoints: DomainEndpoints;
  readonly #subscriptions: DomainSubscriptions;
  readonly #quiesce: DomainQuiesce;
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
    this.#endpoints = new DomainEndpoints(options.domain, options.routes, this.#metrics);
    this.#subscriptions = new DomainSubscriptions(this.#metrics);
    this.#quiesce = new DomainQuiesce({
      domain: options.domain,
      nodeId: options.nodeId,
      clock: options.clock,
      alterationMs: options.alterationDrainMs ?? ALTERATION_DRAIN_MS,
      isGivenUp: () => this.#endsWaiting > 0,
      lapsed: () => {
        const text = `the hold for a change of domain '${options.domain}' lapsed before the change came`;
        options.log.warn(text);
      },
    });
  }

  get state(): DomainState {
    return this.#state;
  }

  /**
   * Makes room for a plan without running it: checks its addresses, and holds and drains what it
   * will replace, be it some nodes or the graph, or what was admitted where that is more. A refusal
   * leaves everything as it was. {@link install} or {@link release} must follow.
   */
  prepare(offered: ExecutionPlan, admitted: AdmittedHold = NOTHING_ADMITTED): Promise<void> {
    return this.#inTurn(async () => {
      const plan = canonicalPlan(offered);
      this.#endpoints.check(plan);
      this.#preparedUdfs = this.#loadedUdfs(plan);
      const graph = this.#graph;
      if (graph === null) return;
      try {
        await this.#makeRoom(graph, plan, admitted);
      } catch (error) {
        this.#preparedUdfs = null;
        throw error;
      }
    });
  }

  /** Lets the graph that a preparation holds go on. */
  release(): Promise<void> {
    return this.#inTurn(async () => {
      this.#preparedUdfs = null;
      this.#quiesce.release();
      if (this.#graph !== null && this.#state === 'paused') this.#resume(this.#graph);
    });
  }

  /**
   * Runs a plan, in place of the one before it if there is one. What changes in a running graph and
   * cannot do so while it runs is drained first, and what cannot be drained in time leaves it
   * running; the rest of the graph goes on.
   */
  install(plan: ExecutionPlan): Promise<void> {
    return this.#inTurn(() => this.#install(canonicalPlan(plan)));
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
      this.#quiesce.release();
      this.#state = 'draining';
      for (const ingestor of this.#graph.ingestors) ingestor.refuse();
      const pending = await this.#quiesce.drainForEnd(this.#graph, deadlineMs);
      this.#end('the data plane shut down');
      return { outcome: pending.length === 0 ? 'completed' : 'abandoned', pending };
    });
  }

  /** Ends execution and everything that refers to the domain. */
  remove(): Promise<void> {
    return this.#inEndingTurn(async () => {
      this.#end('the domain was removed');
      this.#carried = new Map();
      this.#subscriptions.end();
      this.#endpoints.remove();
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
    const context = this.#context(graph.plan.generation);
    return this.#subscriptions.open(graph, request, {
      snapshot: () => takeSnapshot(context),
      emit,
    });
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
        waiting: relay.waiting + relay.fenced,
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

  async #makeRoom(graph: Graph, plan: ExecutionPlan, admitted: AdmittedHold): Promise<void> {
    const delta = executionDelta(graph.plan, plan);
    const level = heldLevel(pauseOf(delta), admitted);
    if (level === 'DOMAIN_PAUSE') await this.#pause(graph);
    if (level !== 'ENTITY_PAUSE') return;
    const nodes = heldNodes(delta, admitted);
    await this.#quiesce.holdEntities(graph, plan, nodes, admitted.gates);
  }

  async #install(plan: ExecutionPlan): Promise<void> {
    const old = this.#graph;
    this.#refuseForeign(plan);
    this.#refuseStale(plan, old);
    this.#endpoints.check(plan);
    const udfs = this.#loadedUdfs(plan);
    const delta: ExecutionDelta =
      old === null ? { kind: 'rebuild' } : executionDelta(old.plan, plan);
    if (old !== null && delta.kind !== 'rebuild') {
      await this.#change(old, plan, delta, udfs);
      return;
    }
    this.#quiesce.release();
    const next = new Graph(this.#context(plan.generation), plan, (branch) =>
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
    this.#subscriptions.reattach(next);
    next.start(this.#options.failed);
    this.#endpoints.publish(plan, next.ingestors);
    this.#options.pressure?.apply(this.domain, next.ingestors);
    for (const ingestor of next.ingestors) ingestor.start(held.get(ingestor.name) ?? []);
    this.#state = 'running';
    this.#armScan();
  }

  /** Brings a running graph to a plan that keeps its relays; nothing is lost when it cannot be. */
  async #change(
    graph: Graph,
    plan: ExecutionPlan,
    delta: Exclude<ExecutionDelta, { kind: 'rebuild' }>,
    udfs: DomainUdfs,
  ): Promise<void> {
    if (delta.kind === 'swap') {
      await this.#swap(graph, plan, delta, udfs);
      return;
    }
    const before = this.#udfs;
    this.#udfs = udfs;
    try {
      graph.revise(plan, delta.revised);
      this.#endpoints.follow(plan, graph.ingestors);
    } catch (error) {
      this.#udfs = before;
      throw error;
    }
    this.#preparedUdfs = null;
    this.#quiesce.release();
    if (this.#state === 'paused') this.#resume(graph);
  }

  async #swap(
    graph: Graph,
    plan: ExecutionPlan,
    delta: Extract<ExecutionDelta, { kind: 'swap' }>,
    udfs: DomainUdfs,
  ): Promise<void> {
    const { hold, isDrained } = await this.#quiesce.holdForSwap(graph, plan, delta.swapped);
    const before = this.#udfs;
    this.#udfs = udfs;
    try {
      // Another domain may have taken an address meanwhile.
      this.#endpoints.check(plan);
      const lost = isDrained ? 0 : hold.rowsOf(delta.swapped);
      const held = graph.swap(plan, delta, hold);
      this.#reportDiscarded(lost, 'lapsed', 'nodes were replaced after their hold had lapsed');
      const others = graph.ingestorsAmong(new Set(held.keys()));
      if (others.length > 0) {
        this.#endpoints.publish(plan, graph.ingestors);
        this.#options.pressure?.apply(this.domain, graph.ingestors);
      } else this.#endpoints.follow(plan, graph.ingestors);
      for (const ingestor of others) ingestor.start(held.get(ingestor.name) ?? []);
    } catch (error) {
      this.#udfs = before;
      throw error;
    } finally {
      this.#preparedUdfs = null;
      this.#quiesce.release();
    }
    if (this.#state === 'paused') this.#resume(graph);
  }

  /** The UDFs of a plan, of which those that it calls are loaded. */
  #loadedUdfs(plan: ExecutionPlan): DomainUdfs {
    const udfs = new DomainUdfs(plan.udfs, this.#preparedUdfs ?? this.#udfs);
    udfs.load(usedNames(plan, 'udfs'));
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
    this.#quiesce.release();
    this.#state = 'paused';
    for (const ingestor of graph.ingestors) ingestor.hold();
    const failure = await this.#quiesce.drainForAlteration(graph);
    if (failure === undefined) return;
    this.#resume(graph);
    throw failure;
  }

  #resume(graph: Graph): void {
    for (const ingestor of graph.ingestors) ingestor.start();
    this.#state = 'running';
  }

  #end(reason: string): void {
    const graph = this.#graph;
    if (graph === null) return;
    this.#endpoints.detach();
    this.#quiesce.forget();
    this.#reportDiscarded(graph.heldRows(), 'stopped', `the domain ended: ${reason}`);
    this.#options.pressure?.apply(this.domain, []);
    this.#retire(graph, reason);
    this.#graph = null;
    this.#state = 'stopped';
    this.#scan?.cancel();
  }

  /** Rows of sources that wait for an answer are refused to them; the others are gone. */
  #reportDiscarded(rows: number, reason: 'stopped' | 'lapsed', event: string): void {
    if (rows === 0) return;
    const labels = { target_kind: 'DOMAIN', target: this.domain, reason };
    this.#metrics.counter('nervix_messages_discarded_total', labels).value += rows;
    const text = `domain '${this.domain}' gave rows in flight up: ${event}`;
    this.#options.log.warn(text, { discarded: rows });
  }

  #retire(graph: Graph, reason: string): void {
    this.#subscriptions.detach();
    graph.close(reason);
    this.#carried = graph.exportState();
    for (const presence of this.#presences.values()) presence.reset();
  }

  #armScan(): void {
    this.#scan?.cancel();
    this.#scan = this.#options.clock.after(this.#options.branchScanMs ?? BRANCH_SCAN_MS, () => {
      this.#graph?.scanBranches(this.#quiesce.hold);
      this.#armScan();
    });
  }

  #context(generation: number): NodeContext {
    const { domain, clock, randomBytes, log, ingestGroup, secrets = noSecrets } = this.#options;
    const metrics = this.#metrics;
    const current = (): DomainUdfs => this.#udfs;
    return {
      domain,
      generation,
      clock,
      time: new UnpacedClock(domain, generation, clock),
      randomBytes,
      log,
      metrics,
      ingestGroup,
      secrets,
      get udfs() {
        return current();
      },
    };
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
