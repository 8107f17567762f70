import type { LiteralBinding, LiteralValue } from '@nervix/model';
import { stringLiteral } from './lexical.js';

/** A literal as statements hold it. */
export function printLiteral(value: LiteralValue): string {
  switch (value.kind) {
    case 'string':
      return stringLiteral(value.value);
    case 'number':
      return value.text;
    default:
      return value.value ? 'TRUE' : 'FALSE';
  }
}

/** `a = 'x', b = 1`. */
export function printLiteralBindings(bindings: readonly LiteralBinding[]): string {
  return bindings.map(({ field, value }) => `${field} = ${printLiteral(value)}`).join(', ');
}
