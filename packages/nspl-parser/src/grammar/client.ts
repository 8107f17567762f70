import type { ClientConfigEntry, ClientModel } from '@nervix/model';
import { Equals, keywords, LiteralText } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { takeResourceBinding } from './literals.js';
import { CONFIG_KEY, CONFIG_VALUE, configText, takeEntries } from './settings.js';

const K = keywords('CLIENT', 'TYPE', 'HTTP', 'MOUNT', 'CONFIG');

const NAME = label('client_name');

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
  const entry = g.rule('clientConfigEntry', (): ClientConfigEntry => {
    const first = g.position;
    const key = g.text(CONFIG_KEY);
    g.take(Equals);
    const text = configText(g.take(LiteralText, CONFIG_VALUE));
    return g.close({ key, value: Object.freeze({ kind: 'text', text }) }, first);
  });
  return g.rule('clientConfig', () => {
    g.take(K.CONFIG);
    return takeEntries(g, entry);
  });
}
