import { runComputation } from '../computation/compute-schedule.js';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { assign, keyOf, release, type ScheduleState } from '../computation/schedule-state.js';
import type { DecisionCause } from '../computation/unit-fate.js';
import { nodeRejections } from '../computation/unit-feasibility.js';
import type { Unit } from '../computation/unit-table.js';
import type { NodeRejection } from '../feasibility/constraint-check.js';
import type { GraphKey } from '../placement/graph-key.js';
import { type RankedCandidate, Ranking } from '../ranking/ranking.js';
import { DECISION_CHAIN, type RankingPolicy } from '../ranking/ranking-policy.js';

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
  /** All other members of the cluster, by name, with every failed or unknown constraint. */
  readonly rejected: readonly NodeRejection[];
}

/**
 * Explains the placement of units by running their computation again: what is explained is what
 * was decided, and not an account kept beside it.
 *
 * @param isAsked whether a graph node's unit is to be explained; absent means every unit
 * @param candidatesMax candidates that are listed for each unit besides its owner; absent means all
 * @returns explanations in the order of the units' first members
 */
export function explainPlacements(
  input: DomainScheduleInput,
  isAsked: (key: GraphKey) => boolean = () => true,
  candidatesMax: number = Number.POSITIVE_INFINITY,
): readonly UnitExplanation[] {
  const decided = new Map<number, UnitExplanation>();
  const isWanted = (state: ScheduleState, unit: Unit) =>
    unit.members.some((id) => isAsked(keyOf(state, id)));
  const explained: DecisionExplainer = (now, unit, cause, ranking) => {
    const owner = now.primary[unit.members[0] ?? -1] ?? -1;
    return { ...frame(now, unit, cause), ...ranking.explanation(candidatesMax, owner) };
  };
  const { state } = runComputation(input, (now, unit, cause, ranking) => {
    if (isWanted(now, unit)) decided.set(unit.index, explained(now, unit, cause, ranking));
  });
  return state.table.units
    .filter((unit) => isWanted(state, unit))
    .map((unit) => decided.get(unit.index) ?? undecidedExplanation(state, unit, candidatesMax));
}

type DecisionExplainer = (
  state: ScheduleState,
  unit: Unit,
  cause: DecisionCause,
  ranking: Ranking,
) => UnitExplanation;

/** Ranks a unit as if it had to be decided with everything else in place, and puts it back. */
function undecidedExplanation(
  state: ScheduleState,
  unit: Unit,
  candidatesMax: number,
): UnitExplanation {
  const before = unit.members.map((id) => ({
    id,
    primary: state.primary[id] ?? -1,
    replicas: state.replicas[id] ?? [],
  }));
  for (const id of unit.members) release(state, id);
  const ranking = new Ranking(state, unit, DECISION_CHAIN);
  const listed = ranking.explanation(candidatesMax, before[0]?.primary ?? -1);
  for (const { id, primary, replicas } of before) {
    if (primary >= 0) assign(state, id, primary, replicas);
  }
  const isKept = before.some(({ primary }) => primary >= 0);
  return { ...frame(state, unit, isKept ? 'kept' : 'waiting'), ...listed };
}

function frame(
  state: ScheduleState,
  unit: Unit,
  cause: PlacementCause,
): Omit<UnitExplanation, 'candidates' | 'omitted'> {
  const first = unit.members[0] ?? -1;
  const former = state.entries[first]?.nodes[0] ?? null;
  const chosen = state.cluster.names[state.primary[first] ?? -1] ?? former;
  // What a unit has just reserved on its own node must not speak against that node.
  const isReserved = cause !== 'kept' && cause !== 'waiting';
  const isOwn = ({ node }: NodeRejection) => isReserved && node === chosen;
  return {
    domain: state.placement.domain,
    members: unit.members.map((id) => keyOf(state, id)),
    chosen,
    cause,
    policy: state.policy,
    rejected: nodeRejections(state, unit).filter((rejection) => !isOwn(rejection)),
  };
}
