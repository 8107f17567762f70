import type { Settings } from '@nervix/model';
import { stringLiteral } from './lexical.js';

/** `'key' = 'value'` of each entry. */
export function settingItems(settings: Settings): readonly string[] {
  return settings.map(({ key, value }) => `${stringLiteral(key)} = ${stringLiteral(value)}`);
}

/** `{'a' = 'b', 'c' = 'd'}` on one line. */
export function printSettings(settings: Settings): string {
  return `{${settingItems(settings).join(', ')}}`;
}
