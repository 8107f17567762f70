import { type Model, unreachable } from '@nervix/model';
import { type Aspect, type AspectRow, alteredRows } from './aspect.js';
import {
  BRANCH_ROWS,
  clientAspects,
  definitionRow,
  PLACEMENT_ROWS,
  RELAY_ROWS,
  SCHEMA_ROWS,
  vhostAspects,
  WIRE_SCHEMA_ROWS,
} from './configuration-aspects.js';
import {
  emitterAspects,
  GENERATOR_ROWS,
  INGESTOR_ROWS,
  REINGESTOR_ROWS,
} from './endpoint-aspects.js';
import {
  correlatorAspects,
  DEDUPLICATOR_ROWS,
  INFERENCER_ROWS,
  processorAspects,
  REORDERER_ROWS,
  WASM_ROWS,
  WINDOW_ROWS,
} from './processor-aspects.js';

const CREATED: readonly Aspect[] = [{ aspect: 'ENTITY_CREATED', level: 'DYNAMIC' }];
const DROPPED: readonly Aspect[] = [{ aspect: 'ENTITY_DROPPED', level: 'DYNAMIC' }];

/**
 * What a change alters about one model, judged by the two models and not by the statements between
 * them. Levels are those of the aspects alone; the schedule may raise them.
 *
 * @param before undefined for a model that is new
 * @param after undefined for a model that is dropped
 */
export function modelAspects(
  before: Model | undefined,
  after: Model | undefined,
): readonly Aspect[] {
  if (before === undefined) return after === undefined ? [] : CREATED;
  if (after === undefined) return DROPPED;
  return before === after ? [] : alteredAspects(before, after);
}

function alteredAspects(before: Model, after: Model): readonly Aspect[] {
  switch (after.kind) {
    case 'relay':
      return rows(RELAY_ROWS, before, after);
    case 'schema':
      return rows(SCHEMA_ROWS, before, after);
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
      return rows(WIRE_SCHEMA_ROWS, before, after);
    case 'branch':
      return rows(BRANCH_ROWS, before, after);
    case 'placement':
      return rows(PLACEMENT_ROWS, before, after);
    case 'codec':
      return rows(definitionRow('CODEC_DEFINITION'), before, after);
    case 'endpoint':
      return rows(definitionRow('ENDPOINT_DEFINITION'), before, after);
    case 'signaling_protocol':
      return rows(definitionRow('SIGNALING_PROTOCOL_DEFINITION'), before, after);
    case 'hash_map':
      return rows(definitionRow('LOOKUP_DEFINITION'), before, after);
    case 'udf':
      return rows(definitionRow('UDF_DEFINITION'), before, after);
    case 'ingestor':
      return rows(INGESTOR_ROWS, before, after);
    case 'reingestor':
      return rows(REINGESTOR_ROWS, before, after);
    case 'generator':
      return rows(GENERATOR_ROWS, before, after);
    case 'client':
      return clientAspects(twin(before, after), after);
    case 'vhost':
      return vhostAspects(twin(before, after), after);
    case 'emitter':
      return emitterAspects(twin(before, after), after);
    case 'correlator':
      return correlatorAspects(twin(before, after), after);
    case 'junction':
      return processorAspects(twin(before, after), after);
    case 'deduplicator':
      return [...shared(before, after), ...rows(DEDUPLICATOR_ROWS, before, after)];
    case 'reorderer':
      return [...shared(before, after), ...rows(REORDERER_ROWS, before, after)];
    case 'window_processor':
      return [...shared(before, after), ...rows(WINDOW_ROWS, before, after)];
    case 'inferencer':
      return [...shared(before, after), ...rows(INFERENCER_ROWS, before, after)];
    case 'wasm_processor':
      return [...shared(before, after), ...rows(WASM_ROWS, before, after)];
    default:
      return unreachable(after);
  }
}

type Processor = Extract<
  Model,
  { kind: 'deduplicator' | 'reorderer' | 'window_processor' | 'inferencer' | 'wasm_processor' }
>;

function shared(before: Model, after: Processor): readonly Aspect[] {
  return processorAspects(twin(before, after), after);
}

function rows<Kind extends Model>(
  list: readonly AspectRow<Kind>[],
  before: Model,
  after: Kind,
): readonly Aspect[] {
  return alteredRows(list, twin(before, after), after);
}

/** The other model of the pair, which is of the same kind: kinds are part of what models are keyed by. */
function twin<Kind extends Model>(before: Model, _after: Kind): Kind {
  return before as Kind;
}
