import {
  type ClientConfigEntry,
  type ClientConfigValue,
  type ClientModel,
  type ClientType,
  holdsRedacted,
  PLAIN_CLIENT_TYPES,
  POOLED_CLIENT_TYPES,
  type PoolSize,
} from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { Equals, keyword, keywords, LiteralText } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takePositiveU32, takeResourceBinding, takeU32 } from './literals.js';
import { CONFIG_KEY, CONFIG_VALUE, configText, takeBraced } from './settings.js';

const K = keywords(
  'CLIENT',
  'TYPE',
  'WEBSOCKETS',
  'MIN',
  'MAX',
  'MOUNT',
  'CONFIG',
  'SECRET',
  'KEY',
);
const PHRASE_WITH_SIGNALING_PROTOCOL = phraseOf('WITH SIGNALING PROTOCOL');
const PHRASE_POOL_SIZE = phraseOf('POOL SIZE');

const NAME = label('client_name');
const SIGNALING_PROTOCOL = label('ref:signaling_protocol');
const MIN_POOL_SIZE = label('min_pool_size');
const MAX_POOL_SIZE = label('max_pool_size');
const SECRET = label('ref:secret');
const SECRET_KEY = label('string_literal');

/** The type of a client with what belongs to it alone. */
type ClientTypeClause = Pick<ClientModel, 'type' | 'pool' | 'signaling'>;

/** `CLIENT name TYPE … [MOUNT …] CONFIG {…}`. */
export function defineClient(g: GrammarHost): Rule<ClientModel> {
  const typeClause = defineTypeClause(g);
  const entry = defineConfigEntry(g);
  return g.rule('client', (): ClientModel => {
    g.take(K.CLIENT);
    const name = g.name(NAME);
    g.take(K.TYPE);
    const clause = g.call(typeClause);
    const mount =
      g.maybe(2, () => {
        g.take(K.MOUNT);
        return takeResourceBinding(g);
      }) ?? null;
    g.take(K.CONFIG);
    const config = takeBraced(g, () => g.callWith(entry, clause.type));
    return g.close({ kind: 'client', name, ...clause, mount, config }, 0);
  });
}

function defineTypeClause(g: GrammarHost): Rule<ClientTypeClause> {
  const poolSize = definePoolSize(g);
  const alternatives: { ALT: () => ClientTypeClause }[] = [
    ...PLAIN_CLIENT_TYPES.map((type) => ({
      ALT: () => g.takeAs(keyword(type), { type, pool: null, signaling: null }),
    })),
    {
      ALT: () => {
        g.take(K.WEBSOCKETS);
        const signaling =
          g.maybe(0, () => {
            g.phrase(PHRASE_WITH_SIGNALING_PROTOCOL);
            return g.name(SIGNALING_PROTOCOL);
          }) ?? null;
        return { type: 'WEBSOCKETS', pool: null, signaling };
      },
    },
    ...POOLED_CLIENT_TYPES.map((type) => ({
      ALT: () => {
        g.take(keyword(type));
        return { type, pool: g.call(poolSize), signaling: null };
      },
    })),
  ];
  return g.rule('clientType', () => g.choose(0, alternatives));
}

function definePoolSize(g: GrammarHost): Rule<PoolSize> {
  return g.rule('poolSize', (): PoolSize => {
    const first = g.position;
    g.phrase(PHRASE_POOL_SIZE);
    g.take(K.MIN);
    const min = takeU32(g, MIN_POOL_SIZE);
    g.take(K.MAX);
    const max = takePositiveU32(g, MAX_POOL_SIZE, 'maximum pool size must be greater than zero');
    if (Number(min) > Number(max)) {
      g.refuse(`minimum pool size ${min} must not exceed maximum pool size ${max}`, first);
    }
    return g.close({ min, max }, first);
  });
}

function defineConfigEntry(g: GrammarHost): Rule<ClientConfigEntry, [ClientType]> {
  const secret = g.rule('secretReference', (): ClientConfigValue => {
    g.take(K.SECRET);
    const name = g.text(SECRET);
    const key =
      g.maybe(0, () => {
        g.take(K.KEY);
        return g.text(SECRET_KEY);
      }) ?? null;
    return { kind: 'secret', name, key };
  });
  return g.rule('clientConfigEntry', (type: ClientType): ClientConfigEntry => {
    const first = g.position;
    const key = g.text(CONFIG_KEY);
    g.take(Equals);
    const value = g.choose<ClientConfigValue>(0, [
      { ALT: () => g.call(secret) },
      {
        ALT: () => {
          const text = configText(g.take(LiteralText, CONFIG_VALUE));
          if (!g.isRecording && holdsRedacted(type, key, text)) {
            g.refuse(
              `config key '${cutText(key)}' holds a redacted value; ` +
                'give the value or a SECRET reference',
            );
          }
          return { kind: 'text', text };
        },
      },
    ]);
    return g.close({ key, value: Object.freeze(value) }, first);
  });
}
