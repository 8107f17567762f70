import type { Statement } from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const DOMAIN = label('ref:domain');

/** USE, LIST DOMAINS, BEGIN, REVERT, COMMIT. */
export function defineSession(g: GrammarHost): Rule<Statement>[] {
  const use = g.rule('use', (): Statement => {
    g.take(keyword('USE'));
    return { kind: 'use', domain: g.name(DOMAIN) };
  });
  const list = g.rule('listDomains', (): Statement => {
    g.take(keyword('LIST'));
    g.take(keyword('DOMAINS'));
    return { kind: 'list_domains' };
  });
  const begin = g.rule('begin', (): Statement => {
    g.take(keyword('BEGIN'));
    return { kind: 'begin' };
  });
  const revert = g.rule('revert', (): Statement => {
    g.take(keyword('REVERT'));
    return { kind: 'revert' };
  });
  const commit = g.rule('commit', (): Statement => {
    g.take(keyword('COMMIT'));
    return { kind: 'commit' };
  });
  return [use, list, begin, revert, commit];
}
