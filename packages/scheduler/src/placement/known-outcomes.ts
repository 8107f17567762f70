import { equalData } from '@nervix/model';
import type { RuleCorridors } from './corridor.js';
import type { PlacementRule } from './placement-rule.js';
import { inSet, type NodeSet } from './reach-sets.js';
import type { KnownOutcome, RuleOutcome } from './rule-outcomes.js';
import { sharesPair } from './set-difference.js';
import type { TieredRule } from './tiers.js';

/** Changed corridors beyond which comparing with them costs more than it saves. */
const CHANGED_CORRIDORS_MAX = 64;

const UNKNOWN: KnownOutcome = {
  won: undefined,
  lostTo: undefined,
  isWonKnown: false,
  isLostKnown: false,
};

/** Rules of one graph with their corridors. */
export interface RuledCorridors {
  readonly rules: readonly TieredRule[];
  /** In the order of the rules. */
  readonly found: readonly RuleCorridors[];
}

/** What became of rules, to be used when some of them have changed. */
export interface SettledRules extends RuledCorridors {
  /** In the order of the rules. */
  readonly outcomes: readonly RuleOutcome[];
}

/**
 * Takes over what cannot have changed of rules that are the same as before. Two of these relate to
 * each other as they did, so only corridors of changed rules matter, of before and of now: a pair
 * stays won unless one of now takes it, and becomes won only where one of before had taken it.
 *
 * @returns by rule of now
 */
export function knownOutcomes(
  before: SettledRules | undefined,
  now: RuledCorridors,
): readonly KnownOutcome[] {
  if (before === undefined) return now.rules.map(() => UNKNOWN);
  const placeOf = new Map(before.rules.map(({ rule }, place) => [rule.name, place]));
  const formerPlaces = now.rules.map(({ rule }) => {
    const place = placeOf.get(rule.name) ?? -1;
    return isSame(before.rules[place]?.rule, rule) ? place : -1;
  });
  const kept = new Set(formerPlaces);
  const removed = changedCorridors(before, (place) => !kept.has(place));
  const added = changedCorridors(now, (place) => formerPlaces[place] === -1);
  const count = removed.length + added.length;
  if (count > CHANGED_CORRIDORS_MAX) return now.rules.map(() => UNKNOWN);
  const unchanged = new Set(
    now.rules.flatMap(({ rule }, place) => (formerPlaces[place] === -1 ? [] : [rule.name])),
  );
  return now.rules.map(({ tier }, place) => {
    const former = formerPlaces[place] ?? -1;
    const outcome = before.outcomes[former];
    if (outcome === undefined) return UNKNOWN;
    const own = (now.found[place] ?? { corridors: [] }).corridors.map(({ nodes }) => nodes);
    const takers = stronger(added, tier, own);
    const givers = stronger(removed, before.rules[former]?.tier ?? 0, own);
    return { ...wonBy(outcome, takers, givers), ...lostBy(outcome, takers, unchanged) };
  });
}

interface ChangedCorridor {
  readonly rule: string;
  readonly tier: number;
  readonly nodes: NodeSet;
}

function isSame(former: PlacementRule | undefined, rule: PlacementRule): boolean {
  return former !== undefined && (former === rule || equalData(former, rule));
}

function changedCorridors(
  { rules, found }: RuledCorridors,
  isChanged: (place: number) => boolean,
): readonly ChangedCorridor[] {
  return rules.flatMap(({ rule, tier }, place) => {
    if (!isChanged(place)) return [];
    const { corridors } = found[place] ?? { corridors: [] };
    return corridors.map(({ nodes }) => ({ rule: rule.name, tier, nodes }));
  });
}

/** Those of a stronger tier that share a pair with one of a rule's corridors. */
function stronger(
  changed: readonly ChangedCorridor[],
  tier: number,
  own: readonly NodeSet[],
): readonly ChangedCorridor[] {
  return changed.filter(
    (corridor) => corridor.tier < tier && own.some((nodes) => sharesPair(nodes, corridor.nodes)),
  );
}

function wonBy(
  { won }: RuleOutcome,
  takers: readonly ChangedCorridor[],
  givers: readonly ChangedCorridor[],
): Omit<KnownOutcome, 'lostTo' | 'isLostKnown'> {
  if (won === undefined) {
    if (givers.length === 0) return { won, isWonKnown: true };
    return { won, isWonKnown: false, region: unionOf(givers) };
  }
  const [one, other] = won;
  const isTaken = takers.some(({ nodes }) => inSet(nodes, one) && inSet(nodes, other));
  return isTaken ? { won: undefined, isWonKnown: false } : { won, isWonKnown: true };
}

function lostBy(
  { lostTo }: RuleOutcome,
  takers: readonly ChangedCorridor[],
  unchanged: ReadonlySet<string>,
): Pick<KnownOutcome, 'lostTo' | 'isLostKnown'> {
  if (lostTo !== undefined && unchanged.has(lostTo)) return { lostTo, isLostKnown: true };
  const [taker] = takers;
  if (taker !== undefined) return { lostTo: taker.rule, isLostKnown: true };
  // Without a loss before, nothing but a taker brings one about.
  return { lostTo: undefined, isLostKnown: lostTo === undefined };
}

function unionOf(corridors: readonly ChangedCorridor[]): NodeSet {
  const [first, ...others] = corridors;
  const union = first?.nodes.slice() ?? new Uint32Array(0);
  for (const { nodes } of others) {
    for (let word = 0; word < union.length; word += 1) {
      union[word] = (union[word] ?? 0) | (nodes[word] ?? 0);
    }
  }
  return union;
}
