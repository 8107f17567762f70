import type { CreateUserStatement, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('USER', 'WITH', 'PASSWORD', 'SET');

const NAME = label('user_name');
const USER = label('ref:user');
const PASSWORD = label('string_literal');

/** A CREATE USER without the words before the kind. */
export type UserDraft = Omit<CreateUserStatement, 'ifNotExists'>;

/**
 * `USER name WITH PASSWORD …`. A password that was left out of a printed text is read like any
 * other, since that text is the canonical one of ALTER USER and must read back; what executes the
 * statement refuses it. The same in the config of a client is refused here.
 */
export function defineUser(g: GrammarHost): Rule<UserDraft> {
  return g.rule('user', (): UserDraft => {
    g.take(K.USER);
    const name = g.name(NAME);
    g.take(K.WITH);
    g.take(K.PASSWORD);
    return { kind: 'create_user', name, password: g.text(PASSWORD) };
  });
}

/** `USER name SET PASSWORD …` of ALTER. */
export function defineAlterUser(g: GrammarHost): Rule<Statement> {
  return g.rule('alterUser', (): Statement => {
    g.take(K.USER);
    const name = g.name(USER);
    g.take(K.SET);
    g.take(K.PASSWORD);
    return { kind: 'alter_user', name, password: g.text(PASSWORD) };
  });
}

/** `USER name` of DROP. */
export function defineDropUser(g: GrammarHost): Rule<Statement> {
  return g.rule('dropUser', (): Statement => {
    g.take(K.USER);
    return { kind: 'drop_user', name: g.name(USER) };
  });
}
