import type {
  CreatePoolStatement,
  PoolOperation,
  PoolReserve,
  Settings,
  Statement,
} from '@nervix/model';
import { keywords, NumberToken, Percent } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';

const K = keywords('POOL', 'RESERVE', 'TRUST', 'BUDGET', 'SET', 'DROP');
const PHRASE_FAILURE_DOMAIN = phraseOf('FAILURE DOMAIN');

const NAME = label('pool_name');
const POOL = label('ref:pool');
const AMOUNT = label('number_literal');
const TEXT = label('string_literal');

type PoolDraft = Omit<CreatePoolStatement, 'ifNotExists'>;

export interface PoolRules {
  /** `POOL …` of CREATE. */
  readonly create: Rule<PoolDraft>;
  /** `POOL …` of ALTER. */
  readonly alter: Rule<Statement>;
}

interface PoolClauses {
  readonly reserve: Rule<PoolReserve>;
  readonly failureDomain: Rule<string>;
  readonly trust: Rule<string>;
  readonly budget: Rule<Settings>;
}

/** CREATE and ALTER of pools. */
export function definePools(g: GrammarHost, settings: Rule<Settings>): PoolRules {
  const clauses = defineClauses(g, settings);
  const { reserve, failureDomain, trust, budget } = clauses;
  const create = g.rule('pool', (): PoolDraft => {
    g.take(K.POOL);
    return {
      kind: 'create_pool',
      name: g.name(NAME),
      reserve: g.maybe(0, () => g.call(reserve)) ?? null,
      failureDomain: g.maybe(1, () => g.call(failureDomain)) ?? null,
      trust: g.maybe(2, () => g.call(trust)) ?? null,
      budget: g.maybe(3, () => g.call(budget)) ?? null,
    };
  });
  const operation = defineOperation(g, clauses);
  const alter = g.rule('alterPool', (): Statement => {
    g.take(K.POOL);
    const name = g.name(POOL);
    const operations = g.commaList(0, () => Object.freeze(g.call(operation)));
    return { kind: 'alter_pool', name, operations };
  });
  return { create, alter };
}

function defineClauses(g: GrammarHost, settings: Rule<Settings>): PoolClauses {
  return {
    reserve: g.rule('poolReserve', (): PoolReserve => {
      g.take(K.RESERVE);
      const amount = g.take(NumberToken, AMOUNT).image;
      const unit = g.maybe(0, () => g.takeAs(Percent, 'percent' as const)) ?? 'nodes';
      return Object.freeze({ amount, unit });
    }),
    failureDomain: g.rule('poolFailureDomain', () => {
      g.phrase(PHRASE_FAILURE_DOMAIN);
      return g.text(TEXT);
    }),
    trust: g.rule('poolTrust', () => {
      g.take(K.TRUST);
      return g.text(TEXT);
    }),
    budget: g.rule('poolBudget', () => {
      g.take(K.BUDGET);
      return g.call(settings);
    }),
  };
}

function defineOperation(g: GrammarHost, clauses: PoolClauses): Rule<PoolOperation> {
  const set: { ALT: () => PoolOperation }[] = [
    { ALT: () => ({ op: 'set_reserve', reserve: g.call(clauses.reserve) }) },
    {
      ALT: () => ({ op: 'set_failure_domain', failureDomain: g.call(clauses.failureDomain) }),
    },
    { ALT: () => ({ op: 'set_trust', trust: g.call(clauses.trust) }) },
    { ALT: () => ({ op: 'set_budget', budget: g.call(clauses.budget) }) },
  ];
  const drop: { ALT: () => PoolOperation }[] = [
    { ALT: () => g.takeAs(K.RESERVE, { op: 'drop_reserve' }) },
    {
      ALT: () => {
        g.phrase(PHRASE_FAILURE_DOMAIN);
        return { op: 'drop_failure_domain' };
      },
    },
    { ALT: () => g.takeAs(K.TRUST, { op: 'drop_trust' }) },
    { ALT: () => g.takeAs(K.BUDGET, { op: 'drop_budget' }) },
  ];
  return g.rule('poolOperation', () =>
    g.choose(0, [
      {
        ALT: () => {
          g.take(K.SET);
          return g.choose(1, set);
        },
      },
      {
        ALT: () => {
          g.take(K.DROP);
          return g.choose(2, drop);
        },
      },
    ]),
  );
}
