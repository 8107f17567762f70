import { computationSteps } from '../computation/compute-schedule.js';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { assign, keyOf, release, type ScheduleState } from '../computation/schedule-state.js';
import type { DecisionCause } from '../computation/unit-fate.js';
import { generalRejections, nodeRejections } from '../computation/unit-feasibility.js';
import type { Unit } from '../computation/unit-table.js';
import type { NodeRejection } from '../feasibility/constraint-check.js';
import type { GraphKey } from '../placement/graph-key.js';
import { type RankedCandidate, Ranking } from '../ranking/ranking.js';
import { DECISION_CHAIN, type RankingPolicy } from '../ranking/ranking-policy.js';
import { finish, type Steps } from '../steps.js';

/** Why a unit runs where it does: decided now, kept from before, or still without a node. */
export type PlacementCause = DecisionCause | 'kept' | 'waiting';

/** Everything that spoke for and against each cluster node when a unit was placed. */
export interface UnitExplanation {
  readonly domain: string;
  /** In key order. */
  readonly members: readonly GraphKey[];
  /** Name of the owner after the computation, which a waiting unit may have lost; or null. */
  readonly chosen: string | null;
  readonly cause: PlacementCause;
  /** Version of the ranking. */
  readonly policy: RankingPolicy;
  /**
   * Feasible nodes, best first. For units that are kept the ranking is what a decision would see
   * now; the best one need not be the owner, because nothing moves for a better score.
   */
  readonly candidates: readonly RankedCandidate[];
  /** Candidates that a bound on their number left out. */
  readonly omitted: number;
  /**
   * All other members of the cluster, by name, with every failed or unknown constraint. Units that
   * declare no constraint share one list.
   */
  readonly rejected: readonly NodeRejection[];
}

/** What is explained, and how much of it. */
export interface ExplanationOptions {
  /** Whether a graph node's unit is to be explained; absent means every unit. */
  readonly isAsked?: (key: GraphKey) => boolean;
  /** Candidates that are listed for each unit besides its owner; absent means all. */
  readonly candidatesMax?: number;
}

/** Explanations and the computation that they came from. */
export interface ExplainedComputation {
  readonly state: ScheduleState;
  /** In the order of the units' first members. */
  readonly explanations: readonly UnitExplanation[];
}

/**
 * Explains the placement of units by running their computation again: what is explained is what
 * was decided, and not an account kept beside it.
 *
 * @returns explanations in the order of the units' first members
 */
export function explainPlacements(
  input: DomainScheduleInput,
  options: ExplanationOptions = {},
): readonly UnitExplanation[] {
  return finish(explanationSteps(input, options));
}

/** The work of {@link explainPlacements}, for `runSliced`. */
export function* explanationSteps(
  input: DomainScheduleInput,
  options: ExplanationOptions,
): Steps<readonly UnitExplanation[]> {
  return (yield* explainedSteps(input, options)).explanations;
}

/** The same together with the computation. */
export function* explainedSteps(
  input: DomainScheduleInput,
  { isAsked = () => true, candidatesMax = Number.POSITIVE_INFINITY }: ExplanationOptions,
): Steps<ExplainedComputation> {
  const explainer = new UnitExplainer(candidatesMax);
  const decided = new Map<number, UnitExplanation>();
  const isWanted = (state: ScheduleState, unit: Unit) =>
    unit.members.some((id) => isAsked(keyOf(state, id)));
  const { state } = yield* computationSteps(input, (now, unit, cause, ranking) => {
    if (isWanted(now, unit)) decided.set(unit.index, explainer.decided(now, unit, cause, ranking));
  });
  yield* state.placement.claims.pairs.prepare();
  const explanations: UnitExplanation[] = [];
  for (const unit of state.table.units) {
    if (!isWanted(state, unit)) continue;
    explanations.push(decided.get(unit.index) ?? explainer.undecided(state, unit));
    yield;
  }
  return { state, explanations };
}

/** Explains units of one computation; what they have in common is worked out once. */
class UnitExplainer {
  readonly #candidatesMax: number;
  #general: readonly NodeRejection[] | undefined;

  constructor(candidatesMax: number) {
    this.#candidatesMax = candidatesMax;
  }

  decided(
    state: ScheduleState,
    unit: Unit,
    cause: DecisionCause,
    ranking: Ranking,
  ): UnitExplanation {
    const owner = state.primary[unit.members[0] ?? -1] ?? -1;
    const listed = ranking.explanation(this.#candidatesMax, owner);
    return { ...this.#frame(state, unit, cause), ...listed };
  }

  /** Ranks a unit as if it had to be decided with everything else in place, and puts it back. */
  undecided(state: ScheduleState, unit: Unit): UnitExplanation {
    const before = unit.members.map((id) => ({
      id,
      primary: state.primary[id] ?? -1,
      replicas: state.replicas[id] ?? [],
    }));
    for (const id of unit.members) release(state, id);
    const ranking = new Ranking(state, unit, DECISION_CHAIN);
    const listed = ranking.explanation(this.#candidatesMax, before[0]?.primary ?? -1);
    for (const { id, primary, replicas } of before) {
      if (primary >= 0) assign(state, id, primary, replicas);
    }
    const isKept = before.some(({ primary }) => primary >= 0);
    return { ...this.#frame(state, unit, isKept ? 'kept' : 'waiting'), ...listed };
  }

  #frame(
    state: ScheduleState,
    unit: Unit,
    cause: PlacementCause,
  ): Omit<UnitExplanation, 'candidates' | 'omitted'> {
    const first = unit.members[0] ?? -1;
    const former = state.entries[first]?.nodes[0] ?? null;
    const chosen = state.cluster.names[state.primary[first] ?? -1] ?? former;
    this.#general ??= generalRejections(state.cluster);
    const rejected = nodeRejections(state, unit, this.#general);
    return {
      domain: state.placement.domain,
      members: unit.members.map((id) => keyOf(state, id)),
      chosen,
      cause,
      policy: state.policy,
      // What a unit has just reserved on its own node must not speak against that node.
      rejected:
        cause === 'kept' || cause === 'waiting' || rejected === this.#general
          ? rejected
          : rejected.filter(({ node }) => node !== chosen),
    };
  }
}
