import type { DropAuthorityStatement, Statement } from '@nervix/model';
import { keyword, keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';

const K = keywords('DROP', 'SECRET');

const SECRET = label('ref:secret');
const KINDS = ['pool', 'policy', 'project', 'role', 'delegation'] as const;

/** `POOL name` and the like of DROP. */
export function defineDropAuthority(g: GrammarHost): Rule<Statement> {
  const alternatives = KINDS.map((kind) => {
    const word = keyword(kind.toUpperCase());
    const reference = label(`ref:${kind}`);
    const statementKind: DropAuthorityStatement['kind'] = `drop_${kind}`;
    return {
      ALT: (): Statement => {
        g.take(word);
        return { kind: statementKind, name: g.name(reference) };
      },
    };
  });
  return g.rule('dropAuthority', () => g.choose(0, alternatives));
}

/** `DROP SECRET name`. */
export function defineDropSecret(g: GrammarHost): Rule<Statement> {
  return g.rule('dropSecret', (): Statement => {
    g.take(K.DROP);
    g.take(K.SECRET);
    return { kind: 'drop_secret', name: g.name(SECRET) };
  });
}
