import type { ModelKind, Statement } from '@nervix/model';
import { keyword, keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { MODEL_WORDS } from './model-words.js';

const K = keywords('DROP');

/** `DROP kind name`. */
export function defineDrop(g: GrammarHost): Rule<Statement> {
  const alternatives = MODEL_WORDS.map(({ kind, words, reference }) => {
    const option = label(reference);
    const types = words.map(keyword);
    return {
      ALT: (): Statement => {
        for (const type of types) g.take(type);
        return drop(kind, kind === 'relay' ? g.relayName(option) : g.name(option));
      },
    };
  });
  return g.rule('drop', () => {
    g.take(K.DROP);
    return g.choose(0, alternatives);
  });
}

function drop(modelKind: ModelKind, name: string): Statement {
  return { kind: 'drop_model', modelKind, name };
}
