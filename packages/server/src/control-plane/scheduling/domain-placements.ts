import {
  type DomainPlacementOutcome,
  domainPlacementSteps,
  ModelRegistry,
  type ModelSet,
} from '@nervix/planner';
import type { Steps } from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';
import { inSlices } from './slices.js';

/** Domains of which something is kept at most; those used longest ago are forgotten. */
const DOMAINS_MAX = 32;

/** What is kept of one domain. */
interface KeptPlacement {
  readonly registry: ModelRegistry;
  /** Settles when all work on the domain that was asked for is done. */
  tail: Promise<unknown>;
  committed: { readonly revision: number; readonly outcome: DomainPlacementOutcome } | undefined;
}

/**
 * Plans domains and resolves what their placement rules amount to, in slices, and keeps what it
 * learned of each domain: a registry works on one thing at a time, so work on one domain waits for its
 * turn.
 */
export class DomainPlacements {
  readonly #domains = new Map<string, KeptPlacement>();

  /** Does work with the registry of a domain. */
  async run<Result>(
    domain: string,
    work: (registry: ModelRegistry) => Steps<Result>,
  ): Promise<Result> {
    const kept = this.#use(domain);
    const turn = kept.tail.then(() => inSlices(work(kept.registry)));
    kept.tail = turn.catch(() => undefined);
    return turn;
  }

  /**
   * The placement of a committed domain.
   *
   * @param models of the domain at the revision
   * @param revision of the domain, which every change of its models or its default policy moves
   */
  async committed(
    { name, placement: defaultPolicy }: Pick<DomainRecord, 'name' | 'placement'>,
    models: ModelSet,
    revision: number,
  ): Promise<DomainPlacementOutcome> {
    const { committed } = this.#use(name);
    if (committed?.revision === revision) return committed.outcome;
    const outcome = await this.run(name, (registry) => {
      registry.follow(models);
      const { resolver } = registry;
      return domainPlacementSteps({ domain: name, models, defaultPolicy, resolver });
    });
    this.#use(name).committed = { revision, outcome };
    return outcome;
  }

  #use(domain: string): KeptPlacement {
    const kept = this.#domains.get(domain) ?? {
      registry: new ModelRegistry(),
      tail: Promise.resolve(),
      committed: undefined,
    };
    this.#domains.delete(domain);
    this.#domains.set(domain, kept);
    const [oldest] = this.#domains.keys();
    if (this.#domains.size > DOMAINS_MAX && oldest !== undefined) this.#domains.delete(oldest);
    return kept;
  }
}
