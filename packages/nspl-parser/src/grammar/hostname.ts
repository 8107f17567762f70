import { canonicalName, nameDefect } from '@nervix/model';
import { Dot, IntegerText, Minus } from '../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from './grammar-host.js';

const HOSTNAME = label('hostname');
const HOSTNAME_LABEL = label('hostname_label');

export interface HostnameRules {
  /** `a-1.example.com` as written, without the blanks around `-` and `.`. */
  readonly hostname: Rule<string>;
  /** What follows the first piece of a hostname. */
  readonly hostnameRest: Rule<string>;
}

/** Hostnames, which the lexer splits into numbers, words, `-` and `.`. */
export function defineHostname(g: GrammarHost): HostnameRules {
  const hostnameRest = g.rule('hostnameRest', () => {
    let text = '';
    g.repeat(0, () => {
      const separator = g.choose(0, [
        { ALT: () => g.takeAs(Minus, '-') },
        { ALT: () => g.takeAs(Dot, '.') },
      ]);
      text += separator + g.take(IntegerText, HOSTNAME_LABEL).image;
    });
    return text;
  });
  const hostname = g.rule(
    'hostname',
    () => g.take(IntegerText, HOSTNAME).image + g.call(hostnameRest),
  );
  return { hostname, hostnameRest };
}

/** The id of a node: a hostname that is a name, in its stored form. */
export function takeNodeId(g: GrammarHost, rules: HostnameRules, option: Label): string {
  const first = g.position;
  const text = g.take(IntegerText, option).image + g.call(rules.hostnameRest);
  if (g.isRecording) return '';
  const defect = nameDefect(text);
  if (defect !== undefined) g.refuse(`invalid ${option.LABEL}: ${defect}`, first);
  return canonicalName(text);
}
