import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { infeasibilityOf } from '../../src/feasibility/destination.js';
import { applyRebalanceMove, type RebalanceMove } from '../../src/moves/rebalance-plan.js';
import { compareText, keyText } from '../../src/placement/graph-key.js';
import { visitSoftPartners } from '../../src/placement/soft-partner.js';

/** A possible move with everything by which moves are compared, the most important first. */
interface Option {
  readonly move: RebalanceMove;
  readonly order: readonly (number | string)[];
}

/** Graph nodes that each cluster node owns, from the entries alone. */
export function ownedBy(inputs: readonly DomainScheduleInput[], name: string): number {
  return inputs.reduce((sum, input) => sum + movableIds(input).filter(owns(input, name)).length, 0);
}

const owns = (input: DomainScheduleInput, name: string) => (id: number) =>
  input.previous[id]?.nodes[0] === name;

/** Ids of graph nodes that are no listeners; entries are taken to be complete and in key order. */
function movableIds({ placement, traits }: DomainScheduleInput): readonly number[] {
  const once = new Set(traits.filter(({ runs }) => runs === 'once').map((key) => keyText(key)));
  return placement.graph.keys.flatMap((key, id) => (once.has(keyText(key)) ? [id] : []));
}

/** What the members prefer of a node, for owners outside the unit. */
export function softScore(
  input: DomainScheduleInput,
  members: readonly number[],
  name: string,
): number {
  let score = 0;
  for (const id of members) {
    visitSoftPartners(input.placement, id, (partner, weight) => {
      const isOther = movableIds(input).includes(partner) && !members.includes(partner);
      if (isOther && input.previous[partner]?.nodes[0] === name) score += weight;
    });
  }
  return score;
}

/** Every option is listed and compared from scratch, move after move. */
export function greedyMoves(
  inputs: readonly DomainScheduleInput[],
  maxMoves: number,
): { readonly moves: readonly RebalanceMove[]; readonly after: readonly DomainScheduleInput[] } {
  const moves: RebalanceMove[] = [];
  let current = inputs.toSorted((left, right) =>
    compareText(left.placement.domain, right.placement.domain),
  );
  while (moves.length < maxMoves) {
    const options = current.flatMap((input) => optionsOf(current, input));
    const [best] = options.toSorted((left, right) => compareOrder(left.order, right.order));
    if (best === undefined) break;
    moves.push(best.move);
    current = current.map((input) =>
      input.placement.domain === best.move.domain
        ? { ...input, previous: applyRebalanceMove(input, best.move) ?? [] }
        : input,
    );
  }
  return { moves, after: current };
}

function optionsOf(
  inputs: readonly DomainScheduleInput[],
  input: DomainScheduleInput,
): readonly Option[] {
  const live = input.nodes.filter((node) => node.isLive && node.isVoter !== false);
  const targets = input.nodes.filter((node) => infeasibilityOf(node) === undefined);
  return unitsOf(input).flatMap((members) =>
    live.flatMap(({ name: from }) => {
      if (!members.every(owns(input, from))) return [];
      return targets.flatMap(({ name: to }) => option(inputs, input, members, [from, to]));
    }),
  );
}

function unitsOf(input: DomainScheduleInput): readonly (readonly number[])[] {
  const ids = movableIds(input);
  const { groups, groupOf } = input.placement;
  const mates = (id: number) => groups[groupOf[id] ?? -1]?.members ?? [id];
  const units = ids.map((id) => mates(id).filter((mate) => ids.includes(mate)));
  return units.filter((members, place) => members[0] === ids[place]);
}

function option(
  inputs: readonly DomainScheduleInput[],
  input: DomainScheduleInput,
  members: readonly number[],
  [from, to]: readonly [string, string],
): readonly Option[] {
  const [high, low] = [ownedBy(inputs, from), ownedBy(inputs, to)];
  if (high - low <= members.length) return [];
  if (softScore(input, members, to) < softScore(input, members, from)) return [];
  const { domain, graph } = input.placement;
  const able = members.filter((id) => {
    const traits = input.traits.find(
      (entry) => keyText(entry) === keyText(graph.keys[id] ?? entry),
    );
    return traits?.replication !== 'none';
  });
  const isReplica = (id: number) => input.previous[id]?.nodes.slice(1).includes(to) === true;
  const isPromotion = able.length > 0 && able.every(isReplica);
  const keys = members.flatMap((id) => graph.keys[id] ?? []);
  const first = String(members[0] ?? 0).padStart(6, '0');
  const order = [-high, from, isPromotion ? 0 : 1, low, -members.length, domain, first, to];
  return [{ move: { domain, members: keys, from, to }, order }];
}

function compareOrder(
  left: readonly (number | string)[],
  right: readonly (number | string)[],
): number {
  for (const [place, value] of left.entries()) {
    const other = right[place];
    if (typeof value === 'number' && typeof other === 'number' && value !== other) {
      return value - other;
    }
    if (typeof value === 'string' && typeof other === 'string' && value !== other) {
      return compareText(value, other);
    }
  }
  return 0;
}
