import type {
  AckParticipation,
  Construction,
  EmitterModel,
  HttpSink,
  MaterializedDependency,
  RetryPolicy,
} from '@nervix/model';
import { keywords } from '../tokens.js';
import { EMPTY_CONSTRUCTION } from './construction.js';
import { ExpressionSlot, NO_EXPRESSION } from './expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import type { RouteRules } from './route.js';

const K = keywords(
  'EMITTER',
  'FROM',
  'TO',
  'HTTP',
  'METHOD',
  'PATH',
  'MODE',
  'ACK',
  'BACKOFF',
  'MAX',
);
const PHRASE_ENCODE_USING = phraseOf('ENCODE USING');
const PHRASE_WITHOUT_BODY = phraseOf('WITHOUT BODY');
const PHRASE_RETRY_POLICY = phraseOf('RETRY POLICY');

const NAME = label('emitter_name');
const CLIENT = label('ref:client');
const CODEC = label('ref:codec');
const STRING_EXPRESSION = label('string_expression');

/** `EMITTER name FROM … TO HTTP …`. */
export function defineEmitter(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
): Rule<EmitterModel, [AckParticipation]> {
  const httpSink = defineHttpSink(g, literals, routes);
  return g.rule('emitter', (acknowledgement: AckParticipation): EmitterModel => {
    g.take(K.EMITTER);
    const name = g.name(NAME);
    g.take(K.FROM);
    const inputs = g.call(routes.inputs);
    const dependencies: MaterializedDependency[] = [];
    g.repeat(0, () => {
      dependencies.push(g.call(routes.dependency));
    });
    g.take(K.TO);
    const { sink, encodeUsing, construction } = g.call(httpSink);
    const flush = g.call(routes.flush);
    const messageError = g.call(routes.messageError);
    const generalError = g.call(routes.generalError);
    const model: EmitterModel = {
      kind: 'emitter',
      name,
      acknowledgement,
      inputs,
      dependencies: Object.freeze(dependencies),
      sink,
      encodeUsing,
      construction,
      batch: null,
      flush,
      messageError,
      generalError,
    };
    return g.close(model, 0);
  });
}

interface SinkAndConstruction {
  readonly sink: HttpSink;
  readonly encodeUsing: string | null;
  readonly construction: Construction;
}

function defineHttpSink(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
): Rule<SinkAndConstruction> {
  const bodyless = defineBodylessConstruction(g, routes);
  type Body = Omit<SinkAndConstruction, 'sink'>;
  return g.rule('httpSink', (): SinkAndConstruction => {
    const first = g.position;
    g.take(K.HTTP);
    const client = g.name(CLIENT);
    g.take(K.METHOD);
    const method = g.slot(ExpressionSlot, STRING_EXPRESSION, NO_EXPRESSION);
    g.take(K.PATH);
    const path = g.slot(ExpressionSlot, STRING_EXPRESSION, NO_EXPRESSION);
    g.take(K.MODE);
    g.take(K.ACK);
    const retry = takeRetry(g, literals);
    const body = g.choose<Body>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_ENCODE_USING);
          const encodeUsing = g.name(CODEC);
          return { encodeUsing, construction: g.call(routes.construction) };
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_WITHOUT_BODY);
          return { encodeUsing: null, construction: g.call(bodyless) };
        },
      },
    ]);
    const mode = Object.freeze({ kind: 'ack' as const, retry });
    const sink = g.close<HttpSink>({ kind: 'http', client, method, path, mode }, first);
    return { sink, ...body };
  });
}

function takeRetry(g: GrammarHost, literals: LiteralRules): RetryPolicy {
  g.phrase(PHRASE_RETRY_POLICY);
  g.take(K.BACKOFF);
  const backoff = g.call(literals.duration);
  g.take(K.MAX);
  const max = g.call(literals.duration);
  return Object.freeze({ backoff, max });
}

/** A request without a body takes a condition and headers only. */
function defineBodylessConstruction(g: GrammarHost, routes: RouteRules): Rule<Construction> {
  return g.rule('bodylessConstruction', (): Construction => {
    const first = g.position;
    const where = g.maybe(0, () => g.call(routes.where)) ?? null;
    const invoke = g.maybe(1, () => g.call(routes.invoke)) ?? EMPTY_CONSTRUCTION.invoke;
    if (g.position === first) return EMPTY_CONSTRUCTION;
    return g.close({ ...EMPTY_CONSTRUCTION, where, invoke }, first);
  });
}
