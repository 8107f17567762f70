import type { ScheduleState } from '../computation/schedule-state.js';
import { feasibleCandidates } from '../computation/unit-feasibility.js';
import type { Unit } from '../computation/unit-table.js';
import type { RankingChain } from './ranking-policy.js';

/** A candidate with the number that each term of the chain gave it; more is better. */
export interface RankedCandidate {
  readonly node: string;
  readonly scores: Readonly<Record<string, number>>;
}

/**
 * The candidates of one decision, best first. Scores are taken when the ranking is made; places are
 * found on demand, because most decisions ask for the first one or two of hundreds.
 */
export class Ranking {
  readonly #chain: RankingChain;
  readonly #scores: readonly Int32Array[];
  readonly #names: readonly string[];
  readonly #left: number[];
  readonly #ranked: number[] = [];

  constructor(state: ScheduleState, unit: Unit, chain: RankingChain) {
    this.#chain = chain;
    this.#names = state.cluster.names;
    this.#left = [...feasibleCandidates(state, unit)];
    this.#scores = chain.map((component) => {
      const scores = new Int32Array(state.cluster.names.length);
      component.score(state, unit, scores);
      return scores;
    });
  }

  /** The node index at a place, counted from 0, or undefined after the last candidate. */
  at(place: number): number | undefined {
    while (this.#ranked.length <= place && this.#left.length > 0) this.#takeBest();
    return this.#ranked[place];
  }

  /** Every candidate from the best on, with its scores. */
  explanation(): readonly RankedCandidate[] {
    while (this.#left.length > 0) this.#takeBest();
    return this.#ranked.map((node) => ({
      node: this.#names[node] ?? '',
      scores: Object.fromEntries(
        this.#chain.map(({ name }, term) => [name, this.#scores[term]?.[node] ?? 0]),
      ),
    }));
  }

  #takeBest(): void {
    let best = 0;
    for (let index = 1; index < this.#left.length; index += 1) {
      if (this.#isBetter(this.#left[index] ?? 0, this.#left[best] ?? 0)) best = index;
    }
    this.#ranked.push(...this.#left.splice(best, 1));
  }

  /** Strictly better: equal nodes stay in name order. */
  #isBetter(node: number, than: number): boolean {
    for (const scores of this.#scores) {
      const difference = (scores[node] ?? 0) - (scores[than] ?? 0);
      if (difference !== 0) return difference > 0;
    }
    return false;
  }
}
