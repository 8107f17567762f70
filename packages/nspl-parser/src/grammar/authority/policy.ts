import type { AuthorityScope, CreatePolicyStatement, Settings, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';

const K = keywords('POLICY', 'FOR', 'RULES', 'SET');

const NAME = label('policy_name');
const POLICY = label('ref:policy');

export interface PolicyRules {
  /** `POLICY …` of CREATE. */
  readonly create: Rule<Omit<CreatePolicyStatement, 'ifNotExists'>>;
  /** `POLICY …` of ALTER. */
  readonly alter: Rule<Statement>;
}

/** CREATE and ALTER of policies. */
export function definePolicies(
  g: GrammarHost,
  scope: Rule<AuthorityScope>,
  settings: Rule<Settings>,
): PolicyRules {
  const rules = g.rule('rules', () => {
    g.take(K.RULES);
    return g.call(settings);
  });
  const create = g.rule('policy', (): Omit<CreatePolicyStatement, 'ifNotExists'> => {
    g.take(K.POLICY);
    const name = g.name(NAME);
    g.take(K.FOR);
    const reach = g.call(scope);
    return { kind: 'create_policy', name, scope: reach, rules: g.call(rules) };
  });
  const alter = g.rule('alterPolicy', (): Statement => {
    g.take(K.POLICY);
    const name = g.name(POLICY);
    g.take(K.SET);
    return { kind: 'alter_policy', name, rules: g.call(rules) };
  });
  return { create, alter };
}
