import type { ExecutionPlan, UdfPlan } from '@nervix/model';
import {
  type AdmittedHold,
  type BranchLiterals,
  type DataPlane,
  type DomainStatus,
  type DrainResult,
  type MetricSample,
  runtimeError,
  type SecureHost,
  type SubscriptionHandle,
  type SubscriptionReader,
  type SubscriptionRequest,
} from '@nervix/runtime';

type Figures = Omit<DomainStatus, 'domain' | 'state' | 'revision' | 'generation'>;

const NO_FIGURES: Figures = {
  relays: [],
  ingestors: [],
  processors: [],
  emitters: [],
  metrics: [],
};

/** A data plane that runs nothing: it remembers which plan each domain has. */
export class FakeDataPlane implements DataPlane {
  readonly httpAddress = { host: '127.0.0.1', port: 0 };
  /** Plans that are in force, by domain. */
  readonly plans = new Map<string, ExecutionPlan>();
  /** Every plan that was offered, in order. */
  readonly offered: ExecutionPlan[] = [];
  /** Figures of a domain's status beside its plan. */
  figures: Partial<Figures> = {};
  samples: readonly MetricSample[] = [];
  /** Branches that live, as `relay` and the literals of the key. */
  readonly branches: { readonly relay: string; readonly key: BranchLiterals }[] = [];
  /** Decides on each plan: a text refuses it. May wait. */
  onInstall: (plan: ExecutionPlan) => Promise<string | undefined> | string | undefined = () =>
    undefined;
  onSubscribe: (request: SubscriptionRequest, reader: SubscriptionReader) => void = () => undefined;
  readonly #generations = new Map<string, ExecutionPlan>();

  /** Domains that a preparation holds. */
  readonly held = new Set<string>();
  /** Everything that was prepared, in order. */
  readonly preparations: ExecutionPlan[] = [];
  /** What was prepared last of each domain, whatever became of it. */
  readonly prepared = new Map<string, ExecutionPlan>();
  /** Refuses a preparation with the error that it returns. May wait. */
  onPrepare: (plan: ExecutionPlan) => Promise<Error | undefined> | Error | undefined = () =>
    undefined;

  async listen(): Promise<void> {}

  /** What was admitted to be held with each of these; undefined where nobody said. */
  readonly admissions: (AdmittedHold | undefined)[] = [];

  async prepare(plan: ExecutionPlan, admitted?: AdmittedHold): Promise<void> {
    const error = await this.onPrepare(plan);
    if (error !== undefined) throw error;
    this.prepared.set(plan.domain, plan);
    this.preparations.push(plan);
    this.admissions.push(admitted);
    if (this.plans.has(plan.domain)) this.held.add(plan.domain);
  }

  /** UDFs that were offered, in order, and what is said of each. */
  readonly preparedUdfs: UdfPlan[] = [];
  onPrepareUdf: (udf: UdfPlan) => string | undefined = () => undefined;

  async prepareUdfs(udfs: readonly UdfPlan[]): Promise<string | undefined> {
    this.preparedUdfs.push(...udfs);
    return udfs.map(this.onPrepareUdf).find((problem) => problem !== undefined);
  }

  async release(domain: string): Promise<void> {
    this.held.delete(domain);
  }

  async install(plan: ExecutionPlan): Promise<void> {
    this.offered.push(plan);
    const problem = await this.onInstall(plan);
    const { domain, revision } = plan;
    if (problem !== undefined) throw runtimeError('RUNTIME_INVALID_PLAN', { domain, problem });
    const installed = this.#generations.get(domain);
    if (installed !== undefined && installed.generation === plan.generation) {
      const isRunning = this.plans.has(domain);
      if (isRunning && installed.revision >= revision) {
        throw runtimeError('RUNTIME_STALE_PLAN', {
          domain,
          revision,
          installed: installed.revision,
        });
      }
    }
    this.#generations.set(domain, plan);
    this.plans.set(domain, plan);
    this.held.delete(domain);
  }

  /** Virtual hosts that are served over TLS, by domain. */
  readonly served = new Map<string, readonly SecureHost[]>();
  /** Decides on what a domain is to be served with: an error refuses it. May wait. */
  onServe: (hosts: readonly SecureHost[]) => Promise<Error | undefined> | Error | undefined = () =>
    undefined;

  async serveHosts(domain: string, hosts: readonly SecureHost[]): Promise<void> {
    const error = await this.onServe(hosts);
    if (error !== undefined) throw error;
    this.served.set(domain, hosts);
  }

  async stopDomain(domain: string): Promise<void> {
    this.plans.delete(domain);
    this.held.delete(domain);
    this.prepared.delete(domain);
  }

  /** Domains that were forgotten, in order. */
  readonly removed: string[] = [];

  async removeDomain(domain: string): Promise<void> {
    this.removed.push(domain);
    this.served.delete(domain);
    this.plans.delete(domain);
    this.#generations.delete(domain);
  }

  async drain(): Promise<DrainResult> {
    return { outcome: 'completed', pending: [] };
  }

  async metrics(): Promise<readonly MetricSample[]> {
    return this.samples;
  }

  async hasBranch(domain: string, relay: string, key: BranchLiterals): Promise<boolean> {
    const text = JSON.stringify(key);
    const isAlive = this.branches.some(
      (branch) => branch.relay === relay && JSON.stringify(branch.key) === text,
    );
    return isAlive && this.plans.has(domain);
  }

  async nodeStatus(domain: string): Promise<DomainStatus> {
    const plan = this.plans.get(domain);
    if (plan === undefined) throw runtimeError('RUNTIME_DOMAIN_NOT_RUNNING', { domain });
    const { revision, generation } = plan;
    return { domain, state: 'running', revision, generation, ...NO_FIGURES, ...this.figures };
  }

  async openSubscription(
    request: SubscriptionRequest,
    reader: SubscriptionReader,
  ): Promise<SubscriptionHandle> {
    if (!this.plans.has(request.domain)) {
      throw runtimeError('RUNTIME_DOMAIN_NOT_RUNNING', { domain: request.domain });
    }
    this.onSubscribe(request, reader);
    return { close: async () => undefined };
  }

  async close(): Promise<void> {
    this.plans.clear();
  }

  /** Names of the relays that run in a domain, sorted. */
  relaysOf(domain: string): readonly string[] {
    return (this.plans.get(domain)?.relays ?? []).map(({ name }) => name).sort();
  }
}
