import {
  type EmitterModel,
  type EmitterSink,
  equalData,
  type GeneratorModel,
  type IngestorModel,
  type ReingestorModel,
} from '@nervix/model';
import { type Aspect, type AspectRow, alteredRows, row } from './aspect.js';

/** Ingestors; only the altered one is held, in the mode that was active when the hold began. */
export const INGESTOR_ROWS: readonly AspectRow<IngestorModel>[] = [
  row('INGESTOR_SOURCE', 'ENTITY_PAUSE', ({ source }) => source),
  row('INGESTOR_CODEC', 'ENTITY_PAUSE', ({ decodeUsing }) => decodeUsing),
  row('INGESTOR_TIMESTAMP', 'ENTITY_PAUSE', ({ timestamp }) => timestamp),
  row('INGESTOR_FILTER', 'ENTITY_PAUSE', ({ filter }) => filter),
  row('INGESTOR_ROUTES', 'ENTITY_PAUSE', ({ routes }) => routes),
  row('INGESTOR_GENERAL_ERROR', 'ENTITY_PAUSE', ({ generalError }) => generalError),
  row('INGESTOR_DECODE_ERROR', 'ENTITY_PAUSE', ({ decodeError }) => decodeError),
];

/** Reingestors. */
export const REINGESTOR_ROWS: readonly AspectRow<ReingestorModel>[] = [
  row('REINGESTOR_INPUTS', 'ENTITY_PAUSE', ({ inputs }) => inputs),
  row('REINGESTOR_ROUTES', 'ENTITY_PAUSE', ({ routes }) => routes),
  row('REINGESTOR_MODE', 'ENTITY_PAUSE', ({ acknowledgement }) => acknowledgement),
  row('REINGESTOR_FILTER', 'ENTITY_PAUSE', ({ filter }) => filter),
  row('REINGESTOR_MATERIALIZED_STATE', 'ENTITY_PAUSE', ({ dependencies }) => dependencies),
];

/** Generators. */
export const GENERATOR_ROWS: readonly AspectRow<GeneratorModel>[] = [
  row('GENERATOR_MATERIALIZED_STATE', 'ENTITY_PAUSE', ({ state }) => state),
  row('GENERATOR_CADENCE', 'ENTITY_PAUSE', ({ eachNanos }) => eachNanos),
  row('GENERATOR_BRANCHING', 'ENTITY_PAUSE', ({ branching }) => branching),
  row('GENERATOR_ROUTES', 'ENTITY_PAUSE', ({ routes }) => routes),
];

const EMITTER_ROWS: readonly AspectRow<EmitterModel>[] = [
  row('EMITTER_INPUT_WHERE', 'ENTITY_PAUSE', conditions),
  row('EMITTER_SINK', 'ENTITY_PAUSE', sinkDefinition),
  row('EMITTER_CLIENT', 'ENTITY_PAUSE', ({ sink }) => ('client' in sink ? sink.client : null)),
  row('EMITTER_CODEC', 'ENTITY_PAUSE', ({ encodeUsing }) => encodeUsing),
  row('EMITTER_COLLECT_POLICY', 'ENTITY_PAUSE', ({ inputs }) => inputs.collect),
  row('EMITTER_MODE', 'ENTITY_PAUSE', ({ acknowledgement }) => acknowledgement),
  row('EMITTER_PUBLISHING_MODE', 'ENTITY_PAUSE', ({ sink }) => sink.mode),
  row('EMITTER_FLUSH_POLICY', 'DYNAMIC', ({ flush }) => flush),
  row('EMITTER_BATCH_POLICY', 'ENTITY_PAUSE', ({ batch }) => batch),
  row('EMITTER_CONSTRUCTION', 'ENTITY_PAUSE', ({ construction }) => construction),
  row('EMITTER_ERROR_POLICIES', 'ENTITY_PAUSE', (m) => [m.messageError, m.generalError]),
  row('EMITTER_MATERIALIZED_STATE', 'ENTITY_PAUSE', ({ dependencies }) => dependencies),
];

/** Aspects of an emitter. Which relays it reads shapes the graph; their order does not. */
export function emitterAspects(before: EmitterModel, after: EmitterModel): readonly Aspect[] {
  return [...inputAspects(before, after), ...alteredRows(EMITTER_ROWS, before, after)];
}

function inputAspects(before: EmitterModel, after: EmitterModel): readonly Aspect[] {
  const [old, latter] = [relaysOf(before), relaysOf(after)];
  if (!equalData([...old].sort(), [...latter].sort())) {
    return [{ aspect: 'EMITTER_INPUT', level: 'DOMAIN_PAUSE' }];
  }
  if (equalData(old, latter)) return [];
  return [{ aspect: 'EMITTER_INPUT_ORDER', level: 'ENTITY_PAUSE' }];
}

function relaysOf({ inputs }: EmitterModel): readonly string[] {
  return inputs.relays.map(({ relay }) => relay);
}

/** Only where there is one, and without regard to order: an input without one alters no condition. */
function conditions({ inputs }: EmitterModel): unknown {
  const entries = inputs.relays.flatMap(({ relay, where }) =>
    where === null ? [] : [[relay, where] as const],
  );
  return Object.fromEntries(entries);
}

/** Everything of the sink's text but its client, mode and codec; whether a request has a body. */
function sinkDefinition({ sink, encodeUsing }: EmitterModel): unknown {
  const { mode: _, ...definition } = sink;
  const hasBody = sink.kind === 'http' ? encodeUsing !== null : null;
  return [withoutClient(definition), hasBody];
}

function withoutClient(definition: Omit<EmitterSink, 'mode'>): unknown {
  const { client: _, ...rest } = definition as { readonly client?: string };
  return rest;
}
