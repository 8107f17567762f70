import {
  type DomainPlacementInput,
  type DomainPlacementOutcome,
  domainPlacementSteps,
} from '@nervix/planner';
import { DomainResolver, type Steps } from '@nervix/scheduler';
import { inSlices } from './slices.js';

/** Domains of which something is kept at most; those used longest ago are forgotten. */
const DOMAINS_MAX = 32;

/** What is kept of one domain. */
interface KeptPlacement {
  readonly resolver: DomainResolver;
  /** Settles when all work on the domain that was asked for is done. */
  tail: Promise<unknown>;
  committed: { readonly revision: number; readonly outcome: DomainPlacementOutcome } | undefined;
}

/**
 * Resolves what the placement rules of domains amount to, in slices, and keeps what it learned of
 * each domain: a resolver works on one thing at a time, so work on one domain waits for its turn.
 */
export class DomainPlacements {
  readonly #domains = new Map<string, KeptPlacement>();

  /** Does work with the resolver of a domain. */
  async run<Result>(
    domain: string,
    work: (resolver: DomainResolver) => Steps<Result>,
  ): Promise<Result> {
    const kept = this.#use(domain);
    const turn = kept.tail.then(() => inSlices(work(kept.resolver)));
    kept.tail = turn.catch(() => undefined);
    return turn;
  }

  /**
   * The placement of a committed domain.
   *
   * @param revision of the domain, which every change of its models or its default policy moves
   */
  async committed(input: DomainPlacementInput, revision: number): Promise<DomainPlacementOutcome> {
    const { committed } = this.#use(input.domain);
    if (committed?.revision === revision) return committed.outcome;
    const outcome = await this.run(input.domain, (resolver) =>
      domainPlacementSteps({ ...input, resolver }),
    );
    this.#use(input.domain).committed = { revision, outcome };
    return outcome;
  }

  #use(domain: string): KeptPlacement {
    const kept = this.#domains.get(domain) ?? {
      resolver: new DomainResolver(),
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
