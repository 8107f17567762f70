/** How long gates of entities stand, and the clock of whoever asks for them. */
export interface GateTerms {
  /** Milliseconds until a node opens its gates by itself. */
  readonly leaseMs: number;
  /** Milliseconds that no change of the time of day moves. */
  monotonicMs(): number;
}

/** Share of a lease that is left when an effect is proposed: what a write and its activation may take. */
const MARGIN = 0.1;

/**
 * The lease of gates that are about to be asked for, as their coordinator counts it: it begins before
 * the first request leaves, so that it is over no later than that of any node.
 */
export class GateLease {
  /** The nodes of the graph that it is for, as `KIND name`. */
  readonly nodes: readonly string[];
  readonly #terms: GateTerms;
  readonly #endMs: number;

  constructor(terms: GateTerms, nodes: readonly string[]) {
    this.nodes = nodes;
    this.#terms = terms;
    this.#endMs = terms.monotonicMs() + terms.leaseMs;
  }

  /** Whether enough of it is left for an effect to find the gates closed. */
  get hasMargin(): boolean {
    const { leaseMs } = this.#terms;
    return this.#endMs - this.#terms.monotonicMs() >= leaseMs * MARGIN;
  }

  /** Why an effect may not be proposed any more, in words. */
  get shortage(): string {
    return `less than a tenth of the gate lease of ${this.#terms.leaseMs}ms is left`;
  }
}
