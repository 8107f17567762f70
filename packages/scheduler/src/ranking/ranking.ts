import type { ScheduleState } from '../computation/schedule-state.js';
import { feasibleCandidates } from '../computation/unit-feasibility.js';
import type { Unit } from '../computation/unit-table.js';
import type { RankingChain } from './ranking-policy.js';
import type { ScoreComponent } from './score-component.js';
import { RESOURCE_COMPONENTS } from './weighted-score.js';

/** Places beyond which sorting all candidates costs less than looking for the best again. */
const SELECTED_MAX = 16;

/** A candidate with the number that each term of the chain gave it; more is better. */
export interface RankedCandidate {
  readonly node: string;
  readonly scores: Readonly<Record<string, number>>;
}

/** Candidates of one decision, best first, and how many more there are. */
export interface RankedCandidates {
  readonly candidates: readonly RankedCandidate[];
  readonly omitted: number;
}

/**
 * The candidates of one decision, best first. Scores are taken when the ranking is made; places are
 * found on demand, because most decisions ask for the first one or two of hundreds. A ranking is
 * good until the next one of the same computation, which takes its scores into the same arrays.
 */
export class Ranking {
  readonly #shown: readonly Term[];
  readonly #compared: readonly Int32Array[];
  readonly #names: readonly string[];
  readonly #left: number[];
  readonly #ranked: number[] = [];

  constructor(state: ScheduleState, unit: Unit, chain: RankingChain) {
    this.#names = state.cluster.names;
    this.#left = [...feasibleCandidates(state, unit)];
    const weighted = state.policy === 'score/2' ? weightedTerms(state, unit) : [];
    const terms = chain.map((component, place) =>
      termOf(state, unit, component, weighted.length + place),
    );
    this.#shown = [...weighted, ...terms];
    this.#compared = [...weighted.slice(-1), ...terms].map(({ scores }) => scores);
  }

  /** The node index at a place, counted from 0, or undefined after the last candidate. */
  at(place: number): number | undefined {
    while (this.#ranked.length <= place && this.#left.length > 0) this.#takeBest();
    return this.#ranked[place];
  }

  /**
   * Candidates from the best on, with their scores.
   *
   * @param max how many at most
   * @param always index of a node that is listed behind them where it is another candidate, or -1
   */
  explanation(max: number, always: number): RankedCandidates {
    if (max > SELECTED_MAX) this.#rankAll();
    while (this.#ranked.length < max && this.#left.length > 0) this.#takeBest();
    const others = [...this.#ranked.slice(max), ...this.#left];
    const listed = [...this.#ranked.slice(0, max), ...others.filter((node) => node === always)];
    const candidates = listed.map((node) => ({
      node: this.#names[node] ?? '',
      scores: Object.fromEntries(this.#shown.map(({ name, scores }) => [name, scores[node] ?? 0])),
    }));
    const omitted = this.#ranked.length + this.#left.length - listed.length;
    return { candidates, omitted };
  }

  #rankAll(): void {
    // The sort is stable, so that equal nodes stay in name order.
    const order = this.#left.sort((left, right) => {
      if (this.#isBetter(left, right)) return -1;
      return this.#isBetter(right, left) ? 1 : 0;
    });
    this.#ranked.push(...order.splice(0));
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
    for (const scores of this.#compared) {
      const difference = (scores[node] ?? 0) - (scores[than] ?? 0);
      if (difference !== 0) return difference > 0;
    }
    return false;
  }
}

/** A term of the ranking with the score of each cluster node. */
interface Term {
  readonly name: string;
  readonly scores: Int32Array;
}

/** @param place of the term among all terms of the ranking */
function termOf(
  state: ScheduleState,
  unit: Unit,
  { name, score }: ScoreComponent,
  place: number,
): Term {
  const scores = scoresAt(state, place);
  score(state, unit, scores);
  return { name, scores };
}

/** Zeros for every cluster node. */
function scoresAt({ scores, cluster }: ScheduleState, place: number): Int32Array {
  const own = scores[place] ?? new Int32Array(cluster.names.length);
  scores[place] = own;
  return own.fill(0);
}

/** The terms of the weighted sum and, last, the sum itself. */
function weightedTerms(state: ScheduleState, unit: Unit): readonly Term[] {
  const sum = scoresAt(state, RESOURCE_COMPONENTS.length);
  const terms = RESOURCE_COMPONENTS.map(({ component, weight }, place) => {
    const term = termOf(state, unit, component, place);
    for (const [node, score] of term.scores.entries()) {
      sum[node] = (sum[node] ?? 0) + weight * score;
    }
    return term;
  });
  return [...terms, { name: 'weighted', scores: sum }];
}
