import type { LiteralBinding, LiteralValue } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { Equals, keywords, LeftParen, NumberToken, RightParen, Word } from '../tokens.js';
import { type GrammarHost, hidden, label, type Rule } from './grammar-host.js';

const K = keywords('WHERE', 'TRUE', 'FALSE');

const FIELD_NAME = label('field_name');
const STRING = label('string_literal');
const NUMBER = label('number_literal');
const OTHER_WORD = hidden('identifier');
/** Tells the choice apart from others of the rules that read a literal. */
const LITERAL_CHOICE = 8;

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

const TRUE: LiteralValue = Object.freeze({ kind: 'boolean', value: true });
const FALSE: LiteralValue = Object.freeze({ kind: 'boolean', value: false });

/** A string, a number, TRUE or FALSE; no other word is one. */
export function takeLiteral(g: GrammarHost): LiteralValue {
  return g.choose<LiteralValue>(LITERAL_CHOICE, [
    { ALT: () => Object.freeze({ kind: 'string', value: g.text(STRING) }) },
    { ALT: () => Object.freeze({ kind: 'number', text: g.take(NumberToken, NUMBER).image }) },
    { ALT: () => g.takeAs(K.TRUE, TRUE) },
    { ALT: () => g.takeAs(K.FALSE, FALSE) },
    {
      // Read for its refusal, and not offered.
      ALT: () => {
        const { image } = g.take(Word, OTHER_WORD);
        g.refuse(`unsupported subscription literal '${cutText(image)}'`);
        return FALSE;
      },
      IGNORE_AMBIGUITIES: true,
    },
  ]);
}
