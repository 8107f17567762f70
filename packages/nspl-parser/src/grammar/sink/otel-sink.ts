import type {
  Expression,
  OtelInstrument,
  OtelScope,
  OtelSignal,
  OtelSink,
  OtelTemporality,
  ValueMapping,
} from '@nervix/model';
import { Equals, keywords, LeftBrace, RightBrace } from '../../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from '../expression.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, COLUMN, takeMode } from './sink-parts.js';

const K = keywords(
  'OTEL',
  'LOGS',
  'TRACES',
  'METRIC',
  'UNIT',
  'DESCRIPTION',
  'GAUGE',
  'SUM',
  'MONOTONIC',
  'HISTOGRAM',
  'DELTA',
  'CUMULATIVE',
  'VALUES',
  'ATTRIBUTES',
  'RESOURCE',
  'SCOPE',
  'VERSION',
);
const METRIC_NAME = label('otel_metric_name');
const METRIC_UNIT = label('otel_metric_unit');
const METRIC_DESCRIPTION = label('otel_metric_description');
const SCOPE_NAME = label('otel_scope_name');
const SCOPE_VERSION = label('otel_scope_version');
const VALUE = label('value_expression');

type Values = readonly ValueMapping[];

/** `OTEL client signal VALUES … MODE …`. */
export function defineOtelSink(
  g: GrammarHost,
  modes: SinkModeRules,
  values: Rule<Values>,
): Rule<OtelSink> {
  const signal = defineSignal(g);
  const literalValues = defineLiteralValues(g);
  const scope = defineScope(g);
  return g.rule('otelSink', (): OtelSink => {
    const first = g.position;
    g.take(K.OTEL);
    const client = g.name(CLIENT);
    const written = g.call(signal);
    g.take(K.VALUES);
    const mappings = g.call(values);
    const attributes =
      g.maybe(0, () => {
        g.take(K.ATTRIBUTES);
        return g.call(values);
      }) ?? null;
    const resource =
      g.maybe(1, () => {
        g.take(K.RESOURCE);
        return g.call(literalValues);
      }) ?? null;
    const named = g.maybe(2, () => g.call(scope)) ?? null;
    const mode = takeMode(g, modes.ack);
    const parts = { values: mappings, attributes, resource, scope: named, mode };
    return g.close({ kind: 'otel', client, signal: written, ...parts }, first);
  });
}

function defineSignal(g: GrammarHost): Rule<OtelSignal> {
  const logs: OtelSignal = Object.freeze({ kind: 'logs' });
  const traces: OtelSignal = Object.freeze({ kind: 'traces' });
  const instrument = defineInstrument(g);
  const metric = g.rule('otelMetric', (): OtelSignal => {
    g.take(K.METRIC);
    const name = g.text(METRIC_NAME);
    g.take(K.UNIT);
    const unit = g.text(METRIC_UNIT);
    const description =
      g.maybe(0, () => {
        g.take(K.DESCRIPTION);
        return g.text(METRIC_DESCRIPTION);
      }) ?? null;
    const measured = g.call(instrument);
    return Object.freeze({ kind: 'metric', name, unit, description, instrument: measured });
  });
  return g.rule('otelSignal', () =>
    g.choose<OtelSignal>(0, [
      { ALT: () => g.takeAs(K.LOGS, logs) },
      { ALT: () => g.takeAs(K.TRACES, traces) },
      { ALT: () => g.call(metric) },
    ]),
  );
}

function defineInstrument(g: GrammarHost): Rule<OtelInstrument> {
  const gauge: OtelInstrument = Object.freeze({ kind: 'gauge' });
  const temporality = g.rule('otelTemporality', () =>
    g.choose<OtelTemporality>(0, [
      { ALT: () => g.takeAs(K.DELTA, 'DELTA') },
      { ALT: () => g.takeAs(K.CUMULATIVE, 'CUMULATIVE') },
    ]),
  );
  return g.rule('otelInstrument', () =>
    g.choose<OtelInstrument>(0, [
      { ALT: () => g.takeAs(K.GAUGE, gauge) },
      {
        ALT: () => {
          g.take(K.SUM);
          const monotonic = g.maybe(0, () => g.takeAs(K.MONOTONIC, true)) === true;
          return Object.freeze({ kind: 'sum', monotonic, temporality: g.call(temporality) });
        },
      },
      {
        ALT: () => {
          g.take(K.HISTOGRAM);
          return Object.freeze({ kind: 'histogram', temporality: g.call(temporality) });
        },
      },
    ]),
  );
}

/** Values that say what the emitter is, which no record decides. */
function defineLiteralValues(g: GrammarHost): Rule<Values> {
  const mapping = g.rule('literalMapping', (): ValueMapping => {
    const first = g.position;
    const column = g.text(COLUMN);
    g.take(Equals);
    const valueFirst = g.position;
    const value = g.slot(ExpressionSlot, VALUE, NO_EXPRESSION);
    if (!isLiteral(value)) {
      g.refuse('OTEL RESOURCE values must be literal expressions', valueFirst);
    }
    return g.close({ column, value }, first);
  });
  return g.rule('literalValues', () => {
    g.take(LeftBrace);
    const mappings = g.closedList(0, () => g.call(mapping));
    g.take(RightBrace);
    return mappings;
  });
}

const LITERAL_KINDS: ReadonlySet<Expression['kind']> = new Set([
  'integer',
  'float',
  'string',
  'boolean',
  'null',
]);

/** Whether an expression is a literal or an array of literals. */
function isLiteral(value: Expression): boolean {
  if (value.kind !== 'list') return LITERAL_KINDS.has(value.kind);
  return value.elements.every(({ kind }) => LITERAL_KINDS.has(kind));
}

function defineScope(g: GrammarHost): Rule<OtelScope> {
  return g.rule('otelScope', (): OtelScope => {
    g.take(K.SCOPE);
    const name = g.text(SCOPE_NAME);
    const version =
      g.maybe(0, () => {
        g.take(K.VERSION);
        return g.text(SCOPE_VERSION);
      }) ?? null;
    return Object.freeze({ name, version });
  });
}
