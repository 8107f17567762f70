import { CAPABILITIES, type Capability } from '@nervix/model';
import { keyword, keywords } from '../../tokens.js';
import type { GrammarHost, Rule } from '../grammar-host.js';

const K = keywords('CAPABILITIES');

/** `CAPABILITIES capability, …`. */
export function defineCapabilities(g: GrammarHost): Rule<readonly Capability[]> {
  const alternatives = CAPABILITIES.map((capability) => {
    const word = keyword(capability);
    return { ALT: () => g.takeAs(word, capability) };
  });
  const capability = g.rule('capability', () => g.choose<Capability>(0, alternatives));
  return g.rule('capabilities', () => {
    g.take(K.CAPABILITIES);
    return g.commaList(0, () => g.call(capability));
  });
}
