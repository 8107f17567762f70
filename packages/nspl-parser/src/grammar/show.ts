import { MODEL_KINDS, type ShowListStatement, type Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { modelReference } from './model-words.js';

const K = keywords(
  'SHOW',
  'CREATE',
  'UDFS',
  'INGESTORS',
  'PLACEMENTS',
  'TRANSACTIONS',
  'CLUSTER',
  'STATUS',
  'RELAY',
  'MATERIALIZED',
  'STATE',
  'WITH',
  'SECRETS',
);

const RELAY = label('ref:relay');

/**
 * SHOW statements.
 *
 * @param others what else may follow SHOW
 */
export function defineShow(g: GrammarHost, others: readonly Rule<Statement>[]): Rule<Statement> {
  const showCreate = defineShowCreate(g);
  const list = (kind: ShowListStatement['kind']) => ({ kind });
  const materializedState = g.rule('showMaterializedState', (): Statement => {
    g.take(K.RELAY);
    const relay = g.relayName(RELAY);
    g.take(K.MATERIALIZED);
    g.take(K.STATE);
    return { kind: 'show_materialized_state', relay };
  });
  const alternatives: { ALT: () => Statement }[] = [
    { ALT: () => g.call(showCreate) },
    { ALT: () => g.takeAs(K.UDFS, list('show_udfs')) },
    { ALT: () => g.takeAs(K.INGESTORS, list('show_ingestors')) },
    { ALT: () => g.takeAs(K.PLACEMENTS, list('show_placements')) },
    { ALT: () => g.takeAs(K.TRANSACTIONS, list('show_transactions')) },
    {
      ALT: () => {
        g.take(K.CLUSTER);
        g.take(K.STATUS);
        return list('show_cluster_status');
      },
    },
    { ALT: () => g.call(materializedState) },
    ...others.map((rule) => ({ ALT: () => g.call(rule) })),
  ];
  return g.rule('show', () => {
    g.take(K.SHOW);
    return g.choose(0, alternatives);
  });
}

function defineShowCreate(g: GrammarHost): Rule<Statement> {
  const kinds = MODEL_KINDS.map((modelKind) => {
    const reference = modelReference(g, modelKind, { isPhrase: true });
    return { ALT: () => ({ modelKind, name: reference() }) };
  });
  return g.rule('showCreate', (): Statement => {
    g.take(K.CREATE);
    const { modelKind, name } = g.choose(0, kinds);
    const withSecrets =
      g.maybe(0, () => {
        g.take(K.WITH);
        return g.takeAs(K.SECRETS, true);
      }) === true;
    return { kind: 'show_create', modelKind, name, withSecrets };
  });
}
