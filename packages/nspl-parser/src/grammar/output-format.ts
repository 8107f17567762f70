import type { OutputFormat } from '@nervix/model';
import { keywords } from '../tokens.js';
import type { GrammarHost } from './grammar-host.js';

const K = keywords('FORMAT', 'TEXT', 'JSON');

/**
 * `[FORMAT TEXT | JSON]`.
 *
 * @param index tells the optional and chosen parts of one rule apart
 */
export function takeOutputFormat(g: GrammarHost, index: number): OutputFormat {
  const format = g.maybe(index, () => {
    g.take(K.FORMAT);
    return g.choose<OutputFormat>(index, [
      { ALT: () => g.takeAs(K.TEXT, 'TEXT') },
      { ALT: () => g.takeAs(K.JSON, 'JSON') },
    ]);
  });
  return format ?? 'TEXT';
}
