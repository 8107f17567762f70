import { readOrigin } from '../connect-options.js';

/** Learned endpoints that are remembered; the oldest goes first. */
const LEARNED_MAX = 32;

/** What a server's word about another endpoint came to. */
export type LearnedEndpoint =
  | { readonly kind: 'learned'; readonly origin: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The nodes that a client may turn to: those it was given, and those that servers named (CL-46).
 * A client that was started over `https` takes no `http` endpoint (CL-8).
 */
export class Endpoints {
  readonly #seeds: readonly string[];
  readonly #learned: Set<string> = new Set();
  readonly #isSecure: boolean;

  /** @param seeds origins, the configured server first */
  constructor(seeds: readonly string[]) {
    this.#seeds = seeds;
    this.#isSecure = seeds[0]?.startsWith('https:') ?? false;
  }

  /** Takes in an address that a server named. */
  learn(address: string): LearnedEndpoint {
    let origin: string;
    try {
      origin = readOrigin(address);
    } catch (error) {
      return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
    }
    if (this.#isSecure && origin.startsWith('http:')) {
      return { kind: 'refused', reason: 'a client of https does not follow to http' };
    }
    if (!this.#seeds.includes(origin)) {
      this.#learned.add(origin);
      const [oldest] = this.#learned;
      if (this.#learned.size > LEARNED_MAX && oldest !== undefined) this.#learned.delete(oldest);
    }
    return { kind: 'learned', origin };
  }

  /**
   * Origins in the order in which a new session tries them (CL-48): the leader that was named, the
   * configured ones, the learned ones oldest first, and at last the server of the session before.
   */
  candidates({
    leader,
    previous,
  }: {
    readonly leader: string | undefined;
    readonly previous: string | undefined;
  }): readonly string[] {
    const known = [...this.#seeds, ...this.#learned];
    const others = known.filter((origin) => origin !== previous && origin !== leader);
    const last = previous === undefined || previous === leader ? [] : [previous];
    return [...(leader === undefined ? [] : [leader]), ...others, ...last];
  }
}
