import type { LiteralBinding, LiteralValue } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import {
  Equals,
  keywords,
  LeftParen,
  LiteralText,
  NumberToken,
  RightParen,
  StringToken,
  stringValue,
} from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('WHERE');

const FIELD_NAME = label('field_name');
const LITERAL = label('string_literal');

/** `WHERE (field = literal, …)`. */
export function defineLiteralBindings(g: GrammarHost): Rule<readonly LiteralBinding[]> {
  return defineBindings(g, 'literalBinding', () => g.name(FIELD_NAME));
}

/**
 * `WHERE (name = literal, …)`.
 *
 * @param rule name of the rule that reads one binding; the one for all has an `s` behind it
 * @param takeName reads the name on the left
 */
export function defineBindings(
  g: GrammarHost,
  rule: string,
  takeName: () => string,
): Rule<readonly LiteralBinding[]> {
  const binding = g.rule(rule, (): LiteralBinding => {
    const first = g.position;
    const field = takeName();
    g.take(Equals);
    return g.close({ field, value: takeLiteral(g) }, first);
  });
  return g.rule(`${rule}s`, () => {
    g.take(K.WHERE);
    g.take(LeftParen);
    const items = g.commaList(0, () => g.call(binding));
    g.take(RightParen);
    return items;
  });
}

/** A string, a number, TRUE or FALSE; no other word is one. */
export function takeLiteral(g: GrammarHost): LiteralValue {
  const token = g.take(LiteralText, LITERAL);
  if (token.tokenTypeIdx === StringToken.tokenTypeIdx) {
    return Object.freeze({ kind: 'string', value: stringValue(token) });
  }
  if (token.tokenTypeIdx === NumberToken.tokenTypeIdx) {
    return Object.freeze({ kind: 'number', text: token.image });
  }
  const word = token.image.toUpperCase();
  if (word !== 'TRUE' && word !== 'FALSE') {
    g.refuse(`unsupported subscription literal '${cutText(token.image)}'`);
  }
  return Object.freeze({ kind: 'boolean', value: word === 'TRUE' });
}
