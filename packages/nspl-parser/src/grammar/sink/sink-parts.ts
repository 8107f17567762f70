import type { ValueMapping } from '@nervix/model';
import { Equals, keywords, LeftBrace, RightBrace } from '../../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from '../expression.js';
import { type GrammarHost, type Label, label, type Rule } from '../grammar-host.js';

const K = keywords('MODE');
const VALUE = label('value_expression');

/** A client that a sink writes through. */
export const CLIENT: Label = label('ref:client');

/** A column or key of what is written. */
export const COLUMN: Label = label('column_name');

/** `{'column' = expression, …}`. */
export function defineValues(g: GrammarHost): Rule<readonly ValueMapping[]> {
  const mapping = g.rule('valueMapping', (): ValueMapping => {
    const first = g.position;
    const column = g.text(COLUMN);
    g.take(Equals);
    const value = g.slot(ExpressionSlot, VALUE, NO_EXPRESSION);
    return g.close({ column, value }, first);
  });
  return g.rule('values', () => {
    g.take(LeftBrace);
    const mappings = g.closedList(0, () => g.call(mapping));
    g.take(RightBrace);
    return mappings;
  });
}

/** `MODE …`. */
export function takeMode<Mode>(g: GrammarHost, mode: Rule<Mode>): Mode {
  g.take(K.MODE);
  return g.call(mode);
}
