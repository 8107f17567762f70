import { BUDGET_KEYS, CAPACITY_KEYS, isRuleKey, type Settings } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import type { GrammarHost, Rule } from './grammar-host.js';
import { defineEntry, takeEntries } from './settings.js';

/** Settings of which only certain keys exist. */
export interface ClosedSettings {
  readonly budget: Rule<Settings>;
  readonly capacity: Rule<Settings>;
  readonly rules: Rule<Settings>;
}

/** Settings in braces whose keys are checked while they are read. */
export function defineClosedSettings(g: GrammarHost): ClosedSettings {
  const define = (name: string, title: string, isKey: (key: string) => boolean) => {
    const entry = defineEntry(g, `${name}Entry`, (key) => {
      if (!isKey(key)) g.refuse(`unknown ${title} key '${cutText(key)}'`);
    });
    return g.rule(name, () => takeEntries(g, entry));
  };
  return {
    budget: define('budget', 'BUDGET', (key) => BUDGET_KEYS.has(key)),
    capacity: define('capacity', 'CAPACITY', (key) => CAPACITY_KEYS.has(key)),
    rules: define('policyRules', 'RULES', isRuleKey),
  };
}
