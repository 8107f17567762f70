import type { PlacementModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';

const K = keywords('PLACEMENT', 'FROM', 'TO', 'RANK');

const NAME = label('placement_name');
const RUNTIME_NODE = label('ref:runtime_node');
const RANK = label('number_literal');

/** The rank of a placement, behind its word. */
export function takeRank(g: GrammarHost): string {
  return takePositive(g, RANK, 'placement RANK 0 is invalid; RANK must be greater than zero');
}

/** `FROM node, … TO node, …`: the two sets of a placement, and the only lists of their rule. */
function takePlacementSets(g: GrammarHost): Pick<PlacementModel, 'from' | 'to'> {
  g.take(K.FROM);
  const from = g.commaList(0, () => g.name(RUNTIME_NODE));
  g.take(K.TO);
  const to = g.commaList(1, () => g.name(RUNTIME_NODE));
  return { from, to };
}

/** `PLACEMENT name FROM … TO … policy [RANK …]`. */
export function definePlacement(g: GrammarHost, literals: LiteralRules): Rule<PlacementModel> {
  return g.rule('placement', (): PlacementModel => {
    g.take(K.PLACEMENT);
    const name = g.name(NAME);
    const { from, to } = takePlacementSets(g);
    const policy = g.call(literals.placementPolicy);
    const rank =
      g.maybe(0, () => {
        g.take(K.RANK);
        return takeRank(g);
      }) ?? null;
    return g.close({ kind: 'placement', name, from, to, policy, rank }, 0);
  });
}
