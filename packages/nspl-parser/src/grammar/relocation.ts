import type {
  RelocationSelection,
  RelocationStatement,
  RelocationStrategy,
  RuntimeMember,
  Statement,
  StrategyOverride,
} from '@nervix/model';
import { Comma, keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takeNodeId } from './hostname.js';
import type { LiteralRules } from './literals.js';

const K = keywords('RELOCATE', 'RELOCATION', 'FROM', 'TO', 'FOR');
const PHRASE_ONTO_NODE = phraseOf('ONTO NODE');

const NODE_ID = label('node_id');
const NO_OVERRIDES: readonly StrategyOverride[] = Object.freeze([]);

export interface RelocationRules {
  readonly relocate: Rule<Statement>;
  /** `RELOCATION …` of DESCRIBE. */
  readonly describe: Rule<Statement>;
}

/** RELOCATE and DESCRIBE RELOCATION. */
export function defineRelocation(g: GrammarHost, literals: LiteralRules): RelocationRules {
  const body = defineBody(g, literals);
  const relocate = g.rule('relocate', (): Statement => {
    g.take(K.RELOCATE);
    return { kind: 'relocate', ...g.call(body) };
  });
  const describe = g.rule('describeRelocation', (): Statement => {
    g.take(K.RELOCATION);
    return { kind: 'describe_relocation', ...g.call(body) };
  });
  return { relocate, describe };
}

type RelocationBody = Omit<RelocationStatement, 'kind'>;

function defineBody(g: GrammarHost, literals: LiteralRules): Rule<RelocationBody> {
  const members = g.rule('members', () => g.commaList(0, () => g.call(literals.member)));
  const selection = defineSelection(g, members);
  const strategy = defineStrategy(g);
  const override = g.rule('strategyOverride', (): StrategyOverride => {
    const first = g.position;
    g.take(K.FOR);
    const member = g.call(literals.member);
    return g.close({ member, strategy: g.call(strategy) }, first);
  });
  const overrides = g.rule('strategyOverrides', () => {
    const items = [g.call(override)];
    g.repeat(0, () => {
      // The comma may be left out: the strategy has already ended the override before it.
      g.maybe(0, () => g.take(Comma));
      items.push(g.call(override));
    });
    return Object.freeze(items);
  });
  return g.rule('relocation', (): RelocationBody => {
    const chosen = g.call(selection);
    g.phrase(PHRASE_ONTO_NODE);
    return {
      selection: chosen,
      node: takeNodeId(g, literals, NODE_ID),
      strategy: g.call(strategy),
      overrides: g.maybe(0, () => g.call(overrides)) ?? NO_OVERRIDES,
    };
  });
}

function defineSelection(
  g: GrammarHost,
  members: Rule<readonly RuntimeMember[]>,
): Rule<RelocationSelection> {
  return g.rule('relocationSelection', () =>
    g.choose<RelocationSelection>(0, [
      {
        ALT: () => {
          g.take(K.FROM);
          const from = g.call(members);
          g.take(K.TO);
          return Object.freeze({ kind: 'paths', from, to: g.call(members) });
        },
      },
      { ALT: () => Object.freeze({ kind: 'members', members: g.call(members) }) },
    ]),
  );
}

function defineStrategy(g: GrammarHost): Rule<RelocationStrategy> {
  const alternatives = (['FOLLOW PREFERENCES', 'IGNORE PREFERENCES'] as const).map((strategy) => {
    const words = phraseOf(strategy);
    return {
      ALT: (): RelocationStrategy => {
        g.phrase(words);
        return strategy;
      },
    };
  });
  return g.rule('relocationStrategy', () => g.choose(0, alternatives));
}
