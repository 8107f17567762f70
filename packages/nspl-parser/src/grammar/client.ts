import type { ClientConfigEntry, ClientModel } from '@nervix/model';
import {
  Equals,
  keywords,
  LeftBrace,
  LiteralText,
  RightBrace,
  StringToken,
  stringValue,
} from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { takeResourceBinding } from './literals.js';

const K = keywords('CLIENT', 'TYPE', 'HTTP', 'MOUNT', 'CONFIG');

const NAME = label('client_name');
const KEY = label('config_key');
const VALUE = label('config_value');
const NO_ENTRIES: readonly ClientConfigEntry[] = Object.freeze([]);

/** `CLIENT name TYPE HTTP [MOUNT …] CONFIG {…}`. */
export function defineClient(g: GrammarHost): Rule<ClientModel> {
  const config = defineConfig(g);
  return g.rule('client', (): ClientModel => {
    g.take(K.CLIENT);
    const name = g.name(NAME);
    g.take(K.TYPE);
    g.take(K.HTTP);
    const mount =
      g.maybe(0, () => {
        g.take(K.MOUNT);
        return takeResourceBinding(g);
      }) ?? null;
    const entries = g.call(config);
    return g.close(
      { kind: 'client', name, type: 'HTTP', pool: null, signaling: null, mount, config: entries },
      0,
    );
  });
}

function defineConfig(g: GrammarHost): Rule<readonly ClientConfigEntry[]> {
  const entry = g.rule('configEntry', (): ClientConfigEntry => {
    const first = g.position;
    const key = g.text(KEY);
    g.take(Equals);
    const token = g.take(LiteralText, VALUE);
    const isString = token.tokenTypeIdx === StringToken.tokenTypeIdx;
    const text = isString ? stringValue(token) : token.image;
    return g.close({ key, value: Object.freeze({ kind: 'text', text }) }, first);
  });
  return g.rule('config', () => {
    g.take(K.CONFIG);
    g.take(LeftBrace);
    const entries = g.maybe(1, () => g.closedList(0, () => g.call(entry))) ?? NO_ENTRIES;
    g.take(RightBrace);
    return entries;
  });
}
