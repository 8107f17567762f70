import {
  ICEBERG_STORES,
  type IcebergCommit,
  type IcebergSink,
  type ValueMapping,
} from '@nervix/model';
import { keyword, keywords } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, takeMode } from './sink-parts.js';

const K = keywords('ICEBERG', 'ON', 'TABLE', 'VALUES', 'LOCATION', 'CATALOG');
const PHRASE_COMMIT_EACH = phraseOf('COMMIT EACH');
const PHRASE_MAX_SIZE = phraseOf('MAX SIZE');
const TABLE = label('table_name');
const LOCATION = label('iceberg_location');

/** `COMMIT EACH … MAX SIZE …`. */
export function defineIcebergCommit(g: GrammarHost, literals: LiteralRules): Rule<IcebergCommit> {
  return g.rule('icebergCommit', (): IcebergCommit => {
    const first = g.position;
    g.phrase(PHRASE_COMMIT_EACH);
    const interval = g.call(literals.duration);
    g.phrase(PHRASE_MAX_SIZE);
    return g.close({ interval, maxSize: g.call(literals.byteSize) }, first);
  });
}

/** `ICEBERG ON store client TABLE … COMMIT … MODE …`. */
export function defineIcebergSink(
  g: GrammarHost,
  modes: SinkModeRules,
  parts: {
    readonly values: Rule<readonly ValueMapping[]>;
    readonly commit: Rule<IcebergCommit>;
  },
): Rule<IcebergSink> {
  const stores = ICEBERG_STORES.map((store) => ({ ALT: () => g.takeAs(keyword(store), store) }));
  return g.rule('icebergSink', (): IcebergSink => {
    const first = g.position;
    g.take(K.ICEBERG);
    g.take(K.ON);
    const store = g.choose(0, stores);
    const client = g.name(CLIENT);
    g.take(K.TABLE);
    const table = takeExternalName(g, TABLE);
    g.take(K.VALUES);
    const values = g.call(parts.values);
    g.take(K.LOCATION);
    const location = g.text(LOCATION);
    g.take(K.CATALOG);
    const catalog = g.name(CLIENT);
    const commit = g.call(parts.commit);
    const sink = { store, client, table, values, location, catalog, commit };
    return g.close({ kind: 'iceberg', ...sink, mode: takeMode(g, modes.ack) }, first);
  });
}
