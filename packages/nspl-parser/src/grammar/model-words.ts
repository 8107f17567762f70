import { type ModelKind, statementWords } from '@nervix/model';
import { referenceLabel } from '../reference-kinds.js';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, phraseOf } from './grammar-host.js';

/** Kinds whose words are one wherever they stand. */
const PHRASES: ReadonlySet<ModelKind> = new Set(['hash_map', 'signaling_protocol']);

/** Kinds whose words are one in some statements. */
const PROCESSORS: ReadonlySet<ModelKind> = new Set(['window_processor', 'wasm_processor']);

/**
 * Prepares the words of a kind and a reference to one of its models.
 *
 * @param isPhrase whether the words of a WINDOW or WASM PROCESSOR are reported as one
 * @returns takes them from the grammar and yields the name
 */
export function modelReference(
  g: GrammarHost,
  kind: ModelKind,
  { isPhrase }: { readonly isPhrase: boolean },
): () => string {
  const words = statementWords(kind);
  const types = words.split(' ').map(keyword);
  const option = label(referenceLabel(kind));
  const isOne = PHRASES.has(kind) || (isPhrase && PROCESSORS.has(kind));
  const phrase = isOne ? phraseOf(words) : undefined;
  return () => {
    if (phrase !== undefined) g.phrase(phrase);
    else for (const type of types) g.take(type);
    return kind === 'relay' ? g.relayName(option) : g.name(option);
  };
}
