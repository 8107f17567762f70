import type {
  DecodeErrorPolicy,
  EndpointMode,
  EndpointSource,
  EntryRoute,
  IngestorModel,
  QuiesceMode,
  TimestampSource,
} from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';
import type { RouteRules } from './route.js';

const K = keywords(
  'INGESTOR',
  'FROM',
  'ENDPOINT',
  'MODE',
  'ON',
  'QUIESCE',
  'NO_ACK',
  'SEQUENTIAL',
  'ACK',
  'PARALLEL',
  'MAX',
  'REJECT',
  'RETRY',
  'AFTER',
  'BUFFER',
  'TIMESTAMP',
  'NOW',
  'AT',
  'LOG',
);
const PHRASE_DECODE_USING = phraseOf('DECODE USING');
const PHRASE_ACK_TIMEOUT = phraseOf('ACK TIMEOUT');
const PHRASE_MAX_SIZE = phraseOf('MAX SIZE');
const PHRASE_ON_DECODE_ERROR = phraseOf('ON DECODE ERROR');

const NAME = label('ingestor_name');
const ENDPOINT = label('ref:endpoint');
const CODEC = label('ref:codec');
const MAX_IN_FLIGHT = label('max_in_flight');
const FIELD_NAME = label('field_name');

/** `INGESTOR name FROM ENDPOINT …`. */
export function defineIngestor(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
): Rule<IngestorModel> {
  const source = defineSource(g, literals);
  const timestamp = defineTimestamp(g);
  const decodeError = defineDecodeError(g, routes);
  return g.rule('ingestor', (): IngestorModel => {
    g.take(K.INGESTOR);
    const name = g.name(NAME);
    g.take(K.FROM);
    const from = g.call(source);
    g.phrase(PHRASE_DECODE_USING);
    const decodeUsing = g.name(CODEC);
    const stamp = g.maybe(0, () => g.call(timestamp)) ?? null;
    const filter = g.maybe(1, () => g.call(routes.filter)) ?? null;
    const entries: EntryRoute[] = [];
    g.repeatOnce(0, () => {
      entries.push(g.call(routes.entryRoute));
    });
    const onDecode = g.maybe(2, () => g.callWith(decodeError, from)) ?? null;
    const generalError = g.call(routes.generalError);
    const model: IngestorModel = {
      kind: 'ingestor',
      name,
      source: from,
      decodeUsing,
      timestamp: stamp,
      filter,
      routes: Object.freeze(entries),
      decodeError: onDecode,
      generalError,
    };
    return g.close(model, 0);
  });
}

function defineSource(g: GrammarHost, literals: LiteralRules): Rule<EndpointSource> {
  const mode = defineMode(g, literals);
  const quiesce = defineQuiesce(g, literals);
  return g.rule('source', (): EndpointSource => {
    const first = g.position;
    g.take(K.ENDPOINT);
    const endpoint = g.name(ENDPOINT);
    g.take(K.MODE);
    const endpointMode = g.call(mode);
    g.take(K.ON);
    g.take(K.QUIESCE);
    const onQuiesce = g.call(quiesce);
    return g.close({ kind: 'endpoint', endpoint, mode: endpointMode, quiesce: onQuiesce }, first);
  });
}

function defineMode(g: GrammarHost, literals: LiteralRules): Rule<EndpointMode> {
  return g.rule('endpointMode', () =>
    g.choose<EndpointMode>(0, [
      {
        ALT: () => {
          g.take(K.NO_ACK);
          g.take(K.SEQUENTIAL);
          return Object.freeze({ kind: 'no_ack_sequential' });
        },
      },
      {
        ALT: () => {
          g.take(K.ACK);
          g.take(K.PARALLEL);
          g.take(K.MAX);
          const zero = 'parallel max in-flight must be greater than zero';
          const max = takePositive(g, MAX_IN_FLIGHT, zero);
          g.phrase(PHRASE_ACK_TIMEOUT);
          const ackTimeout = g.call(literals.duration);
          return Object.freeze({ kind: 'ack_parallel', max, ackTimeout });
        },
      },
    ]),
  );
}

function defineQuiesce(g: GrammarHost, literals: LiteralRules): Rule<QuiesceMode> {
  return g.rule('quiesce', () =>
    g.choose<QuiesceMode>(0, [
      {
        ALT: () => {
          g.take(K.REJECT);
          g.take(K.RETRY);
          g.take(K.AFTER);
          return Object.freeze({ kind: 'reject', retryAfter: g.call(literals.duration) });
        },
      },
      {
        ALT: () => {
          g.take(K.BUFFER);
          g.phrase(PHRASE_MAX_SIZE);
          const maxSize = g.call(literals.byteSize);
          return Object.freeze({ kind: 'buffer', maxSize, overflow: null });
        },
      },
    ]),
  );
}

function defineTimestamp(g: GrammarHost): Rule<TimestampSource> {
  const now: TimestampSource = Object.freeze({ kind: 'now' });
  return g.rule('timestamp', () => {
    g.take(K.TIMESTAMP);
    return g.choose<TimestampSource>(0, [
      { ALT: () => g.takeAs(K.NOW, now) },
      {
        ALT: () => {
          g.take(K.AT);
          return Object.freeze({ kind: 'at', field: g.name(FIELD_NAME) });
        },
      },
    ]);
  });
}

function defineDecodeError(
  g: GrammarHost,
  routes: RouteRules,
): Rule<DecodeErrorPolicy, [EndpointSource]> {
  const retry: DecodeErrorPolicy = Object.freeze({ kind: 'retry' });
  const log: DecodeErrorPolicy = Object.freeze({ kind: 'log' });
  return g.rule('decodeError', (source: EndpointSource) => {
    const first = g.position;
    g.phrase(PHRASE_ON_DECODE_ERROR);
    return g.choose<DecodeErrorPolicy>(0, [
      {
        ALT: () => {
          g.take(K.RETRY);
          if (!g.isRecording && source.mode.kind === 'no_ack_sequential') {
            g.refuse('ON DECODE ERROR RETRY requires an ACK mode', first);
          }
          return retry;
        },
      },
      { ALT: () => g.takeAs(K.LOG, log) },
      {
        ALT: () => {
          const message = 'ON DECODE ERROR SEND TO requires bare SET assignments only';
          const { relay, set } = g.callWith(routes.sendTo, message);
          return Object.freeze({ kind: 'send_to', relay, set });
        },
      },
    ]);
  });
}
