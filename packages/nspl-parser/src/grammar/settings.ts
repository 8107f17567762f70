import type { ConfigEntry, Settings } from '@nervix/model';
import type { IToken } from 'chevrotain';
import {
  Equals,
  keywords,
  LeftBrace,
  LiteralText,
  RightBrace,
  StringToken,
  stringValue,
} from '../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from './grammar-host.js';

const K = keywords('CONFIG');

export const CONFIG_KEY: Label = label('config_key');
export const CONFIG_VALUE: Label = label('config_value');
const NO_ENTRIES: readonly never[] = Object.freeze([]);

export interface SettingsRules {
  /** `{'key' = value, …}` in declaration order; values are kept as text. */
  readonly settings: Rule<Settings>;
  /** The same behind CONFIG. */
  readonly config: Rule<readonly ConfigEntry[]>;
}

/** Settings in braces. */
export function defineSettings(g: GrammarHost): SettingsRules {
  const entry = defineEntry(g, 'configEntry');
  const settings = g.rule('settings', () => takeEntries(g, entry));
  const config = g.rule('config', () => {
    g.take(K.CONFIG);
    return g.call(settings);
  });
  return { settings, config };
}

/**
 * `'key' = value`.
 *
 * @param check refuses a key that it does not know, right where it stands
 */
export function defineEntry(
  g: GrammarHost,
  name: string,
  check: (key: string) => void = () => undefined,
): Rule<ConfigEntry> {
  return g.rule(name, (): ConfigEntry => {
    const first = g.position;
    const key = g.text(CONFIG_KEY);
    check(key);
    g.take(Equals);
    return g.close({ key, value: configText(g.take(LiteralText, CONFIG_VALUE)) }, first);
  });
}

/** Entries in braces, perhaps none; the only list of its rule. */
export function takeEntries<T>(g: GrammarHost, entry: Rule<T>): readonly T[] {
  return takeBraced(g, () => g.call(entry));
}

/** As {@link takeEntries}, for entries that a rule reads with an argument. */
export function takeBraced<T>(g: GrammarHost, entry: () => T): readonly T[] {
  g.take(LeftBrace);
  const entries = g.maybe(1, () => g.closedList(0, entry)) ?? NO_ENTRIES;
  g.take(RightBrace);
  return entries;
}

/** Text of a value: what a string holds, a number or a word as written. */
export function configText(token: IToken): string {
  return token.tokenTypeIdx === StringToken.tokenTypeIdx ? stringValue(token) : token.image;
}
