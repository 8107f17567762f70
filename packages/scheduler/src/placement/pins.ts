import { compareKeys, compareText, type GraphKey, keyText } from './graph-key.js';
import type { PlacementRule } from './placement-rule.js';
import type { Pin } from './resolved-placement.js';

/** The graph nodes that rules name, whether or not the rules cover anything. */
export function pinsOf(rules: readonly PlacementRule[]): readonly Pin[] {
  const pins = new Map<string, { readonly key: GraphKey; readonly rules: Set<string> }>();
  for (const { name, from, to } of rules) {
    for (const key of [...from, ...to]) {
      const pin = pins.get(keyText(key)) ?? { key, rules: new Set() };
      pin.rules.add(name);
      pins.set(keyText(key), pin);
    }
  }
  return [...pins.values()]
    .sort((left, right) => compareKeys(left.key, right.key))
    .map((pin) => ({ key: pin.key, rules: [...pin.rules].sort(compareText) }));
}
