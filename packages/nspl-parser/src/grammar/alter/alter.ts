import type { Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import type { GrammarHost, Rule } from '../grammar-host.js';

const K = keywords('ALTER');

/**
 * ALTER statements; the second word decides.
 *
 * @param others what else may follow ALTER
 */
export function defineAlter(g: GrammarHost, others: readonly Rule<Statement>[]): Rule<Statement> {
  const alternatives = others.map((rule) => ({ ALT: () => g.call(rule) }));
  return g.rule('alter', () => {
    g.take(K.ALTER);
    return g.choose(0, alternatives);
  });
}
