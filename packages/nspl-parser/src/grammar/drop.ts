import type { ModelKind, Statement } from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { MODEL_WORDS } from './model-words.js';

/** `DROP kind name`. */
export function defineDrop(g: GrammarHost): Rule<Statement> {
  const alternatives = MODEL_WORDS.map(({ kind, words, reference }) => {
    const option = label(reference);
    return {
      ALT: (): Statement => {
        for (const word of words) g.take(keyword(word));
        return drop(kind, kind === 'relay' ? g.relayName(option) : g.name(option));
      },
    };
  });
  return g.rule('drop', () => {
    g.take(keyword('DROP'));
    return g.choose(0, alternatives);
  });
}

function drop(modelKind: ModelKind, name: string): Statement {
  return { kind: 'drop_model', modelKind, name };
}
