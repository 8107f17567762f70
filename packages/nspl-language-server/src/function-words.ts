import {
  type BuiltinFunction,
  findAggregate,
  findFunction,
  printSignatures,
  WINDOW_AGGREGATES,
} from '@nervix/model';

/** The function that a completion offers: aggregates are offered in upper case. */
export function functionOf(label: string): BuiltinFunction | undefined {
  return WINDOW_AGGREGATES.get(label) ?? findFunction(label);
}

/** The function that a word of a statement calls. */
export function calledFunction(
  word: string,
  statementWords: readonly string[],
): BuiltinFunction | undefined {
  const isWindow = /\bWINDOW PROCESSOR\b/iu.test(statementWords.slice(0, 6).join(' '));
  return (isWindow ? findAggregate(word) : undefined) ?? findFunction(word) ?? findAggregate(word);
}

/** What is shown about a function, in Markdown. */
export function functionProse(definition: BuiltinFunction): string {
  const { aliases, summary } = definition;
  const signatures = printSignatures(definition).map((text) => `**${text}**`);
  const also = aliases.length === 0 ? [] : [`Also written ${aliases.join(', ')}.`];
  return [...signatures, summary, ...also].join('\n\n');
}
