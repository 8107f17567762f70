import { Comma } from '../../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from '../grammar-host.js';

/** A comma behind which an operation begins. */
export const SEPARATOR: Label = label('alter_operation_separator');

/** One of several ways on. */
export interface Alternative<T> {
  readonly ALT: () => T;
}

/** One operation of a kind, by the words that it begins with. */
export function defineOperation<T extends object>(
  g: GrammarHost,
  name: string,
  heads: Alternative<T>[],
): Rule<T> {
  return g.rule(name, () => {
    const first = g.position;
    return g.close(g.choose(0, heads), first);
  });
}

/** One or more operations in written order; the only list of its rule. */
export function takeOperations<T>(g: GrammarHost, operation: Rule<T>): readonly T[] {
  const operations = [g.call(operation)];
  g.repeat(0, () => {
    g.take(Comma, SEPARATOR);
    operations.push(g.call(operation));
  });
  return Object.freeze(operations);
}

/** As {@link takeOperations}, of operations that hold no list; a comma may follow the last. */
export function takeClosedOperations<T>(g: GrammarHost, operation: Rule<T>): readonly T[] {
  return g.closedList(0, () => g.call(operation));
}
