import type {
  DecodeErrorPolicy,
  Expression,
  IngestorModel,
  PayloadSource,
  TimestampSource,
} from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { RouteRules } from './route.js';
import type { SourceRules } from './source/source.js';

const K = keywords('INGESTOR', 'FROM', 'TIMESTAMP', 'NOW', 'AT', 'RETRY', 'LOG');
const PHRASE_DECODE_USING = phraseOf('DECODE USING');
const PHRASE_ON_DECODE_ERROR = phraseOf('ON DECODE ERROR');

const NAME = label('ingestor_name');
const CODEC = label('ref:codec');
const FIELD_NAME = label('field_name');

export interface IngestorRules {
  /** `INGESTOR name FROM …`. */
  readonly ingestor: Rule<IngestorModel>;
  /** `TIMESTAMP …`. */
  readonly timestamp: Rule<TimestampSource>;
  /** What may follow ON DECODE ERROR of whichever source. */
  readonly decodePolicy: Rule<DecodeErrorPolicy>;
}

type Body = Pick<IngestorModel, 'timestamp' | 'filter' | 'routes'>;

/** Ingestors and the clauses that are altered one by one. */
export function defineIngestor(
  g: GrammarHost,
  sources: SourceRules,
  routes: RouteRules,
): IngestorRules {
  const timestamp = defineTimestamp(g);
  const decodePolicy = defineDecodePolicy(g, routes);
  const decodeError = defineDecodeError(g, decodePolicy);
  const body = defineBody(g, timestamp, routes);
  type Rest = Omit<IngestorModel, 'kind' | 'name'>;
  const decoded = g.rule('decodedIntake', (): Rest => {
    const source = g.call(sources.payloadSource);
    g.phrase(PHRASE_DECODE_USING);
    const decodeUsing = g.name(CODEC);
    const parts = g.call(body);
    // The clause behind stands in the same rule, so that its second word can decide.
    const onDecode = g.maybe(0, () => g.callWith(decodeError, source)) ?? null;
    const generalError = g.call(routes.generalError);
    return { source, decodeUsing, ...parts, decodeError: onDecode, generalError };
  });
  const produced = g.rule('producedIntake', (): Rest => {
    const source = g.call(sources.producerSource);
    const parts = g.call(body);
    const generalError = g.call(routes.generalError);
    return { source, decodeUsing: null, ...parts, decodeError: null, generalError };
  });
  const ingestor = g.rule('ingestor', (): IngestorModel => {
    g.take(K.INGESTOR);
    const name = g.name(NAME);
    g.take(K.FROM);
    const rest = g.choose<Rest>(0, [
      { ALT: () => g.call(decoded) },
      { ALT: () => g.call(produced) },
    ]);
    return g.close({ kind: 'ingestor', name, ...rest }, 0);
  });
  return { ingestor, timestamp, decodePolicy };
}

function defineBody(
  g: GrammarHost,
  timestamp: Rule<TimestampSource>,
  routes: RouteRules,
): Rule<Body> {
  return g.rule('ingestorBody', (): Body => {
    const stamp = g.maybe(0, () => g.call(timestamp)) ?? null;
    const filter: Expression | null = g.maybe(1, () => g.call(routes.filter)) ?? null;
    const entries = g.oneOrMore(0, () => g.call(routes.entryRoute));
    return { timestamp: stamp, filter, routes: entries };
  });
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

function defineDecodePolicy(g: GrammarHost, routes: RouteRules): Rule<DecodeErrorPolicy> {
  const retry: DecodeErrorPolicy = Object.freeze({ kind: 'retry' });
  const log: DecodeErrorPolicy = Object.freeze({ kind: 'log' });
  return g.rule('decodePolicy', () =>
    g.choose<DecodeErrorPolicy>(0, [
      { ALT: () => g.takeAs(K.RETRY, retry) },
      { ALT: () => g.takeAs(K.LOG, log) },
      {
        ALT: () => {
          const message = 'ON DECODE ERROR SEND TO requires bare SET assignments only';
          const { relay, set } = g.callWith(routes.sendTo, message);
          return Object.freeze({ kind: 'send_to', relay, set });
        },
      },
    ]),
  );
}

function defineDecodeError(
  g: GrammarHost,
  decodePolicy: Rule<DecodeErrorPolicy>,
): Rule<DecodeErrorPolicy, [PayloadSource]> {
  return g.rule('decodeError', (source: PayloadSource) => {
    const first = g.position;
    g.phrase(PHRASE_ON_DECODE_ERROR);
    const policy = g.call(decodePolicy);
    if (!g.isRecording && policy.kind === 'retry' && !isAcknowledging(source)) {
      g.refuse('ON DECODE ERROR RETRY requires an ACK mode', first);
    }
    return policy;
  });
}

/** Whether a source can be made to send a payload again. */
function isAcknowledging(source: PayloadSource): boolean {
  return 'mode' in source && source.mode.kind.startsWith('ack_');
}
