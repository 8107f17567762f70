import { Alternation, Alternative, type IProduction, NonTerminal, Terminal } from 'chevrotain';
import { statementParser } from '../../src/parser.ts';

const { host } = statementParser();

/** Names of the rules between which a recorded rule chooses. */
export function alternativesOf(rule: string): readonly string[] {
  return host
    .recordOf(rule)
    .definition.filter((production) => production instanceof Alternation)
    .flatMap(({ definition }) => definition)
    .flatMap((each) => (each instanceof Alternative ? each.definition.slice(0, 1) : []))
    .flatMap((first) => (first instanceof NonTerminal ? [first.nonTerminalName] : []));
}

/** Labels of the terminals that a recorded rule consists of, in grammar order with repetition. */
export function terminalLabelsOf(rule: string): readonly string[] {
  const labels: string[] = [];
  const seen = new Set<IProduction>();
  const visit = (production: IProduction): void => {
    if (seen.has(production)) return;
    seen.add(production);
    if (production instanceof Terminal) {
      const { label, terminalType } = production;
      labels.push(label ?? terminalType.LABEL ?? terminalType.name);
    } else if (production instanceof NonTerminal) visit(production.referencedRule);
    else if ('definition' in production) {
      for (const part of production.definition as IProduction[]) visit(part);
    }
  };
  visit(host.recordOf(rule));
  return labels;
}
