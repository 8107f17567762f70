import type {
  ClickhouseSink,
  MongodbSink,
  MysqlSink,
  PostgresSink,
  RowSink,
  ValueMapping,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import { defineConflicts } from './conflict.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, takeMode } from './sink-parts.js';

const K = keywords('CLICKHOUSE', 'POSTGRES', 'MYSQL', 'MONGODB', 'TABLE', 'COLLECTION', 'VALUES');
const PHRASE_INSERT_TO = phraseOf('INSERT TO');
const TABLE = label('table_name');
const COLLECTION = label('collection_name');

/** Sinks that insert rows, which they take in batches only. */
export function defineRowSinks(
  g: GrammarHost,
  modes: SinkModeRules,
  values: Rule<readonly ValueMapping[]>,
): Rule<RowSink> {
  const conflicts = defineConflicts(g);
  const takeRows = () => {
    g.take(K.VALUES);
    return g.call(values);
  };
  const takeTable = () => {
    const client = g.name(CLIENT);
    g.phrase(PHRASE_INSERT_TO);
    g.take(K.TABLE);
    const table = takeExternalName(g, TABLE);
    return { client, table, values: takeRows() };
  };
  const clickhouse = g.rule('clickhouseSink', (): ClickhouseSink => {
    const first = g.position;
    g.take(K.CLICKHOUSE);
    const rows = takeTable();
    return g.close({ kind: 'clickhouse', ...rows, mode: takeMode(g, modes.ack) }, first);
  });
  const postgres = g.rule('postgresSink', (): PostgresSink => {
    const first = g.position;
    g.take(K.POSTGRES);
    const rows = takeTable();
    const onConflict = g.maybe(0, () => g.callWith(conflicts.postgres, rows.values)) ?? null;
    const mode = takeMode(g, modes.ack);
    return g.close({ kind: 'postgres', ...rows, onConflict, mode }, first);
  });
  const mysql = g.rule('mysqlSink', (): MysqlSink => {
    const first = g.position;
    g.take(K.MYSQL);
    const rows = takeTable();
    const onConflict = g.maybe(0, () => g.call(conflicts.mysql)) ?? null;
    return g.close({ kind: 'mysql', ...rows, onConflict, mode: takeMode(g, modes.ack) }, first);
  });
  const mongodb = g.rule('mongodbSink', (): MongodbSink => {
    const first = g.position;
    g.take(K.MONGODB);
    const client = g.name(CLIENT);
    g.phrase(PHRASE_INSERT_TO);
    g.take(K.COLLECTION);
    const collection = takeExternalName(g, COLLECTION);
    const rows = takeRows();
    const onConflict = g.maybe(0, () => g.callWith(conflicts.mongodb, rows)) ?? null;
    const mode = takeMode(g, modes.ack);
    return g.close({ kind: 'mongodb', client, collection, values: rows, onConflict, mode }, first);
  });
  return g.rule('rowSink', () =>
    g.choose<RowSink>(0, [
      { ALT: () => g.call(clickhouse) },
      { ALT: () => g.call(postgres) },
      { ALT: () => g.call(mysql) },
      { ALT: () => g.call(mongodb) },
    ]),
  );
}
