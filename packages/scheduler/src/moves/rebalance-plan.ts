import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { scheduleEntries } from '../computation/schedule-entries.js';
import { isCandidate, isLive, keyOf } from '../computation/schedule-state.js';
import { isFeasible } from '../computation/unit-feasibility.js';
import { idOf } from '../placement/build-placement-graph.js';
import type { GraphKey } from '../placement/graph-key.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { type MoveLevel, moveLevel } from './quiesce-level.js';
import { nextMove } from './rebalance-choice.js';
import { RebalanceState, soleOwner } from './rebalance-state.js';
import { moveOnto } from './relocation-plan.js';
import { scheduleInForce } from './schedule-in-force.js';

/** What a rebalance is allowed to do. */
export interface RebalanceRequest {
  /** The only domain whose units may move; null for every domain. */
  readonly domain: string | null;
  /** Moves at most; null without a bound. */
  readonly maxMoves: number | null;
  /** Names of the domains that run. */
  readonly running: ReadonlySet<string>;
}

/** One unit that changes its owner. */
export interface RebalanceMove {
  readonly domain: string;
  /** In key order. */
  readonly members: readonly GraphKey[];
  readonly from: string;
  readonly to: string;
}

/** Graph nodes that one live cluster node owns. */
export interface NodeLoad {
  readonly node: string;
  readonly owned: number;
}

/** A rebalance as it would be carried out. */
export interface RebalancePlan {
  readonly domain: string | null;
  readonly level: MoveLevel;
  /** Every live node, by name, before the first move. */
  readonly load: readonly NodeLoad[];
  /** Every live node, by name, after the last move. */
  readonly target: readonly NodeLoad[];
  readonly moves: readonly RebalanceMove[];
  readonly stopped: 'BALANCED' | 'MAX_MOVES' | 'NO_IMPROVING_MOVE';
}

/**
 * Plans moves that even out how many graph nodes each cluster node owns. Each move takes a unit
 * from the most loaded node that has an improving one, narrows the spread strictly and lowers no
 * soft score. The sum of squared loads falls with every move, so the plan ends.
 *
 * @param inputs all domains of the cluster, running or stopped; loads count them all
 */
export function planRebalance(
  inputs: readonly DomainScheduleInput[],
  { domain, maxMoves, running }: RebalanceRequest,
): RebalancePlan {
  const state = new RebalanceState(inputs, domain);
  const load = nodeLoads(state);
  const moves: RebalanceMove[] = [];
  let choice = nextMove(state);
  while (choice !== undefined && moves.length < (maxMoves ?? Number.POSITIVE_INFINITY)) {
    const { loaded, from, to } = choice;
    moves.push({
      domain: loaded.state.placement.domain,
      members: loaded.unit.members.map((id) => keyOf(loaded.state, id)),
      from: state.cluster.names[from] ?? '',
      to: state.cluster.names[to] ?? '',
    });
    state.move(loaded, to);
    choice = nextMove(state);
  }
  return {
    domain,
    level: moveLevel(moves.some((move) => running.has(move.domain))),
    load,
    target: nodeLoads(state),
    moves,
    stopped: choice === undefined ? restingState(state) : 'MAX_MOVES',
  };
}

/**
 * Carries out one planned move against the schedule in force.
 *
 * @param input the domain of the move as it is now
 * @returns the schedule afterwards, or undefined when the unit is no longer as it was planned: it
 * has other members or another owner, or the destination may not receive it
 */
export function applyRebalanceMove(
  input: DomainScheduleInput,
  move: RebalanceMove,
): readonly ScheduleEntry[] | undefined {
  const state = scheduleInForce(input);
  const { graph } = state.placement;
  const ids = move.members.map((key) => idOf(graph, key) ?? -1);
  const unit = state.table.units[state.table.unitOf[ids[0] ?? -1] ?? -1];
  if (unit === undefined || unit.members.join() !== ids.join()) return undefined;
  const owner = soleOwner(state, unit);
  const to = state.cluster.indexOf.get(move.to) ?? -1;
  const isAsPlanned = state.cluster.names[owner] === move.from && isLive(state, owner);
  if (!isAsPlanned || !isCandidate(state, to)) return undefined;
  if (!isFeasible(state, unit, to)) return undefined;
  moveOnto(state, unit, to);
  return scheduleEntries(state);
}

function nodeLoads({ cluster, load }: RebalanceState): readonly NodeLoad[] {
  return cluster.names.flatMap((node, index) =>
    cluster.isLive[index] === 1 ? [{ node, owned: load[index] ?? 0 }] : [],
  );
}

/** A cluster without any candidate is not balanced: nothing can be done about it. */
function restingState({ cluster, load }: RebalanceState): 'BALANCED' | 'NO_IMPROVING_MOVE' {
  const loads = cluster.candidates.map((node) => load[node] ?? 0);
  const isEven = loads.length > 0 && Math.max(...loads) - Math.min(...loads) <= 1;
  return isEven ? 'BALANCED' : 'NO_IMPROVING_MOVE';
}
