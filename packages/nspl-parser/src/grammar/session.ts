import type { Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('USE', 'LIST', 'DOMAINS', 'BEGIN', 'REVERT', 'COMMIT');

const DOMAIN = label('ref:domain');

/** USE, LIST DOMAINS, BEGIN, REVERT, COMMIT. */
export function defineSession(g: GrammarHost): Rule<Statement>[] {
  const use = g.rule('use', (): Statement => {
    g.take(K.USE);
    return { kind: 'use', domain: g.name(DOMAIN) };
  });
  const list = g.rule('listDomains', (): Statement => {
    g.take(K.LIST);
    g.take(K.DOMAINS);
    return { kind: 'list_domains' };
  });
  const begin = g.rule('begin', (): Statement => {
    g.take(K.BEGIN);
    return { kind: 'begin' };
  });
  const revert = g.rule('revert', (): Statement => {
    g.take(K.REVERT);
    return { kind: 'revert' };
  });
  const commit = g.rule('commit', (): Statement => {
    g.take(K.COMMIT);
    return { kind: 'commit', expect: null };
  });
  return [use, list, begin, revert, commit];
}
