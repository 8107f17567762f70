import { MODEL_KINDS, type Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import type { GrammarHost, Rule } from './grammar-host.js';
import { modelReference } from './model-words.js';

const K = keywords('DROP');

/**
 * `DROP kind name`.
 *
 * @param others what else may follow DROP
 */
export function defineDrop(g: GrammarHost, others: readonly Rule<Statement>[]): Rule<Statement> {
  const kinds = MODEL_KINDS.map((modelKind) => {
    const reference = modelReference(g, modelKind, { isPhrase: false });
    return { ALT: (): Statement => ({ kind: 'drop_model', modelKind, name: reference() }) };
  });
  const alternatives = [...kinds, ...others.map((rule) => ({ ALT: () => g.call(rule) }))];
  return g.rule('drop', () => {
    g.take(K.DROP);
    return g.choose(0, alternatives);
  });
}
