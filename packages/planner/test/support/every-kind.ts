import type {
  CorrelatorModel,
  GeneratorModel,
  HashMapModel,
  InferencerModel,
  Model,
  PlacementModel,
  ReingestorModel,
  ReordererModel,
  SignalingProtocolModel,
  UdfModel,
  WasmProcessorModel,
} from '@nervix/model';
import { field } from './expressions.js';
import { BY_TENANT, deduplicator, EACH, from, INHERIT_ALL, junction, SAMPLE } from './models.js';

const LOG = { kind: 'log' } as const;

export const reorderer: ReordererModel = {
  ...junction,
  kind: 'reorderer',
  name: 'sort',
  by: [field('at')],
  maxTime: '1s',
};

export const correlator: CorrelatorModel = {
  kind: 'correlator',
  name: 'match',
  acknowledgement: 'ATTACHED',
  left: from('events'),
  right: from('copies'),
  correlateWhere: field('id'),
  match: 'EARLIEST',
  maxTime: '1m',
  onTimeout: { left: { kind: 'drop' }, right: { kind: 'send_to', relay: 'other' } },
  branching: { kind: 'unbranched' },
  dependencies: [],
  routes: [{ relay: 'matched', construction: INHERIT_ALL, flush: EACH, messageError: LOG }],
};

export const inferencer: InferencerModel = {
  ...junction,
  kind: 'inferencer',
  name: 'score',
  resource: { resource: 'models', version: '1' },
  file: 'a.onnx',
  inputTensors: [
    {
      name: 'x',
      type: { element: 'F32', dimensions: [{ kind: 'batch' }] },
      value: field('amount'),
    },
  ],
  outputSchema: [{ name: 'y', type: { element: 'F32', dimensions: [{ kind: 'batch' }] } }],
};

export const wasmProcessor: WasmProcessorModel = {
  ...deduplicatorParts(),
  kind: 'wasm_processor',
  name: 'guest',
  resource: { resource: 'modules', version: '1' },
  file: 'guest.wasm',
  maxFuel: '1000',
  maxMemory: '65536',
  routes: [{ relay: 'tenant_once', construction: INHERIT_ALL, messageError: LOG }],
  onRejectedState: 'PRESERVE',
  globalError: 'LOG',
};

function deduplicatorParts() {
  const { acknowledgement, inputs, filter, dependencies } = deduplicator;
  return { acknowledgement, inputs, filter, dependencies, branching: BY_TENANT };
}

export const reingestor: ReingestorModel = {
  kind: 'reingestor',
  name: 'again',
  acknowledgement: 'ATTACHED',
  inputs: from('copies'),
  filter: null,
  dependencies: [],
  routes: [
    {
      relay: 'other',
      construction: INHERIT_ALL,
      flush: EACH,
      messageError: LOG,
      branch: { kind: 'unbranched' },
    },
  ],
};

export const generator: GeneratorModel = {
  kind: 'generator',
  name: 'tick',
  state: 'events',
  eachNanos: '1000000000',
  branching: { kind: 'unbranched' },
  routes: [{ relay: 'other', construction: INHERIT_ALL, flush: EACH, messageError: LOG }],
};

export const hashMap: HashMapModel = {
  kind: 'hash_map',
  name: 'rates',
  key: 'id',
  resource: { resource: 'tables', version: '1' },
  path: 'rates.json',
  decodeUsing: 'event_json',
};

export const udf: UdfModel = {
  kind: 'udf',
  name: 'twice',
  language: 'ROTO_0_13',
  arguments: [{ name: 'x', type: 'I64', optional: false }],
  returns: { type: 'I64', optional: false },
  volatile: false,
  code: 'fn twice(x: i64) -> i64 { x * 2 }',
};

export const signaling: SignalingProtocolModel = {
  kind: 'signaling_protocol',
  name: 'hello',
  format: { kind: 'text', format: 'JSON' },
  fail: [],
  acceptData: false,
  steps: [{ kind: 'send', programs: ['.'] }],
  timeout: '5s',
};

export const rule: PlacementModel = {
  kind: 'placement',
  name: 'near',
  from: ['events'],
  to: ['split'],
  policy: 'PREFER COLOCATION',
  rank: null,
};

/** A model of the sample by its kind; of several the first. */
export function sampleOf<Kind extends Model['kind']>(kind: Kind): Extract<Model, { kind: Kind }> {
  const found = SAMPLE.find((model) => model.kind === kind);
  if (found === undefined) throw new Error(`the sample has no ${kind}`);
  return found as Extract<Model, { kind: Kind }>;
}
