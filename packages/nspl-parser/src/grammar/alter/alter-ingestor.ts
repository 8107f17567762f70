import type { AlterModelStatement, IngestorOperation } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { IngestorRules } from '../ingestor.js';
import type { RouteRules } from '../route.js';
import type { SourceRules } from '../source/source.js';
import { takeDropFilter, takeDropRoute, takeRoute } from './consumer-operation.js';
import { type Alternative, defineOperation, takeOperations } from './operation-list.js';

const K = keywords(
  'INGESTOR',
  'SET',
  'ADD',
  'DROP',
  'REPLACE',
  'FROM',
  'QUIESCE',
  'TIMESTAMP',
  'GENERAL',
  'DECODE',
  'ERROR',
  'IGNORE',
  'LOG',
);
const PHRASE_DECODE_USING = phraseOf('DECODE USING');

const INGESTOR = label('ref:ingestor');
const CODEC = label('ref:codec');

/** What the operations of an ingestor are made of. */
export interface IngestorParts {
  readonly routes: RouteRules;
  readonly sources: SourceRules;
  readonly ingestors: IngestorRules;
}

/** `INGESTOR name …`. */
export function defineAlterIngestor(
  g: GrammarHost,
  parts: IngestorParts,
): Rule<AlterModelStatement> {
  const takeEntryRoute = () => g.call(parts.routes.entryRoute);
  const settings = defineSettings(g, parts);
  const removals: Alternative<IngestorOperation>[] = [
    { ALT: () => g.takeAs(K.TIMESTAMP, { op: 'drop_timestamp' }) },
    { ALT: () => takeDropFilter(g) },
    { ALT: () => takeDropRoute(g) },
    {
      ALT: () => {
        g.take(K.DECODE);
        g.take(K.ERROR);
        return { op: 'drop_decode_error' };
      },
    },
  ];
  const heads: Alternative<IngestorOperation>[] = [
    { ALT: () => g.call(settings) },
    {
      ALT: () => {
        g.take(K.DROP);
        return g.choose(1, removals);
      },
    },
    {
      ALT: () => {
        g.take(K.ADD);
        return takeRoute(g, 'add_route', takeEntryRoute);
      },
    },
    {
      ALT: () => {
        g.take(K.REPLACE);
        return takeRoute(g, 'replace_route', takeEntryRoute);
      },
    },
  ];
  const operation = defineOperation(g, 'ingestorOperation', heads);
  return g.rule('alterIngestor', (): AlterModelStatement => {
    g.take(K.INGESTOR);
    const name = g.name(INGESTOR);
    const operations = takeOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'ingestor', name, operations };
  });
}

function defineSettings(
  g: GrammarHost,
  { routes, sources, ingestors }: IngestorParts,
): Rule<IngestorOperation> {
  const alternatives: Alternative<IngestorOperation>[] = [
    {
      ALT: () => {
        g.take(K.FROM);
        const source = g.choose<Extract<IngestorOperation, { op: 'set_source' }>['source']>(1, [
          { ALT: () => g.call(sources.payloadSource) },
          { ALT: () => g.call(sources.producerSource) },
        ]);
        return { op: 'set_source', source };
      },
    },
    {
      ALT: () => {
        g.take(K.QUIESCE);
        return { op: 'set_quiesce', quiesce: g.call(sources.quiesceBody) };
      },
    },
    {
      ALT: () => {
        g.phrase(PHRASE_DECODE_USING);
        return { op: 'set_decode_using', codec: g.name(CODEC) };
      },
    },
    { ALT: () => ({ op: 'set_timestamp', timestamp: g.call(ingestors.timestamp) }) },
    { ALT: () => ({ op: 'set_filter', filter: g.call(routes.filter) }) },
    {
      ALT: () => {
        g.take(K.GENERAL);
        g.take(K.ERROR);
        const policy = g.choose<'IGNORE' | 'LOG'>(2, [
          { ALT: () => g.takeAs(K.IGNORE, 'IGNORE') },
          { ALT: () => g.takeAs(K.LOG, 'LOG') },
        ]);
        return { op: 'set_general_error', policy };
      },
    },
    {
      ALT: () => {
        g.take(K.DECODE);
        g.take(K.ERROR);
        return { op: 'set_decode_error', policy: g.call(ingestors.decodePolicy) };
      },
    },
  ];
  return g.rule('ingestorSetting', () => {
    g.take(K.SET);
    return g.choose(0, alternatives);
  });
}
