import type { AckParticipation, Construction, EmitterModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { EMPTY_CONSTRUCTION } from './construction.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { RouteRules } from './route.js';
import type { SinkRules } from './sink/sink.js';

const K = keywords('EMITTER', 'FROM', 'TO');
const PHRASE_ENCODE_USING = phraseOf('ENCODE USING');
const PHRASE_WITHOUT_BODY = phraseOf('WITHOUT BODY');

const NAME = label('emitter_name');
const CODEC = label('ref:codec');

/** `EMITTER name FROM … TO sink …`. */
export function defineEmitter(
  g: GrammarHost,
  sinks: SinkRules,
  routes: RouteRules,
): Rule<EmitterModel, [AckParticipation]> {
  const output = defineOutput(g, sinks, routes);
  return g.rule('emitter', (acknowledgement: AckParticipation): EmitterModel => {
    g.take(K.EMITTER);
    const name = g.name(NAME);
    g.take(K.FROM);
    const inputs = g.call(routes.inputs);
    const dependencies = g.zeroOrMore(0, () => g.call(routes.dependency));
    g.take(K.TO);
    const { sink, encodeUsing, construction, batch } = g.call(output);
    const flush = g.call(routes.flush);
    const messageError = g.call(routes.messageError);
    const generalError = g.call(routes.generalError);
    const model: EmitterModel = {
      kind: 'emitter',
      name,
      acknowledgement,
      inputs,
      dependencies,
      sink,
      encodeUsing,
      construction,
      batch,
      flush,
      messageError,
      generalError,
    };
    return g.close(model, 0);
  });
}

type Output = Pick<EmitterModel, 'sink' | 'encodeUsing' | 'construction' | 'batch'>;

/** The sink and how it gets what it takes: a codec, a construction, batches. */
function defineOutput(g: GrammarHost, sinks: SinkRules, routes: RouteRules): Rule<Output> {
  const encodeUsing = g.rule('encodeUsing', () => {
    g.phrase(PHRASE_ENCODE_USING);
    return g.name(CODEC);
  });
  const encoded = g.rule('encodedOutput', (): Output => {
    const sink = g.call(sinks.payloadSink);
    const codec = g.call(encodeUsing);
    const construction = g.call(routes.construction);
    const batch = g.maybe(0, () => g.call(sinks.batch)) ?? null;
    return { sink, encodeUsing: codec, construction, batch };
  });
  const condition = defineCondition(g, routes);
  const valuesInBatches = g.rule('rowOutput', (): Output => {
    const sink = g.call(sinks.rowSink);
    const construction = g.call(condition);
    return { sink, encodeUsing: null, construction, batch: g.call(sinks.batch) };
  });
  const values = g.rule('bulkOutput', (): Output => {
    const sink = g.call(sinks.bulkSink);
    const construction = g.call(condition);
    const batch = g.maybe(0, () => g.call(sinks.batch)) ?? null;
    return { sink, encodeUsing: null, construction, batch };
  });
  const records = g.rule('consumerOutput', (): Output => {
    const sink = g.call(sinks.consumerSink);
    const construction = g.call(routes.construction);
    return { sink, encodeUsing: null, construction, batch: g.call(sinks.batch) };
  });
  const http = defineHttpOutput(g, { sinks, routes, encodeUsing });
  return g.rule('output', () =>
    g.choose<Output>(0, [
      { ALT: () => g.call(encoded) },
      { ALT: () => g.call(http) },
      { ALT: () => g.call(records) },
      { ALT: () => g.call(valuesInBatches) },
      { ALT: () => g.call(values) },
    ]),
  );
}

function defineHttpOutput(
  g: GrammarHost,
  rules: {
    readonly sinks: SinkRules;
    readonly routes: RouteRules;
    readonly encodeUsing: Rule<string>;
  },
): Rule<Output> {
  const bodyless = defineBodylessConstruction(g, rules.routes);
  type Body = Omit<Output, 'sink' | 'batch'>;
  return g.rule('httpOutput', (): Output => {
    const sink = g.call(rules.sinks.httpSink);
    const body = g.choose<Body>(0, [
      {
        ALT: () => {
          const encodeUsing = g.call(rules.encodeUsing);
          return { encodeUsing, construction: g.call(rules.routes.construction) };
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_WITHOUT_BODY);
          return { encodeUsing: null, construction: g.call(bodyless) };
        },
      },
    ]);
    return { sink, ...body, batch: null };
  });
}

/** Values are written as they are; a condition may leave records out. */
function defineCondition(g: GrammarHost, routes: RouteRules): Rule<Construction> {
  return g.rule('outputCondition', (): Construction => {
    const first = g.position;
    const where = g.maybe(0, () => g.call(routes.where)) ?? null;
    if (where === null) return EMPTY_CONSTRUCTION;
    return g.close({ ...EMPTY_CONSTRUCTION, where }, first);
  });
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
