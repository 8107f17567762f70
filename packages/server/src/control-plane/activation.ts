import {
  type CodecModel,
  type ExecutionPlan,
  type Model,
  modelDigest,
  modelKey,
  NO_SPANS,
  type SpanLookup,
  type UdfModel,
} from '@nervix/model';
import {
  type ParsedStatement,
  parseStatement,
  printModel,
  UnprintableError,
} from '@nervix/nspl-parser';
import { type DomainModels, type PlanDomainOutcome, planDomain } from '@nervix/planner';
import {
  type DataPlane,
  type DomainStatus,
  executionPause,
  type RuntimeErrorCode,
} from '@nervix/runtime/data-plane';
import { domainKey } from '../replicated-state/record-keys.js';
import type { DomainRecord, GuestReset } from '../replicated-state/records.js';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import { codecDefect, withResources } from '../resources/bound-resources.js';
import type { InstalledVersions } from '../resources/installed-versions.js';
import type { CompiledGraph, Effects, GraphSource } from './execution/effects.js';
import { failed, type Outcome } from './outcome.js';
import { waitingRefusal } from './scheduling/running-graph.js';

interface CanonicalModel {
  readonly model: Model;
  readonly spans: SpanLookup;
}

/** Preparations of UDFs that are remembered. */
const PREPARATIONS_MAX = 256;

/**
 * Brings the data plane to what replicated state says. The plan it installs is made from the
 * canonical text of every model, so the ranges in run-time errors point into what SHOW CREATE
 * prints, on whatever node and after whatever restart.
 */
export class Activation implements Effects {
  readonly #state: ReplicatedState;
  readonly #dataPlane: DataPlane;
  readonly #versions: InstalledVersions;
  readonly #canonical = new WeakMap<Model, CanonicalModel>();
  readonly #failures = new Map<string, string>();
  /** What came of preparing UDFs, by their digest: a list of statements is planned many times. */
  readonly #preparations = new Map<string, Promise<string | undefined>>();
  /** What runs, by domain. */
  readonly #installed = new Map<string, ExecutionPlan>();

  constructor(state: ReplicatedState, dataPlane: DataPlane, installed: InstalledVersions) {
    this.#state = state;
    this.#dataPlane = dataPlane;
    this.#versions = installed;
  }

  async activate(domain: string, graph?: CompiledGraph): Promise<string | undefined> {
    const error = await this.#install(domain, graph);
    if (error === undefined) this.#failures.delete(domain);
    else this.#failures.set(domain, error);
    return error;
  }

  compile({ domain, models, schedule }: GraphSource): CompiledGraph | Outcome {
    const waiting = waitingRefusal(schedule);
    if (waiting !== undefined) return waiting;
    const planned = this.#plan(domain, models, 0);
    if (planned.kind === 'rejected') {
      return failed('ACTIVATION_FAILED', planned.refusals.map(({ message }) => message).join('; '));
    }
    const running = this.#installed.get(domain.name);
    const pause = running === undefined ? 'DYNAMIC' : executionPause(running, planned.plan);
    return { kind: 'compiled', plan: planned.plan, pause };
  }

  prepareUdf(udf: UdfModel): Promise<string | undefined> {
    if (udf.language === 'ROTO_0_13') return Promise.resolve(undefined);
    const digest = modelDigest(udf);
    const known = this.#preparations.get(digest);
    if (known !== undefined) return known;
    const { kind: _kind, ...plan } = udf;
    const preparation = this.#dataPlane.prepareUdfs([plan]);
    this.#preparations.set(digest, preparation);
    // What came of a failing thread is not remembered, and the oldest is forgotten.
    preparation.catch(() => this.#preparations.delete(digest));
    const [oldest = digest] = this.#preparations.keys();
    if (this.#preparations.size > PREPARATIONS_MAX) this.#preparations.delete(oldest);
    return preparation;
  }

  prepareCodec(domain: string, codec: CodecModel): Promise<string | undefined> {
    return codecDefect(this.#versions, domain, codec);
  }

  async engage({ plan }: CompiledGraph): Promise<Outcome | undefined> {
    try {
      await this.#dataPlane.prepare(await withResources(this.#versions, plan));
      return undefined;
    } catch (error) {
      return preparationRefusal(plan.domain, error);
    }
  }

  async prepareReset(reset: GuestReset): Promise<Outcome | undefined> {
    return failed('UNSUPPORTED_CAPABILITY', withoutGuests(reset));
  }

  async resetGuests(reset: GuestReset): Promise<string | undefined> {
    return withoutGuests(reset);
  }

  async release(domain: string): Promise<void> {
    await this.#dataPlane.release(domain);
  }

  async deactivate(domain: string): Promise<void> {
    this.#failures.delete(domain);
    this.#installed.delete(domain);
    await this.#dataPlane.stopDomain(domain);
  }

  async remove(domain: string): Promise<void> {
    this.#failures.delete(domain);
    this.#installed.delete(domain);
    await this.#dataPlane.removeDomain(domain);
  }

  /** What the data plane knows of a domain; nothing of one that it never ran. */
  async status(domain: string): Promise<DomainStatus> {
    try {
      return await this.#dataPlane.nodeStatus(domain);
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      return {
        domain,
        state: 'stopped',
        revision: 0,
        generation: 0,
        relays: [],
        ingestors: [],
        processors: [],
        emitters: [],
        metrics: [],
      };
    }
  }

  /** Why a domain that should run does not, or undefined. */
  failureOf(domain: string): string | undefined {
    return this.#failures.get(domain);
  }

  async #install(domain: string, graph?: CompiledGraph): Promise<string | undefined> {
    const record = this.#state.domain(domain);
    if (record === undefined) return `domain '${domain}' does not exist`;
    const revision = this.#state.revisionOf(domainKey(domain));
    const running = this.#installed.get(domain);
    const isCurrent = running?.revision === revision && running.generation === record.generation;
    if (isCurrent) return undefined;
    const planned: PlanDomainOutcome =
      graph === undefined
        ? this.#plan(record, this.#state.models(domain), revision)
        : { kind: 'accepted', plan: { ...graph.plan, revision }, warnings: [] };
    if (planned.kind === 'rejected') {
      return planned.refusals.map(({ message }) => message).join('; ');
    }
    try {
      await this.#dataPlane.install(await withResources(this.#versions, planned.plan));
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    this.#installed.set(domain, planned.plan);
    return undefined;
  }

  #plan(domain: DomainRecord, stored: DomainModels, revision: number): PlanDomainOutcome {
    const { name, generation } = domain;
    return planDomain({ domain: name, revision, generation, ...this.#canonicalModels(stored) });
  }

  #canonicalModels(stored: DomainModels): { models: DomainModels; spans: SpanLookup } {
    const models = new Map<string, Model>();
    const lookups: SpanLookup[] = [];
    for (const original of stored.values()) {
      const { model, spans } = this.#canonicalModel(original);
      models.set(modelKey(model.kind, model.name), model);
      lookups.push(spans);
    }
    // Nodes are asked for model by model, so the lookup that answered last mostly answers again.
    let latest: SpanLookup | undefined;
    const spanOf: SpanLookup['spanOf'] = (node) => {
      const recent = latest?.spanOf(node);
      if (recent !== undefined) return recent;
      for (const lookup of lookups) {
        const span = lookup.spanOf(node);
        if (span === undefined) continue;
        latest = lookup;
        return span;
      }
      return undefined;
    };
    return { models, spans: { spanOf } };
  }

  #canonicalModel(model: Model): CanonicalModel {
    let canonical = this.#canonical.get(model);
    if (canonical === undefined) {
      const parsed = readCanonical(model);
      canonical =
        parsed?.statement.kind === 'create_model'
          ? { model: parsed.statement.model, spans: parsed.spans }
          : { model, spans: NO_SPANS };
      this.#canonical.set(model, canonical);
    }
    return canonical;
  }
}

function withoutGuests({ processor }: GuestReset): string {
  return `wasm processor '${processor}' has no state here: this release runs no WASM`;
}

/** What the canonical text of a model is read into; undefined of a model that no text stands for. */
function readCanonical(model: Model): ParsedStatement | undefined {
  try {
    const result = parseStatement(printModel(model, { withSecrets: true }));
    return result.kind === 'parsed' ? result.parsed : undefined;
  } catch (error) {
    if (error instanceof UnprintableError) return undefined;
    throw error;
  }
}

function isNotRunning(error: unknown): boolean {
  const code: RuntimeErrorCode = 'RUNTIME_DOMAIN_NOT_RUNNING';
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A drain that failed leaves the domain running as it was. */
function preparationRefusal(domain: string, error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? (error.code as RuntimeErrorCode) : null;
  switch (code) {
    case 'RUNTIME_DRAIN_TIMEOUT':
      return failed('QUIESCE_FAILED', `timed out draining domain '${domain}': ${message}`);
    case 'RUNTIME_ROUTE_CONFLICT':
      return failed('INVALID_MODEL', message);
    case 'RUNTIME_CLOSED':
      return failed('SERVER_BUSY', 'the node is stopping');
    default:
      return failed('ACTIVATION_FAILED', message);
  }
}
