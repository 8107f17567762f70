import { type CodecModel, modelDigest, type UdfModel, type VhostModel } from '@nervix/model';
import type { DomainStatus, RuntimeErrorCode } from '@nervix/runtime/data-plane';
import type { ActivationBarrier } from '../../cluster/activation-barrier.js';
import type { GuestReset } from '../../replicated-state/records.js';
import { codecDefect } from '../../resources/bound-resources.js';
import { secureHostDefect } from '../../resources/secure-hosts.js';
import type { CompiledGraph, Effects, GraphSource } from '../execution/effects.js';
import { failed, type Outcome } from '../outcome.js';
import { waitingRefusal } from '../scheduling/running-graph.js';
import type { ApplierPorts } from './domain-applier.js';
import type { NodeApplier } from './node-applier.js';

/** Preparations of UDFs that are remembered. */
const PREPARATIONS_MAX = 256;

type ActivationPorts = Pick<ApplierPorts, 'state' | 'dataPlane' | 'versions'>;

/**
 * The side effects of commands. What runs follows what is published by itself, on every node; a
 * command holds what it is about to replace, and waits until its own revision is in force wherever
 * it has to be.
 */
export class Activation implements Effects {
  readonly #ports: ActivationPorts;
  readonly #applier: NodeApplier;
  readonly #barrier: ActivationBarrier;
  /** What came of preparing UDFs, by their digest: a list of statements is planned many times. */
  readonly #preparations = new Map<string, Promise<string | undefined>>();

  constructor(ports: ActivationPorts, applier: NodeApplier, barrier: ActivationBarrier) {
    this.#ports = ports;
    this.#applier = applier;
    this.#barrier = barrier;
  }

  async activate(domain: string, graph?: CompiledGraph): Promise<string | undefined> {
    const revision = this.#applier.of(domain).take(graph);
    if (revision === undefined) return `domain '${domain}' does not exist`;
    this.#applier.report();
    return this.#barrier.ready(domain, revision);
  }

  async compile(source: GraphSource): Promise<CompiledGraph | Outcome> {
    const { domain, models, schedule, admitted } = source;
    const waiting = waitingRefusal(schedule);
    if (waiting !== undefined) return waiting;
    const applier = this.#applier.of(domain.name);
    await this.#caughtUp(domain.name);
    const planned = applier.compiler.plan(domain, models, 0);
    if (planned.kind === 'rejected') {
      return failed('ACTIVATION_FAILED', planned.refusals.map(({ message }) => message).join('; '));
    }
    const pause = applier.pauseOf(planned.plan, schedule);
    return { kind: 'compiled', plan: planned.plan, schedule, pause, admitted };
  }

  /** Resolves when every required member runs what is published of a domain, or cannot. */
  async #caughtUp(domain: string): Promise<void> {
    const revision = this.#ports.state.runtimeRevisionOf(domain);
    const applier = this.#applier.of(domain);
    // What a command holds follows nothing until it lets go.
    if (applier.isEngaged) return;
    if (revision !== undefined) await this.#barrier.ready(domain, revision);
    await applier.rest();
  }

  prepareUdf(udf: UdfModel): Promise<string | undefined> {
    if (udf.language === 'ROTO_0_13') return Promise.resolve(undefined);
    const digest = modelDigest(udf);
    const known = this.#preparations.get(digest);
    if (known !== undefined) return known;
    const { kind: _kind, ...plan } = udf;
    const preparation = this.#ports.dataPlane.prepareUdfs([plan]);
    this.#preparations.set(digest, preparation);
    // What came of a failing thread is not remembered, and the oldest is forgotten.
    preparation.catch(() => this.#preparations.delete(digest));
    const [oldest = digest] = this.#preparations.keys();
    if (this.#preparations.size > PREPARATIONS_MAX) this.#preparations.delete(oldest);
    return preparation;
  }

  prepareCodec(domain: string, codec: CodecModel): Promise<string | undefined> {
    return codecDefect(this.#ports.versions, domain, codec);
  }

  prepareVhost(domain: string, vhost: VhostModel): Promise<string | undefined> {
    return secureHostDefect(this.#ports.versions, domain, vhost);
  }

  async engage(graph: CompiledGraph): Promise<Outcome | undefined> {
    const { domain } = graph.plan;
    try {
      await this.#applier.of(domain).engage(graph);
      return undefined;
    } catch (error) {
      return preparationRefusal(error);
    }
  }

  async prepareReset(reset: GuestReset): Promise<Outcome | undefined> {
    return failed('UNSUPPORTED_CAPABILITY', withoutGuests(reset));
  }

  async resetGuests(reset: GuestReset): Promise<string | undefined> {
    return withoutGuests(reset);
  }

  async release(domain: string): Promise<void> {
    await this.#applier.of(domain).release();
  }

  async deactivate(domain: string): Promise<void> {
    const revision = this.#applier.of(domain).take(undefined);
    this.#applier.report();
    if (revision !== undefined) await this.#ended(domain, revision);
  }

  async remove(domain: string): Promise<void> {
    const { revision } = this.#ports.state;
    if (revision !== undefined) await this.#ended(domain, revision);
  }

  /**
   * An end that does not come about is a fault of a node: nothing of the domain has to be right for
   * it, not even what it presents at listeners.
   */
  async #ended(domain: string, revision: number): Promise<void> {
    const failure = await this.#barrier.ended(domain, revision);
    if (failure !== undefined) throw new Error(failure);
  }

  async inForce(revision: number, domain: string | null): Promise<void> {
    await this.#barrier.visible(revision);
    const isItsOwn = domain !== null && this.#ports.state.runtimeRevisionOf(domain) === revision;
    // Who answers for a leader that came no further has not waited for it yet.
    if (isItsOwn) await this.#barrier.ready(domain, revision);
  }

  async settled(): Promise<void> {
    await this.#applier.settled();
  }

  /** What the data plane knows of a domain; nothing of one that it never ran. */
  async status(domain: string): Promise<DomainStatus> {
    try {
      return await this.#ports.dataPlane.nodeStatus(domain);
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
    return this.#applier.of(domain).failure?.cause;
  }
}

function withoutGuests({ processor }: GuestReset): string {
  return `wasm processor '${processor}' has no state here: this release runs no WASM`;
}

function isNotRunning(error: unknown): boolean {
  const code: RuntimeErrorCode = 'RUNTIME_DOMAIN_NOT_RUNNING';
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A drain that failed leaves the domain running as it was. */
function preparationRefusal(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? (error.code as RuntimeErrorCode) : null;
  switch (code) {
    case 'RUNTIME_DRAIN_TIMEOUT':
      return failed('QUIESCE_FAILED', message);
    case 'RUNTIME_ROUTE_CONFLICT':
      return failed('INVALID_MODEL', message);
    case 'RUNTIME_CLOSED':
      return failed('SERVER_BUSY', 'the node is stopping');
    default:
      return failed('ACTIVATION_FAILED', message);
  }
}
