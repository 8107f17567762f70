import type { RebalanceStatement, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takePositive } from './literals.js';

const K = keywords('REBALANCE', 'DOMAIN');
const PHRASE_MAX_MOVES = phraseOf('MAX MOVES');

const DOMAIN = label('ref:domain');
const MOVES = label('number_literal');

export interface RebalanceRules {
  readonly rebalance: Rule<Statement>;
  /** `REBALANCE …` of DESCRIBE. */
  readonly describe: Rule<Statement>;
}

/** `[DESCRIBE] REBALANCE [DOMAIN name] [MAX MOVES n]`. */
export function defineRebalance(g: GrammarHost): RebalanceRules {
  const body = g.rule('rebalanceBody', (): Omit<RebalanceStatement, 'kind'> => {
    g.take(K.REBALANCE);
    const domain =
      g.maybe(0, () => {
        g.take(K.DOMAIN);
        return g.name(DOMAIN);
      }) ?? null;
    const maxMoves =
      g.maybe(1, () => {
        g.phrase(PHRASE_MAX_MOVES);
        return takePositive(g, MOVES, 'MAX MOVES must be greater than zero');
      }) ?? null;
    return { domain, maxMoves };
  });
  return {
    rebalance: g.rule('rebalance', () => ({ kind: 'rebalance', ...g.call(body) })),
    describe: g.rule('describeRebalance', () => ({ kind: 'describe_rebalance', ...g.call(body) })),
  };
}
