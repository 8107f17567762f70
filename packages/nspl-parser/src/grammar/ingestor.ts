import type {
  DecodeErrorPolicy,
  EndpointMode,
  EndpointSource,
  EntryRoute,
  IngestorModel,
  QuiesceMode,
  TimestampSource,
} from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';
import type { RouteRules } from './route.js';

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
    g.take(keyword('INGESTOR'));
    const name = g.name(NAME);
    g.take(keyword('FROM'));
    const from = g.call(source);
    g.phrase(label('DECODE USING'), [keyword('DECODE'), keyword('USING')]);
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
    g.take(keyword('ENDPOINT'));
    const endpoint = g.name(ENDPOINT);
    g.take(keyword('MODE'));
    const endpointMode = g.call(mode);
    g.take(keyword('ON'));
    g.take(keyword('QUIESCE'));
    const onQuiesce = g.call(quiesce);
    return g.close({ kind: 'endpoint', endpoint, mode: endpointMode, quiesce: onQuiesce }, first);
  });
}

function defineMode(g: GrammarHost, literals: LiteralRules): Rule<EndpointMode> {
  return g.rule('endpointMode', () =>
    g.choose<EndpointMode>(0, [
      {
        ALT: () => {
          g.take(keyword('NO_ACK'));
          g.take(keyword('SEQUENTIAL'));
          return Object.freeze({ kind: 'no_ack_sequential' });
        },
      },
      {
        ALT: () => {
          g.take(keyword('ACK'));
          g.take(keyword('PARALLEL'));
          g.take(keyword('MAX'));
          const zero = 'parallel max in-flight must be greater than zero';
          const max = takePositive(g, MAX_IN_FLIGHT, zero);
          g.phrase(label('ACK TIMEOUT'), [keyword('ACK'), keyword('TIMEOUT')]);
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
          g.take(keyword('REJECT'));
          g.take(keyword('RETRY'));
          g.take(keyword('AFTER'));
          return Object.freeze({ kind: 'reject', retryAfter: g.call(literals.duration) });
        },
      },
      {
        ALT: () => {
          g.take(keyword('BUFFER'));
          g.phrase(label('MAX SIZE'), [keyword('MAX'), keyword('SIZE')]);
          return Object.freeze({ kind: 'buffer', maxSize: g.call(literals.byteSize) });
        },
      },
    ]),
  );
}

function defineTimestamp(g: GrammarHost): Rule<TimestampSource> {
  const now: TimestampSource = Object.freeze({ kind: 'now' });
  return g.rule('timestamp', () => {
    g.take(keyword('TIMESTAMP'));
    return g.choose<TimestampSource>(0, [
      { ALT: () => g.takeAs(keyword('NOW'), now) },
      {
        ALT: () => {
          g.take(keyword('AT'));
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
    const words = [keyword('ON'), keyword('DECODE'), keyword('ERROR')];
    g.phrase(label('ON DECODE ERROR'), words);
    return g.choose<DecodeErrorPolicy>(0, [
      {
        ALT: () => {
          g.take(keyword('RETRY'));
          if (!g.isRecording && source.mode.kind === 'no_ack_sequential') {
            g.refuse('ON DECODE ERROR RETRY requires an ACK mode', first);
          }
          return retry;
        },
      },
      { ALT: () => g.takeAs(keyword('LOG'), log) },
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
