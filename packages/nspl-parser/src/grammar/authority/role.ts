import type { Capability, CreateRoleStatement, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';

const K = keywords('ROLE', 'SET');

const NAME = label('role_name');
const ROLE = label('ref:role');

export interface RoleRules {
  /** `ROLE …` of CREATE. */
  readonly create: Rule<Omit<CreateRoleStatement, 'ifNotExists'>>;
  /** `ROLE …` of ALTER. */
  readonly alter: Rule<Statement>;
}

/** CREATE and ALTER of roles. */
export function defineRoles(g: GrammarHost, capabilities: Rule<readonly Capability[]>): RoleRules {
  const create = g.rule('role', (): Omit<CreateRoleStatement, 'ifNotExists'> => {
    g.take(K.ROLE);
    const name = g.name(NAME);
    return { kind: 'create_role', name, capabilities: g.call(capabilities) };
  });
  const alter = g.rule('alterRole', (): Statement => {
    g.take(K.ROLE);
    const name = g.name(ROLE);
    g.take(K.SET);
    return { kind: 'alter_role', name, capabilities: g.call(capabilities) };
  });
  return { create, alter };
}
