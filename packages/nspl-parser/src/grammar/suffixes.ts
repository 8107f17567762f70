import type { Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords('ACCEPT', 'WAIT');
const PHRASE_ACCEPT_STATE_LOSS = phraseOf('ACCEPT STATE LOSS');

/** What may follow a whole statement, by how much it may carry. */
export interface SuffixRules {
  /** `[WAIT duration]`. */
  readonly wait: Rule<Statement, [Statement]>;
  /** `[ACCEPT STATE LOSS] [WAIT duration]`. */
  readonly lossAndWait: Rule<Statement, [Statement]>;
}

/** The suffixes of statements; a statement without any stays as it is. */
export function defineSuffixes(g: GrammarHost, { duration }: LiteralRules): SuffixRules {
  const takeWait = (index: number) =>
    g.maybe(index, () => {
      g.take(K.WAIT);
      return g.call(duration);
    }) ?? null;
  const wait = g.rule('waitSuffix', (statement: Statement) =>
    suffixed(statement, false, takeWait(0)),
  );
  const lossAndWait = g.rule('lossSuffix', (statement: Statement) => {
    const acceptStateLoss = g.maybe(0, () => {
      g.phrase(PHRASE_ACCEPT_STATE_LOSS);
      return true;
    });
    return suffixed(statement, acceptStateLoss === true, takeWait(1));
  });
  return { wait, lossAndWait };
}

function suffixed(statement: Statement, acceptStateLoss: boolean, wait: string | null): Statement {
  if (!acceptStateLoss && wait === null) return statement;
  return {
    kind: 'with_suffixes',
    statement: Object.freeze(statement),
    acceptStateLoss,
    wait,
  };
}
