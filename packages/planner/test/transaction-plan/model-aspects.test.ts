import type { Model, WindowProcessorModel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { modelAspects } from '../../src/index.js';
import {
  correlator,
  generator,
  hashMap,
  inferencer,
  reingestor,
  reorderer,
  rule,
  sampleOf,
  signaling,
  udf,
  wasmProcessor,
} from '../support/every-kind.js';
import { call, field } from '../support/expressions.js';
import { leavesOf, withOtherLeaf } from '../support/leaf-edits.js';
import {
  assign,
  BY_TENANT,
  branch,
  change,
  client,
  codec,
  construct,
  deduplicator,
  emitter,
  endpoint,
  from,
  INHERIT_ALL,
  ingestor,
  junction,
  relay,
  vhost,
  windowProcessor,
  wireSchema,
} from '../support/models.js';

const rows = (before: Model | undefined, after: Model | undefined) =>
  modelAspects(before, after).map(({ aspect, level, reset }) =>
    [aspect, level, ...(reset === undefined ? [] : [reset])].join(' '),
  );
const events = relay('events', 'event');
const collect = { interval: '1s', maxBatchSize: null };
const dependency = { relay: 'rates', policy: { kind: 'required_wait' } } as const;
const [windowRoute] = windowProcessor.routes;
if (windowRoute === undefined) throw new Error('the sample has no routes');
const withWindowRoute = (parts: Partial<typeof windowRoute>): WindowProcessorModel =>
  change(windowProcessor, { routes: [{ ...windowRoute, ...parts }] });
const schema = sampleOf('schema');
const tls = (resource: string, version: string) => change(vhost, { tls: { resource, version } });
const sinkOf = (parts: Partial<(typeof emitter)['sink']>) =>
  change(emitter, { sink: { ...emitter.sink, ...parts } });

const WIRE_KINDS = ['wire_json_schema', 'wire_cbor_schema', 'wire_avro_schema'] as const;
const WIRE = 'WIRE_SCHEMA_DEFINITION DOMAIN_PAUSE';

type Case = readonly [row: string, before: Model | undefined, after: Model, ...aspects: string[]];
const CASES: readonly Case[] = [
  ['Q-1', events, change(events, { capacity: '2' }), 'RELAY_CAPACITY DYNAMIC'],
  ['Q-2', events, change(events, { schema: 'out' }), 'RELAY_SCHEMA DOMAIN_PAUSE'],
  ['Q-3', events, change(events, { branching: BY_TENANT }), 'RELAY_BRANCHING DOMAIN_PAUSE'],
  ['Q-4', events, change(events, { materialized: true }), 'RELAY_MATERIALIZED_STATE ENTITY_PAUSE'],
  [
    'Q-17',
    deduplicator,
    change(deduplicator, { deduplicateOn: [field('tenant')] }),
    'DEDUPLICATOR_KEYSPACE ENTITY_PAUSE DEDUPLICATOR_KEYSPACE',
  ],
  ['Q-18', deduplicator, change(deduplicator, { maxTime: '1m' }), 'DEDUPLICATOR_MAX_TIME DYNAMIC'],
  [
    'Q-19',
    reorderer,
    change(reorderer, { by: [field('id')] }),
    'REORDERER_ORDERING ENTITY_PAUSE REORDERER_BUFFER',
  ],
  ['Q-20', reorderer, change(reorderer, { maxTime: '2s' }), 'REORDERER_MAX_TIME DYNAMIC'],
  [
    'Q-21',
    correlator,
    change(correlator, { correlateWhere: field('tenant') }),
    'CORRELATOR_CORRELATION ENTITY_PAUSE CORRELATION_BUFFER',
  ],
  [
    'Q-22',
    correlator,
    change(correlator, { match: 'LATEST' }),
    'CORRELATOR_MATCH_POLICY ENTITY_PAUSE CORRELATION_BUFFER',
  ],
  ['Q-23', correlator, change(correlator, { maxTime: '2m' }), 'CORRELATOR_MAX_TIME ENTITY_PAUSE'],
  [
    'Q-24',
    correlator,
    change(correlator, { onTimeout: { left: { kind: 'drop' }, right: { kind: 'drop' } } }),
    'CORRELATOR_TIMEOUT_POLICY ENTITY_PAUSE',
  ],
  [
    'Q-25',
    windowProcessor,
    change(windowProcessor, { width: { messages: '5', duration: null } }),
    'WINDOW_BOUNDS ENTITY_PAUSE WINDOW_ACCUMULATOR',
  ],
  [
    'Q-26',
    inferencer,
    change(inferencer, { file: 'b.onnx' }),
    'INFERENCER_BINDING ENTITY_PAUSE INFERENCER_WARM_STATE',
  ],
  [
    'Q-27',
    inferencer,
    change(inferencer, { inputTensors: [] }),
    'INFERENCER_TENSORS ENTITY_PAUSE INFERENCER_WARM_STATE',
  ],
  [
    'Q-28',
    wasmProcessor,
    change(wasmProcessor, { resource: { resource: 'modules', version: '2' } }),
    'WASM_BINDING ENTITY_PAUSE WASM_GUEST_STATE',
  ],
  [
    'Q-29',
    wasmProcessor,
    change(wasmProcessor, { maxFuel: '9', globalError: 'IGNORE', onRejectedState: 'RESET' }),
    'WASM_LIMITS ENTITY_PAUSE',
    'WASM_GLOBAL_ERROR ENTITY_PAUSE',
    'WASM_REJECTED_STATE ENTITY_PAUSE',
  ],
  ['Q-30', emitter, change(emitter, { inputs: from('other') }), 'EMITTER_INPUT DOMAIN_PAUSE'],
  [
    'Q-31',
    emitter,
    change(emitter, { inputs: from({ relay: 'copies', where: field('id') }) }),
    'EMITTER_INPUT_WHERE ENTITY_PAUSE',
  ],
  [
    'Q-33',
    emitter,
    change(sinkOf({ client: 'spare' }), {
      encodeUsing: 'event_json',
      inputs: { ...emitter.inputs, collect },
      acknowledgement: 'DETACHED',
    }),
    'EMITTER_CLIENT ENTITY_PAUSE',
    'EMITTER_CODEC ENTITY_PAUSE',
    'EMITTER_COLLECT_POLICY ENTITY_PAUSE',
    'EMITTER_MODE ENTITY_PAUSE',
  ],
  [
    'Q-34',
    emitter,
    sinkOf({ mode: { kind: 'ack', retry: { backoff: '1s', max: '10s' } } }),
    'EMITTER_PUBLISHING_MODE ENTITY_PAUSE',
  ],
  [
    'Q-35',
    emitter,
    change(emitter, { flush: { kind: 'immediate' } }),
    'EMITTER_FLUSH_POLICY DYNAMIC',
  ],
  [
    'Q-36',
    emitter,
    change(emitter, { batch: { maxMessages: '10', maxSize: '1MiB' } }),
    'EMITTER_BATCH_POLICY ENTITY_PAUSE',
  ],
  [
    'Q-37',
    emitter,
    change(emitter, {
      construction: INHERIT_ALL,
      generalError: 'IGNORE',
      dependencies: [dependency],
    }),
    'EMITTER_CONSTRUCTION ENTITY_PAUSE',
    'EMITTER_ERROR_POLICIES ENTITY_PAUSE',
    'EMITTER_MATERIALIZED_STATE ENTITY_PAUSE',
  ],
  [
    'Q-38',
    ingestor,
    change(ingestor, {
      source: { ...ingestor.source, quiesce: { kind: 'drop' } },
      decodeUsing: 'out_json',
      timestamp: null,
      filter: field('id'),
      routes: ingestor.routes.slice(1),
      generalError: 'IGNORE',
      decodeError: null,
    }),
    'INGESTOR_SOURCE ENTITY_PAUSE',
    'INGESTOR_CODEC ENTITY_PAUSE',
    'INGESTOR_TIMESTAMP ENTITY_PAUSE',
    'INGESTOR_FILTER ENTITY_PAUSE',
    'INGESTOR_ROUTES ENTITY_PAUSE',
    'INGESTOR_GENERAL_ERROR ENTITY_PAUSE',
    'INGESTOR_DECODE_ERROR ENTITY_PAUSE',
  ],
  [
    'Q-39',
    reingestor,
    change(reingestor, {
      inputs: from('events'),
      routes: [],
      acknowledgement: 'DETACHED',
      filter: field('id'),
      dependencies: [dependency],
    }),
    'REINGESTOR_INPUTS ENTITY_PAUSE',
    'REINGESTOR_ROUTES ENTITY_PAUSE',
    'REINGESTOR_MODE ENTITY_PAUSE',
    'REINGESTOR_FILTER ENTITY_PAUSE',
    'REINGESTOR_MATERIALIZED_STATE ENTITY_PAUSE',
  ],
  [
    'Q-40',
    generator,
    change(generator, { state: 'copies', eachNanos: '5', branching: BY_TENANT, routes: [] }),
    'GENERATOR_MATERIALIZED_STATE ENTITY_PAUSE',
    'GENERATOR_CADENCE ENTITY_PAUSE',
    'GENERATOR_BRANCHING ENTITY_PAUSE',
    'GENERATOR_ROUTES ENTITY_PAUSE',
  ],
  ['Q-41', schema, change(schema, { fields: [] }), 'SCHEMA_DEFINITION DOMAIN_PAUSE'],
  ...WIRE_KINDS.flatMap((kind): Case[] => {
    const wire = { ...wireSchema, kind } as Model;
    return [
      [`Q-42 mode of ${kind}`, wire, { ...wire, mode: 'LOOSE' } as Model, WIRE],
      [`Q-42 fields of ${kind}`, wire, { ...wire, fields: [] } as Model, WIRE],
    ];
  }),
  ['Q-43 codec', codec, change(codec, { encode: [] }), 'CODEC_DEFINITION DOMAIN_PAUSE'],
  ['Q-43 client', client, change(client, { config: [] }), 'CLIENT_CONFIG DOMAIN_PAUSE'],
  ['Q-43 endpoint', endpoint, change(endpoint, { path: '/x' }), 'ENDPOINT_DEFINITION DOMAIN_PAUSE'],
  [
    'Q-43 signaling protocol',
    signaling,
    change(signaling, { timeout: '6s' }),
    'SIGNALING_PROTOCOL_DEFINITION DOMAIN_PAUSE',
  ],
  ['Q-43 lookup', hashMap, change(hashMap, { key: 'x' }), 'LOOKUP_DEFINITION DOMAIN_PAUSE'],
  ['Q-43 udf', udf, change(udf, { volatile: true }), 'UDF_DEFINITION DOMAIN_PAUSE'],
  ['Q-44', vhost, change(vhost, { hostnames: ['b'] }), 'VHOST_HOSTNAMES DOMAIN_PAUSE'],
  ['Q-45', vhost, tls('certificates', '1'), 'VHOST_TLS DOMAIN_PAUSE'],
  ['Q-45 other resource', tls('a', '1'), tls('b', '2'), 'VHOST_TLS DOMAIN_PAUSE'],
  ['Q-46', tls('a', '1'), tls('a', '2'), 'VHOST_TLS_VERSION DYNAMIC'],
  ['Q-47', branch, change(branch, { schema: 'out' }), 'BRANCH_SCHEMA DOMAIN_PAUSE'],
  ['Q-48 TTL', branch, change(branch, { ttl: '2h' }), 'BRANCH_LIFECYCLE DOMAIN_PAUSE'],
  ['Q-48 eviction', branch, change(branch, { maxInstances: '7' }), 'BRANCH_LIFECYCLE DOMAIN_PAUSE'],
  [
    'Q-48 no eviction',
    branch,
    change(branch, { maxInstances: null }),
    'BRANCH_LIFECYCLE DOMAIN_PAUSE',
  ],
  ['Q-49', rule, change(rule, { rank: '3' }), 'PLACEMENT_DEFINITION DYNAMIC'],
  ['Q-50', client, change(client, { type: 'KAFKA', config: [] }), 'ENTITY_REPLACED DYNAMIC'],
  ['Q-51', undefined, events, 'ENTITY_CREATED DYNAMIC'],
  [
    'Q-53',
    windowProcessor,
    withWindowRoute({
      construction: construct({ set: [assign('rows', call('count', field('input.at')))] }),
    }),
    'PROCESSOR_ROUTE_CONSTRUCTION DYNAMIC',
    'WINDOW_AGGREGATES ENTITY_PAUSE WINDOW_ACCUMULATOR',
  ],
  [
    'Q-53 other construction',
    windowProcessor,
    withWindowRoute({ construction: { ...windowRoute.construction, where: field('rows') } }),
    'PROCESSOR_ROUTE_CONSTRUCTION DYNAMIC',
  ],
  [
    'Q-54',
    windowProcessor,
    change(windowProcessor, { maxStateSize: '1000' }),
    'WINDOW_STATE_SIZE ENTITY_PAUSE',
  ],
  [
    'Q-55',
    change(emitter, { inputs: from('copies', 'other') }),
    change(emitter, { inputs: from('other', 'copies') }),
    'EMITTER_INPUT_ORDER ENTITY_PAUSE',
  ],
  [
    'Q-56',
    reingestor,
    change(reingestor, {
      inputs: { relays: [{ relay: 'copies', where: field('id') }], collect },
    }),
    'REINGESTOR_INPUTS ENTITY_PAUSE',
  ],
];

const MODELS: readonly Model[] = [junction, ...CASES.map(([, before, after]) => before ?? after)];

describe('CP-95 aspects and levels by row', () => {
  for (const [row, before, after, ...aspects] of CASES) {
    test(row, () => expect(rows(before, after)).toEqual(aspects));
  }

  test('Q-52 a dropped model', () => {
    expect(rows(events, undefined)).toEqual(['ENTITY_DROPPED DYNAMIC']);
  });

  test.each(MODELS)('CP-94 an equal copy of $kind $name contributes nothing', (model) => {
    expect(rows(model, structuredClone(model))).toEqual([]);
  });
});

/** An aggregate stands in a construction: whoever alters it alters both. */
const isConstruction = (path: readonly string[]) =>
  path[0] === 'routes' && path[2] === 'construction';

test.each(MODELS)('CP-95 every altered leaf of $kind $name has one aspect', (model) => {
  for (const path of leavesOf(model)) {
    if (path.length === 1 && (path[0] === 'kind' || path[0] === 'name')) continue;
    const [first, ...others] = rows(model, withOtherLeaf(model, path));
    expect(first, path.join('.')).toBeDefined();
    if (model.kind === 'window_processor' && isConstruction(path)) {
      expect(first).toBe('PROCESSOR_ROUTE_CONSTRUCTION DYNAMIC');
      expect([[], ['WINDOW_AGGREGATES ENTITY_PAUSE WINDOW_ACCUMULATOR']]).toContainEqual(others);
    } else expect(others, path.join('.')).toEqual([]);
  }
});
