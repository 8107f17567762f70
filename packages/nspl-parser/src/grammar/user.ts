import type { CreateUserStatement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('USER', 'WITH', 'PASSWORD');

const NAME = label('user_name');
const PASSWORD = label('string_literal');

/** A CREATE USER without the words before the kind. */
export type UserDraft = Omit<CreateUserStatement, 'ifNotExists'>;

/** `USER name WITH PASSWORD …`. */
export function defineUser(g: GrammarHost): Rule<UserDraft> {
  return g.rule('user', (): UserDraft => {
    g.take(K.USER);
    const name = g.name(NAME);
    g.take(K.WITH);
    g.take(K.PASSWORD);
    return { kind: 'create_user', name, password: g.text(PASSWORD) };
  });
}
