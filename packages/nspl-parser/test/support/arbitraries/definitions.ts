import {
  AVRO_WIRE_TYPES,
  type ClientConfigEntry,
  type ClientModel,
  type CodecModel,
  type ConfigEntry,
  type CsvCodecSource,
  JAQ_FORMATS,
  type JaqTransformations,
  JSON_WIRE_TYPES,
  type Model,
  PLACEMENT_POLICIES,
  PLAIN_CLIENT_TYPES,
  POOLED_CLIENT_TYPES,
  type SignalingProtocolModel,
  type UdfModel,
  WIRE_FORMATS,
} from '@nervix/model';
import fc from 'fast-check';
import { binding } from './clauses.ts';
import { dataType, duration, name, positive, text } from './names.ts';

function nonEmpty<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: 1, maxLength: 3 });
}
const few = { maxLength: 3 };
const config: fc.Arbitrary<ConfigEntry[]> = fc.array(fc.record({ key: text, value: text }), few);

function wireSchema<Kind extends string, Type extends string>(kind: Kind, types: readonly Type[]) {
  return fc.record({
    kind: fc.constant(kind),
    name,
    mode: fc.constantFrom('STRICT' as const, 'LOOSE' as const),
    fields: nonEmpty(fc.record({ name, type: fc.constantFrom(...types), optional: fc.boolean() })),
  });
}

const emittingPrograms = fc.record({ onEmitting: text, onEmittingBatch: fc.option(text) });
const transformations: fc.Arbitrary<JaqTransformations> = fc.oneof(
  fc
    .record({ onIngestion: fc.option(text), emitting: emittingPrograms })
    .map(({ onIngestion, emitting }) => ({ onIngestion, ...emitting })),
  text.map((onIngestion) => ({ onIngestion, onEmitting: null, onEmittingBatch: null })),
);

const separator = fc
  .integer({ min: 1, max: 127 })
  .filter((code) => code !== 10 && code !== 13)
  .map((code) => String.fromCharCode(code));
const csvSource: fc.Arbitrary<CsvCodecSource> = fc
  .record({
    kind: fc.constant('csv' as const),
    header: fc.constantFrom('NAMES' as const, 'SKIP' as const, 'NONE' as const),
    delimiter: fc.oneof(separator, fc.constantFrom(',', '\t', "'")),
    quote: fc.option(fc.oneof(separator, fc.constantFrom('"', "'"))),
    nullToken: fc.option(text),
    mode: fc.constantFrom('STRICT' as const, 'LOOSE' as const),
  })
  .filter(({ delimiter, quote }) => delimiter !== quote);

const encodedSource = fc.oneof(
  fc.record({
    kind: fc.constant('wire' as const),
    format: fc.constantFrom(...WIRE_FORMATS),
    wireSchema: name,
  }),
  fc.record({
    kind: fc.constant('jaq' as const),
    format: fc.constantFrom(...JAQ_FORMATS),
    transformations,
  }),
  fc.record({
    kind: fc.constant('protobuf' as const),
    descriptors: binding,
    config,
    message: text,
    batchMessage: fc.option(text),
    transformations,
  }),
  csvSource,
);
const codec: fc.Arbitrary<CodecModel> = fc.oneof(
  fc.record({
    kind: fc.constant('codec' as const),
    name,
    source: encodedSource,
    schema: name,
    encode: fc.array(fc.record({ field: name, as: fc.constant('RFC3339' as const) }), few),
  }),
  fc.record({
    kind: fc.constant('codec' as const),
    name,
    source: fc.constant({ kind: 'syslog' as const }),
    schema: name,
    encode: fc.constant([]),
  }),
);

const u32 = fc.integer({ min: 0, max: 4_294_967_295 });
const poolSize = fc
  .tuple(u32, u32)
  .filter(([min, max]) => max > 0 && min <= max)
  .map(([min, max]) => ({ min: String(min), max: String(max) }));
const typeClause: fc.Arbitrary<Pick<ClientModel, 'type' | 'pool' | 'signaling'>> = fc.oneof(
  fc.constantFrom(...PLAIN_CLIENT_TYPES).map((type) => ({ type, pool: null, signaling: null })),
  fc.option(name).map((signaling) => ({ type: 'WEBSOCKETS' as const, pool: null, signaling })),
  fc.record({
    type: fc.constantFrom(...POOLED_CLIENT_TYPES),
    pool: poolSize,
    signaling: fc.constant(null),
  }),
);
const clientConfig: fc.Arbitrary<ClientConfigEntry[]> = fc.array(
  fc.record({
    key: fc.oneof(text, fc.constantFrom('password', 'token', 'addr')),
    value: fc.oneof(
      fc.record({
        kind: fc.constant('text' as const),
        text: fc.oneof(text, fc.constantFrom('secret', 'SECRET', 'a <redacted>')),
      }),
      fc.record({ kind: fc.constant('secret' as const), name: text, key: fc.option(text) }),
    ),
  }),
  few,
);
const client: fc.Arbitrary<ClientModel> = fc
  .record({
    kind: fc.constant('client' as const),
    name,
    clause: typeClause,
    mount: fc.option(binding),
    config: clientConfig,
  })
  .map(({ clause, ...rest }) => ({ ...rest, ...clause }));

const signalingProtocol: fc.Arbitrary<SignalingProtocolModel> = fc.record({
  kind: fc.constant('signaling_protocol' as const),
  name,
  format: fc.oneof(
    fc.record({
      kind: fc.constant('text' as const),
      format: fc.constantFrom(...(['JSON', 'YAML', 'TOML', 'XML', 'CBOR', 'RAW'] as const)),
    }),
    fc.record({
      kind: fc.constant('protobuf' as const),
      descriptors: binding,
      config,
      sendMessage: text,
      waitMessage: text,
    }),
  ),
  fail: fc.array(text, few),
  acceptData: fc.boolean(),
  steps: nonEmpty(
    fc.oneof(
      fc.record({ kind: fc.constant('send' as const), programs: nonEmpty(text) }),
      fc
        .record({
          kind: fc.constant('wait' as const),
          matchers: nonEmpty(text),
          fail: fc.array(text, few),
          capture: fc.option(text),
          acceptData: fc.boolean(),
        })
        .map((step) => (step.matchers.length === 1 ? step : { ...step, capture: null })),
    ),
  ),
  timeout: duration,
});

const udfName = name.filter((word) => !word.startsWith('__nervix_'));
const udfType = { type: dataType, optional: fc.boolean() };
const udf: fc.Arbitrary<UdfModel> = fc.record({
  kind: fc.constant('udf' as const),
  name: udfName,
  language: fc.constantFrom('ROTO_0_13' as const, 'ECMASCRIPT_2023' as const),
  arguments: fc.uniqueArray(fc.record({ name: udfName, ...udfType }), {
    minLength: 1,
    maxLength: 8,
    selector: (argument) => argument.name,
  }),
  returns: fc.record(udfType),
  volatile: fc.boolean(),
  code: fc.oneof(
    text,
    fc.constantFrom('$roto$', '$js$ $js_1$', '$j', '$roto_1$ $roto$', 'fn f() {\n  1\n}\n', '$rot'),
  ),
});

/** Models of codecs and what they need, clients, lookups, UDFs and placements. */
export const definitionModel: fc.Arbitrary<Model> = fc.oneof(
  wireSchema('wire_json_schema', JSON_WIRE_TYPES),
  wireSchema('wire_cbor_schema', JSON_WIRE_TYPES),
  wireSchema('wire_avro_schema', AVRO_WIRE_TYPES),
  codec,
  client,
  signalingProtocol,
  udf,
  fc.record({
    kind: fc.constant('hash_map' as const),
    name,
    key: name,
    resource: binding,
    path: text,
    decodeUsing: name,
  }),
  fc.record({
    kind: fc.constant('placement' as const),
    name,
    from: nonEmpty(name),
    to: nonEmpty(name),
    policy: fc.constantFrom(...PLACEMENT_POLICIES),
    rank: fc.option(positive),
  }),
);
