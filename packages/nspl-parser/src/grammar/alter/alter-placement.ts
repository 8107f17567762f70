import type { AlterModelStatement, PlacementOperation } from '@nervix/model';
import { Comma, keywords, ListedWord } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { takeRank } from '../placement.js';
import { type Alternative, SEPARATOR } from './operation-list.js';

const K = keywords('PLACEMENT', 'SET', 'POLICY', 'RANK', 'DROP', 'FROM', 'TO', 'RENAME');

const PLACEMENT = label('ref:placement');
const NEW_NAME = label('placement_name');
const RUNTIME_NODE = label('ref:runtime_node');

/**
 * `PLACEMENT name …`. The operations stand in the rule itself: where a list of nodes ends and the
 * next operation begins is seen from both sides of the comma.
 */
export function defineAlterPlacement(
  g: GrammarHost,
  literals: LiteralRules,
): Rule<AlterModelStatement> {
  const takeFirst = defineOperation(g, literals, 0);
  const takeFurther = defineOperation(g, literals, 2);
  return g.rule('alterPlacement', (): AlterModelStatement => {
    g.take(K.PLACEMENT);
    const name = g.name(PLACEMENT);
    const operations = [takeFirst()];
    g.repeat(4, () => {
      g.take(Comma, SEPARATOR);
      operations.push(takeFurther());
    });
    Object.freeze(operations);
    return { kind: 'alter_model', modelKind: 'placement', name, operations };
  });
}

/** @param index the first of the two choices and lists in the rule that belong to the operation */
function defineOperation(
  g: GrammarHost,
  literals: LiteralRules,
  index: number,
): () => PlacementOperation {
  const settings: Alternative<PlacementOperation>[] = [
    {
      ALT: () => {
        g.take(K.POLICY);
        return { op: 'set_policy', policy: g.call(literals.placementPolicy) };
      },
    },
    {
      ALT: () => {
        g.take(K.RANK);
        return { op: 'set_rank', rank: takeRank(g) };
      },
    },
    {
      ALT: () => {
        g.take(K.FROM);
        const from = takeNodes(g, index);
        g.take(K.TO);
        return { op: 'set_ends', from, to: takeNodes(g, index + 1) };
      },
    },
  ];
  const heads: Alternative<PlacementOperation>[] = [
    {
      ALT: () => {
        g.take(K.SET);
        return g.choose(index + 1, settings);
      },
    },
    {
      ALT: () => {
        g.take(K.DROP);
        g.take(K.RANK);
        return { op: 'drop_rank' };
      },
    },
    {
      ALT: () => {
        g.take(K.RENAME);
        g.take(K.TO);
        return { op: 'rename', name: g.name(NEW_NAME) };
      },
    },
  ];
  return () => {
    const first = g.position;
    return g.close(g.choose(index, heads), first);
  };
}

/** Names of runtime nodes; behind a comma a word that begins an operation is none. */
function takeNodes(g: GrammarHost, index: number): readonly string[] {
  const nodes = [g.name(RUNTIME_NODE)];
  g.repeat(index, () => {
    g.take(Comma);
    nodes.push(g.name(RUNTIME_NODE, ListedWord));
  });
  return Object.freeze(nodes);
}
