import type { Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { takeLiteral } from './literal-bindings.js';

const K = keywords('LOOKUP', 'KEY');

const LOOKUP = label('ref:lookup');

/** `LOOKUP name KEY literal`. */
export function defineLookup(g: GrammarHost): Rule<Statement> {
  return g.rule('lookup', (): Statement => {
    g.take(K.LOOKUP);
    const hashMap = g.name(LOOKUP);
    g.take(K.KEY);
    return { kind: 'lookup', hashMap, key: takeLiteral(g) };
  });
}
