import type { AlterModelStatement, EmitterOperation, EmitterSink } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { RouteRules } from '../route.js';
import type { SinkRules } from '../sink/sink.js';
import type { ConsumerOperationRules } from './consumer-operation.js';
import { type Alternative, defineOperation, takeOperations } from './operation-list.js';

const K = keywords(
  'EMITTER',
  'ADD',
  'DROP',
  'ALTER',
  'SET',
  'TO',
  'CLIENT',
  'ENCODE',
  'COLLECT',
  'BATCH',
);
const PHRASE_ENCODE_USING = phraseOf('ENCODE USING');
const PHRASE_WITHOUT_BODY = phraseOf('WITHOUT BODY');
const PHRASE_SET_MODE = phraseOf('SET MODE');

const EMITTER = label('ref:emitter');
const CLIENT = label('ref:client');
const CODEC = label('ref:codec');

/** What the operations of an emitter are made of. */
export interface EmitterParts {
  readonly routes: RouteRules;
  readonly sinks: SinkRules;
  readonly consumers: ConsumerOperationRules;
}

type SetSink = Extract<EmitterOperation, { readonly op: 'set_sink' }>;

/** `EMITTER name …`. */
export function defineAlterEmitter(g: GrammarHost, parts: EmitterParts): Rule<AlterModelStatement> {
  const { consumers, sinks } = parts;
  const settings = defineSettings(g, parts);
  const removals: Alternative<EmitterOperation>[] = [
    { ALT: () => g.call(consumers.dropInput) },
    { ALT: () => g.takeAs(K.ENCODE, { op: 'drop_encode' }) },
    { ALT: () => g.takeAs(K.COLLECT, { op: 'drop_collect' }) },
    { ALT: () => g.takeAs(K.BATCH, { op: 'drop_batch' }) },
  ];
  const heads: Alternative<EmitterOperation>[] = [
    {
      ALT: () => {
        g.take(K.ADD);
        return g.call(consumers.addInput);
      },
    },
    {
      ALT: () => {
        g.take(K.DROP);
        return g.choose(1, removals);
      },
    },
    {
      ALT: () => {
        g.take(K.ALTER);
        return g.call(consumers.alterInput);
      },
    },
    {
      ALT: () => {
        g.take(K.SET);
        return g.choose(2, settings);
      },
    },
    {
      ALT: () => {
        g.phrase(PHRASE_SET_MODE);
        return { op: 'set_mode', mode: g.call(sinks.mode) };
      },
    },
  ];
  const operation = defineOperation(g, 'emitterOperation', heads);
  return g.rule('alterEmitter', (): AlterModelStatement => {
    g.take(K.EMITTER);
    const name = g.name(EMITTER);
    const operations = takeOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'emitter', name, operations };
  });
}

/** What may follow SET, but for the mode. */
function defineSettings(
  g: GrammarHost,
  { routes, sinks, consumers }: EmitterParts,
): Alternative<EmitterOperation>[] {
  const newSink = defineNewSink(g, sinks);
  return [
    {
      ALT: () => {
        g.take(K.TO);
        return g.call(newSink);
      },
    },
    {
      ALT: () => {
        g.take(K.CLIENT);
        return { op: 'set_client', client: g.name(CLIENT) };
      },
    },
    {
      ALT: () => {
        g.phrase(PHRASE_ENCODE_USING);
        return { op: 'set_encode_using', codec: g.name(CODEC) };
      },
    },
    { ALT: () => g.call(consumers.setCollect) },
    { ALT: () => g.call(consumers.setAcknowledgement) },
    { ALT: () => ({ op: 'set_batch', batch: g.call(sinks.batch) }) },
    { ALT: () => ({ op: 'set_flush', flush: g.call(routes.flush) }) },
    { ALT: () => ({ op: 'set_commit', commit: g.call(sinks.commit) }) },
  ];
}

/** A sink with its mode; only requests say what becomes of the body. */
function defineNewSink(g: GrammarHost, sinks: SinkRules): Rule<SetSink> {
  const kept = { kind: 'kept' as const };
  const keeping = (rule: Rule<EmitterSink>): Alternative<SetSink> => ({
    ALT: () => ({ op: 'set_sink', sink: g.call(rule), body: Object.freeze(kept) }),
  });
  const http = g.rule('newHttpSink', (): SetSink => {
    const sink = g.call(sinks.httpSink);
    const body = g.choose<SetSink['body']>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_ENCODE_USING);
          return Object.freeze({ kind: 'encode', codec: g.name(CODEC) });
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_WITHOUT_BODY);
          return Object.freeze({ kind: 'without_body' });
        },
      },
    ]);
    return { op: 'set_sink', sink, body };
  });
  const alternatives: Alternative<SetSink>[] = [
    keeping(sinks.payloadSink),
    { ALT: () => g.call(http) },
    keeping(sinks.consumerSink),
    keeping(sinks.rowSink),
    keeping(sinks.bulkSink),
  ];
  return g.rule('newSink', () => g.choose(0, alternatives));
}
