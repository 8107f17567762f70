import type {
  AuthorityScope,
  Capability,
  Containment,
  CreateDelegationStatement,
  DelegationOperation,
  Expiry,
  Settings,
  Statement,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';

const K = keywords(
  'DELEGATION',
  'FOR',
  'USER',
  'TO',
  'ON',
  'EXPIRES',
  'AFTER',
  'BUDGET',
  'REVOKE',
  'FINISH',
  'STEP',
  'CANCEL',
  'FREEZE',
  'SET',
);
const PHRASE_RUN_SCOPE = phraseOf('RUN SCOPE');

const NAME = label('delegation_name');
const DELEGATION = label('ref:delegation');
const USER = label('ref:user');
const INSTANT = label('timestamp');
const RUN_SCOPE = label('string_literal');

/** Rules that delegations share with others. */
export interface DelegationParts {
  readonly literals: LiteralRules;
  readonly capabilities: Rule<readonly Capability[]>;
  readonly scope: Rule<AuthorityScope>;
  readonly budget: Rule<Settings>;
}

type DelegationDraft = Omit<CreateDelegationStatement, 'ifNotExists'>;

export interface DelegationRules {
  /** `DELEGATION …` of CREATE. */
  readonly create: Rule<DelegationDraft>;
  /** `DELEGATION …` of ALTER. */
  readonly alter: Rule<Statement>;
}

/** CREATE and ALTER of delegations. */
export function defineDelegations(g: GrammarHost, parts: DelegationParts): DelegationRules {
  const expiry = defineExpiry(g, parts.literals);
  const budget = g.rule('delegationBudget', () => {
    g.take(K.BUDGET);
    return g.call(parts.budget);
  });
  const containment = defineContainment(g);
  const create = g.rule('delegation', (): DelegationDraft => {
    g.take(K.DELEGATION);
    const name = g.name(NAME);
    g.take(K.FOR);
    const forUser = takeUser(g);
    g.take(K.TO);
    const toUser = takeUser(g);
    const capabilities = g.call(parts.capabilities);
    g.take(K.ON);
    const scopes = g.commaList(0, () => g.call(parts.scope));
    const expires = g.call(expiry);
    return {
      kind: 'create_delegation',
      name,
      forUser,
      toUser,
      capabilities,
      scopes,
      expires,
      budget: g.maybe(0, () => g.call(budget)) ?? null,
      runScope:
        g.maybe(1, () => {
          g.phrase(PHRASE_RUN_SCOPE);
          return g.text(RUN_SCOPE);
        }) ?? null,
      onRevoke: g.maybe(2, () => g.call(containment)) ?? 'FINISH STEP',
    };
  });
  return { create, alter: defineAlterDelegation(g, expiry, budget) };
}

function takeUser(g: GrammarHost): string {
  g.take(K.USER);
  return g.name(USER);
}

function defineExpiry(g: GrammarHost, { duration }: LiteralRules): Rule<Expiry> {
  return g.rule('expiry', () => {
    g.take(K.EXPIRES);
    return g.choose<Expiry>(0, [
      { ALT: () => Object.freeze({ kind: 'at', instant: g.text(INSTANT) }) },
      {
        ALT: () => {
          g.take(K.AFTER);
          return Object.freeze({ kind: 'after', duration: g.call(duration) });
        },
      },
    ]);
  });
}

function defineContainment(g: GrammarHost): Rule<Containment> {
  return g.rule('containment', () => {
    g.take(K.ON);
    g.take(K.REVOKE);
    return g.choose<Containment>(0, [
      {
        ALT: () => {
          g.take(K.FINISH);
          return g.takeAs(K.STEP, 'FINISH STEP');
        },
      },
      { ALT: () => g.takeAs(K.CANCEL, 'CANCEL') },
      { ALT: () => g.takeAs(K.FREEZE, 'FREEZE') },
    ]);
  });
}

function defineAlterDelegation(
  g: GrammarHost,
  expiry: Rule<Expiry>,
  budget: Rule<Settings>,
): Rule<Statement> {
  const operation = g.rule('delegationOperation', () => {
    g.take(K.SET);
    return g.choose<DelegationOperation>(0, [
      { ALT: () => Object.freeze({ op: 'set_expires', expires: g.call(expiry) }) },
      { ALT: () => Object.freeze({ op: 'set_budget', budget: g.call(budget) }) },
    ]);
  });
  return g.rule('alterDelegation', (): Statement => {
    g.take(K.DELEGATION);
    const name = g.name(DELEGATION);
    return { kind: 'alter_delegation', name, operations: g.commaList(0, () => g.call(operation)) };
  });
}
