import type { ClusterView } from '../cluster/cluster-view.js';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { clusterOf, type ScheduleState } from '../computation/schedule-state.js';
import type { Unit } from '../computation/unit-table.js';
import { compareText } from '../placement/graph-key.js';
import { visitSoftPartners } from '../placement/soft-partner.js';
import { replicaStickiness } from '../ranking/replica-stickiness.js';
import { softPreference } from '../ranking/soft-preference.js';
import { moveOnto } from './relocation-plan.js';
import { scheduleInForce } from './schedule-in-force.js';

/** A unit while a rebalance is planned. */
export interface LoadedUnit {
  /** Place among all units: larger ones first, then by domain and first member. */
  readonly rank: number;
  readonly state: ScheduleState;
  readonly unit: Unit;
  readonly size: number;
}

/** All domains of a cluster with the loads of its nodes, changed move by move. */
export class RebalanceState {
  readonly cluster: ClusterView;
  /** Graph nodes that each cluster node owns in all domains, by node index. */
  readonly load: Int32Array;
  readonly #unitsOn: LoadedUnit[][];
  readonly #soft = new Map<Unit, ReadonlyMap<number, number>>();
  readonly #wholeReplicas = new Map<Unit, readonly number[]>();

  /**
   * @param inputs all domains of the cluster
   * @param domain the only domain whose units may move; null for every domain
   */
  constructor(inputs: readonly DomainScheduleInput[], domain: string | null) {
    this.cluster = clusterOf(inputs);
    this.load = new Int32Array(this.cluster.names.length);
    this.#unitsOn = this.cluster.names.map(() => []);
    const states = inputs
      .toSorted((left, right) => compareText(left.placement.domain, right.placement.domain))
      .map((input) => scheduleInForce(input, this.cluster));
    for (const { primary } of states) {
      for (const node of primary) if (node >= 0) this.load[node] = (this.load[node] ?? 0) + 1;
    }
    const movable = states.filter(
      ({ placement }) => (domain ?? placement.domain) === placement.domain,
    );
    const units = movable.flatMap((state) => state.table.units.map((unit) => ({ state, unit })));
    const bySize = units.sort((one, two) => two.unit.members.length - one.unit.members.length);
    for (const [rank, { state, unit }] of bySize.entries()) {
      const loaded = { rank, state, unit, size: unit.members.length };
      const owner = soleOwner(state, unit);
      if (owner >= 0 && this.cluster.isLive[owner] === 1) this.#unitsOn[owner]?.push(loaded);
    }
  }

  /** Movable units on a node, in rank order. */
  unitsOn(node: number): readonly LoadedUnit[] {
    return this.#unitsOn[node] ?? [];
  }

  /** Soft scores of a unit by node index; a node without an entry has 0. */
  softScores({ state, unit }: LoadedUnit): ReadonlyMap<number, number> {
    const known = this.#soft.get(unit);
    if (known !== undefined) return known;
    const scores = new Int32Array(this.cluster.names.length);
    softPreference.score(state, unit, scores);
    const sparse = new Map([...scores.entries()].filter(([, score]) => score !== 0));
    this.#soft.set(unit, sparse);
    return sparse;
  }

  /** Live replicas of the whole unit, by node index, ascending. */
  wholeReplicas({ state, unit }: LoadedUnit): readonly number[] {
    const known = this.#wholeReplicas.get(unit);
    if (known !== undefined) return known;
    const scores = new Int32Array(this.cluster.names.length);
    replicaStickiness.score(state, unit, scores);
    const nodes = [...scores.keys()].filter((node) => (scores[node] ?? 0) > 0);
    this.#wholeReplicas.set(unit, nodes);
    return nodes;
  }

  /** Moves a unit and everything that depends on where it runs. */
  move(loaded: LoadedUnit, to: number): void {
    const { state, unit, size } = loaded;
    const from = soleOwner(state, unit);
    moveOnto(state, unit, to);
    rememberOwners(state, unit);
    this.#wholeReplicas.delete(unit);
    this.load[from] = (this.load[from] ?? 0) - size;
    this.load[to] = (this.load[to] ?? 0) + size;
    this.#unitsOn[from] = this.unitsOn(from).filter((other) => other !== loaded);
    const there = [...this.unitsOn(to)];
    const place = there.findIndex(({ rank }) => rank > loaded.rank);
    there.splice(place < 0 ? there.length : place, 0, loaded);
    this.#unitsOn[to] = there;
    for (const id of unit.members) {
      visitSoftPartners(state.placement, id, (partner) => {
        const other = state.table.units[state.table.unitOf[partner] ?? -1];
        if (other !== undefined) this.#soft.delete(other);
      });
    }
  }
}

/** Owner of all members of a unit, or -1 when they have several or none. */
export function soleOwner({ primary }: ScheduleState, { members }: Unit): number {
  const owner = primary[members[0] ?? -1] ?? -1;
  return members.every((id) => primary[id] === owner) ? owner : -1;
}

/** Lets the next move of the unit start from here. */
function rememberOwners({ previous, primary, replicas }: ScheduleState, { members }: Unit): void {
  for (const id of members) {
    previous[id] = { primary: primary[id] ?? -1, replicas: replicas[id] ?? [] };
  }
}
