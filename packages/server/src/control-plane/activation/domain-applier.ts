import type { ExecutionPlan, VhostModel } from '@nervix/model';
import { type QuiesceLevel, widerLevel } from '@nervix/planner';
import { type DataPlane, executionPause, type RuntimeErrorCode } from '@nervix/runtime/data-plane';
import type { DomainFailure } from '../../cluster/activation-messages.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { withResources } from '../../resources/bound-resources.js';
import type { InstalledVersions } from '../../resources/installed-versions.js';
import { SecureHostError, secureHosts } from '../../resources/secure-hosts.js';
import type { CompiledGraph } from '../execution/effects.js';
import { GraphCompiler } from './graph-compiler.js';
import { ownPart } from './own-part.js';

/** What the appliers of a node work with. */
export interface ApplierPorts {
  readonly state: ReplicatedState;
  readonly dataPlane: DataPlane;
  readonly versions: InstalledVersions;
  /** Name of the node. */
  readonly node: string;
  /** Runs something later; the time is in milliseconds. */
  after(delayMs: number, run: () => void): void;
}

/** What a domain is to be on this node, as one published revision says. */
type Target =
  | { readonly kind: 'absent'; readonly revision: undefined }
  | { readonly kind: 'stopped' | 'running'; readonly revision: number };

/** A target of which only the start is missing. */
interface Prepared {
  readonly target: Target;
  /** The whole graph; undefined where none is to run. */
  readonly graph: ExecutionPlan | undefined;
  /** What of it this node has to start; undefined where that is nothing. */
  readonly own: ExecutionPlan | undefined;
  /** The same without the contents of its resources. */
  readonly part: ExecutionPlan | undefined;
}

const NOTHING: Omit<Prepared, 'target'> = { graph: undefined, own: undefined, part: undefined };

/** How soon a preparation that did not drain in time is tried again. */
const DRAIN_RETRY_MS = 100;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;

const LISTENER_FAULTS: ReadonlySet<RuntimeErrorCode | undefined> = new Set<RuntimeErrorCode>([
  'RUNTIME_SECURE_HOST_REFUSED',
  'RUNTIME_LISTEN_FAILED',
]);

/** An application that came to nothing. */
interface FailedTarget {
  readonly target: Target;
  readonly cause: string;
  /** Whether it only took too long, so that nobody is told before it was tried again. */
  readonly isPassing: boolean;
  readonly isOfListeners: boolean;
  /** Whether it is time to try again. */
  isDue: boolean;
}

/** What a preparation met that no repetition changes, as long as the revision is the same. */
class RefusedGraph extends Error {}

/** What a node cannot present at its listeners, though the rest of the domain is prepared. */
class ListenerFailure extends Error {}

/**
 * Brings one domain on one node to what is published of it, each revision at most once, first
 * prepared and then, when everyone is, started. What is newer when a step is over replaces what was
 * on its way. What fails is not recorded as applied and is tried again; what ran before goes on
 * meanwhile.
 */
export class DomainApplier {
  readonly domain: string;
  /** Knows the graph that runs, so that the next one costs what differs. */
  readonly compiler: GraphCompiler = new GraphCompiler();
  readonly #ports: ApplierPorts;
  readonly #mayStart: (revision: number) => boolean;
  readonly #changed: () => void;
  /** What is in force; undefined before anything was applied. */
  #applied: Target | undefined;
  #graph: ExecutionPlan | undefined;
  /** What of the graph this node runs. */
  #part: ExecutionPlan | undefined;
  #prepared: Prepared | undefined;
  #failed: FailedTarget | undefined;
  #failures = 0;
  #handed: { readonly revision: number; readonly graph: CompiledGraph } | undefined;
  /** The virtual hosts that the data plane serves over TLS. */
  #served: readonly VhostModel[] = [];
  /** While a command holds the graph, it decides what comes next. */
  #isEngaged = false;
  /** Whether the data plane may know the domain. */
  #isKnown = false;
  #work: Promise<void> | undefined;
  #isAsked = false;
  #preparedTo: number | undefined;
  #readyTo: number | undefined;

  /**
   * @param mayStart whether everyone has prepared the domain at a revision
   * @param changed called whenever progress or failures may be others
   */
  constructor(
    domain: string,
    ports: ApplierPorts,
    mayStart: (revision: number) => boolean,
    changed: () => void,
  ) {
    this.domain = domain;
    this.#ports = ports;
    this.#mayStart = mayStart;
    this.#changed = changed;
  }

  /** The whole graph of which this node runs its part; undefined while it runs none. */
  get graph(): ExecutionPlan | undefined {
    return this.#applied?.kind === 'running' ? this.#graph : undefined;
  }

  /**
   * What a graph that is placed by a schedule asks to be held of the one that runs. Where work moves,
   * the node's own part may ask for more than the whole.
   */
  pauseOf(plan: ExecutionPlan, schedule: CompiledGraph['schedule']): QuiesceLevel {
    const { graph } = this;
    if (graph === undefined) return 'DYNAMIC';
    const level = executionPause(graph, plan);
    const part = ownPart(plan, schedule, this.#ports.node);
    if (this.#part === undefined || part.kind !== 'part') return level;
    const isWhole = this.#part === graph && part.plan === plan;
    return isWhole ? level : widerLevel(level, executionPause(this.#part, part.plan));
  }

  /** Resolves when the applier waits for something; what runs stays what it is until it goes on. */
  async rest(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Work that is under way; undefined while the applier waits for something. */
  get work(): Promise<void> | undefined {
    return this.#work;
  }

  /** Whether a command holds the graph. */
  get isEngaged(): boolean {
    return this.#isEngaged;
  }

  /** Whether a domain that is gone has left nothing behind. */
  get isOver(): boolean {
    const isGone = this.#target().kind === 'absent' && this.#applied?.kind === 'absent';
    return isGone && this.#work === undefined && !this.#isEngaged;
  }

  /** Why the domain is not what is published, or undefined. */
  get failure(): DomainFailure | undefined {
    if (this.#failed === undefined || this.#failed.isPassing) return undefined;
    const { cause, target, isOfListeners } = this.#failed;
    // As progress is: what the target was published at is not the same on a node that has read it
    // from a snapshot, which says nothing of removals.
    const { revision: visible } = this.#ports.state;
    const revision = isSame(target, this.#target()) ? visible : target.revision;
    if (revision === undefined) return undefined;
    const failure = { domain: this.domain, revision, cause };
    return isOfListeners ? { ...failure, isOfListeners } : failure;
  }

  /** The domain was what it was to be up to a revision of the whole state. */
  progressed(visible: number): void {
    if (this.#applied === undefined) return;
    this.#preparedTo = visible;
    this.#readyTo = visible;
  }

  /**
   * How far the domain is, as revisions of the whole state.
   *
   * @param visible the newest published one
   */
  progress(visible: number): { prepared: number | undefined; ready: number | undefined } {
    const target = this.#target();
    if (isSame(target, this.#applied)) this.#readyTo = visible;
    if (isSame(target, this.#applied) || isSame(target, this.#prepared?.target)) {
      this.#preparedTo = visible;
    }
    return { prepared: this.#preparedTo, ready: this.#readyTo };
  }

  /** Looks whether there is something to do. */
  kick(): void {
    this.#isAsked = true;
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
      this.#changed();
      // Somebody may have asked between the last look and now.
      if (this.#isAsked) this.kick();
    });
  }

  /**
   * Holds what a graph replaces that is about to be written, and what was admitted besides.
   *
   * @throws Error when it cannot be held, or not be run; nothing is held then
   */
  async engage({ plan, schedule, admitted }: CompiledGraph): Promise<void> {
    this.#isEngaged = true;
    try {
      await this.#work;
      const own = this.#own(plan, schedule);
      if (own === undefined) return;
      this.#isKnown = true;
      const loaded = await withResources(this.#ports.versions, own);
      await this.#ports.dataPlane.prepare(loaded, admitted);
    } catch (error) {
      this.#isEngaged = false;
      this.kick();
      throw error;
    }
  }

  /** Lets go on what is held, and follows what is published. */
  async release(): Promise<void> {
    this.#isEngaged = false;
    if (this.#isKnown) await this.#ports.dataPlane.release(this.domain);
    this.kick();
  }

  /**
   * Takes what is published up, once more if it failed before.
   *
   * @param graph what was held for it, if anything was
   * @returns the revision of what is published
   */
  take(graph: CompiledGraph | undefined): number | undefined {
    const { revision } = this.#target();
    this.#isEngaged = false;
    this.#failed = undefined;
    if (graph !== undefined && revision !== undefined) this.#handed = { revision, graph };
    this.kick();
    return revision;
  }

  /** Another member cannot prepare what this one waits to start: what ran before goes on. */
  async waitUnheld(revision: number): Promise<void> {
    const waiting = this.#prepared?.target.revision;
    const isHeld = waiting !== undefined && waiting <= revision;
    if (isHeld && !this.#isEngaged) await this.#letGo();
  }

  /** Lets go for nobody who could be told of a fault; a plane that fails or closes holds nothing. */
  async #letGo(): Promise<void> {
    if (this.#isKnown) await this.#ports.dataPlane.release(this.domain).catch(() => undefined);
  }

  async #run(): Promise<void> {
    // Whoever asked goes on before the first step.
    await Promise.resolve();
    while (this.#isAsked) {
      this.#isAsked = false;
      while (!this.#isEngaged && (await this.#step()));
    }
  }

  /** @returns whether there may be more to do */
  async #step(): Promise<boolean> {
    const target = this.#target();
    if (isSame(target, this.#applied)) return false;
    if (isSame(target, this.#failed?.target) && this.#failed?.isDue !== true) return false;
    try {
      if (!isSame(target, this.#prepared?.target)) {
        this.#prepared = await this.#prepare(target);
        this.#preparedTo = laterOf(this.#preparedTo, target.revision);
        this.#changed();
        return true;
      }
      const { own } = this.#prepared ?? {};
      const isFree = own === undefined || this.#mayStart(own.revision);
      if (!isFree) return false;
      if (own !== undefined) await this.#ports.dataPlane.install(own);
      this.#record(target);
    } catch (error) {
      await this.#fail(target, error);
    }
    this.#changed();
    return true;
  }

  async #prepare(target: Target): Promise<Prepared> {
    const { dataPlane, versions } = this.#ports;
    if (target.kind === 'absent') {
      await dataPlane.removeDomain(this.domain);
      this.#served = [];
      return { target, ...NOTHING };
    }
    if (target.kind === 'stopped') {
      await this.#stop();
      await this.#serveHosts();
      return { target, ...NOTHING };
    }
    const isHeld = this.#handed?.revision === target.revision;
    const graph = this.#compiled(target.revision);
    const own = this.#own(graph, this.#ports.state.schedule(this.domain));
    if (own === undefined) {
      await this.#stop();
      await this.#serveHosts();
      return { target, ...NOTHING, graph };
    }
    const loaded = await withResources(versions, own);
    this.#isKnown = true;
    if (!isHeld) await dataPlane.prepare(loaded);
    await this.#serveHosts();
    return { target, graph, own: loaded, part: own };
  }

  /** Every node serves all hosts of a domain, whether or not it runs. */
  async #serveHosts(): Promise<void> {
    const { dataPlane, versions, state, node } = this.#ports;
    const wanted = state.models(this.domain).secureHosts();
    const isServed =
      wanted.length === this.#served.length &&
      wanted.every((vhost, place) => vhost === this.#served[place]);
    if (isServed) return;
    try {
      await dataPlane.serveHosts(this.domain, await secureHosts(versions, this.domain, wanted));
      this.#served = wanted;
    } catch (error) {
      if (!(error instanceof SecureHostError) && !LISTENER_FAULTS.has(codeOf(error))) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      throw new ListenerFailure(
        `failed to install the HTTPS listener TLS configuration on node '${node}': ${cause}`,
        { cause: error },
      );
    }
  }

  #compiled(revision: number): ExecutionPlan {
    const { state } = this.#ports;
    const handed = this.#handed;
    if (handed?.revision === revision) return { ...handed.graph.plan, revision };
    const record = state.domain(this.domain);
    if (record === undefined) throw new RefusedGraph(`domain '${this.domain}' does not exist`);
    const planned = this.compiler.plan(record, state.models(this.domain), revision);
    if (planned.kind === 'accepted') return planned.plan;
    throw new RefusedGraph(planned.refusals.map(({ message }) => message).join('; '));
  }

  #own(graph: ExecutionPlan, schedule: CompiledGraph['schedule']): ExecutionPlan | undefined {
    const part = ownPart(graph, schedule, this.#ports.node);
    if (part.kind === 'part') return part.plan;
    if (part.kind === 'none') return undefined;
    throw new RefusedGraph(
      `relay '${part.relay}' runs on another node, which nodes of this release cannot reach`,
    );
  }

  async #stop(): Promise<void> {
    if (this.#isKnown) await this.#ports.dataPlane.stopDomain(this.domain);
  }

  #record(target: Target): void {
    this.#applied = target;
    this.#readyTo = laterOf(this.#readyTo, target.revision);
    this.#graph = this.#prepared?.graph;
    this.#part = this.#prepared?.part;
    this.#prepared = undefined;
    this.#handed = undefined;
    this.#failed = undefined;
    this.#failures = 0;
    if (target.kind === 'absent') this.#isKnown = false;
    if (target.kind !== 'running') this.compiler.forget();
  }

  async #fail(target: Target, error: unknown): Promise<void> {
    this.#prepared = undefined;
    this.#handed = undefined;
    const code = codeOf(error);
    await this.#letGo();
    const cause = error instanceof Error ? error.message : String(error);
    const isPassing = code === 'RUNTIME_DRAIN_TIMEOUT';
    const isOfListeners = error instanceof ListenerFailure;
    const failed = { target, cause, isPassing, isOfListeners, isDue: false };
    this.#failed = failed;
    if (error instanceof RefusedGraph || code === 'RUNTIME_CLOSED') return;
    this.#failures += 1;
    const backoffMs = Math.min(RETRY_MS_MIN * 2 ** (this.#failures - 1), RETRY_MS_MAX);
    this.#ports.after(isPassing ? DRAIN_RETRY_MS : backoffMs, () => {
      failed.isDue = true;
      this.kick();
    });
  }

  #target(): Target {
    const { state } = this.#ports;
    const record = state.domain(this.domain);
    const revision = state.runtimeRevisionOf(this.domain);
    if (record === undefined || revision === undefined) {
      return { kind: 'absent', revision: undefined };
    }
    return { kind: record.status, revision };
  }
}

function isSame(left: Target, right: Target | undefined): boolean {
  return left.kind === right?.kind && left.revision === right.revision;
}

function laterOf(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function codeOf(error: unknown): RuntimeErrorCode | undefined {
  return error instanceof Error && 'code' in error ? (error.code as RuntimeErrorCode) : undefined;
}
