import type { Model, Statement } from '@nervix/model';
import fc from 'fast-check';
import {
  binding,
  branching,
  construction,
  entryRoutes,
  flush,
  generalError,
  inputs,
  messageError,
  processor,
  sendTo,
} from './arbitraries/clauses.ts';
import { definitionModel } from './arbitraries/definitions.ts';
import { expression } from './arbitraries/expressions.ts';
import {
  byteSize,
  dataType,
  duration,
  name,
  nanos,
  positive,
  relayName,
  text,
} from './arbitraries/names.ts';
import { processorModel } from './arbitraries/processors.ts';
import { readStatement } from './arbitraries/reads.ts';

const ingestor: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('ingestor' as const),
    name,
    source: fc.record({
      kind: fc.constant('endpoint' as const),
      endpoint: name,
      mode: fc.oneof(
        fc.constant({ kind: 'no_ack_sequential' as const }),
        fc.record({
          kind: fc.constant('ack_parallel' as const),
          max: positive,
          ackTimeout: duration,
        }),
      ),
      quiesce: fc.oneof(
        fc.record({ kind: fc.constant('reject' as const), retryAfter: duration }),
        fc.record({
          kind: fc.constant('buffer' as const),
          maxSize: byteSize,
          overflow: fc.constant(null),
        }),
      ),
    }),
    decodeUsing: name,
    timestamp: fc.option(
      fc.oneof(
        fc.constant({ kind: 'now' as const }),
        fc.record({ kind: fc.constant('at' as const), field: name }),
      ),
    ),
    filter: fc.option(expression),
    routes: entryRoutes,
    decodeError: fc.option(
      fc.oneof(fc.constantFrom({ kind: 'retry' as const }, { kind: 'log' as const }), sendTo),
    ),
    generalError,
  })
  .filter(
    ({ source, decodeError }) =>
      decodeError?.kind !== 'retry' || source.mode.kind === 'ack_parallel',
  );

const emitter: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('emitter' as const),
    name,
    acknowledgement: processor.acknowledgement,
    inputs,
    dependencies: processor.dependencies,
    sink: fc.record({
      kind: fc.constant('http' as const),
      client: name,
      method: expression,
      path: expression,
      mode: fc.record({
        kind: fc.constant('ack' as const),
        retry: fc.record({ backoff: duration, max: duration }),
      }),
    }),
    encodeUsing: fc.option(name),
    construction,
    batch: fc.constant(null),
    flush,
    messageError,
    generalError,
  })
  .map((model) =>
    model.encodeUsing !== null
      ? model
      : { ...model, construction: { ...model.construction, inherit: null, set: [] } },
  );

/** Models of every kind. */
export const model: fc.Arbitrary<Model> = fc.oneof(
  fc.record({
    kind: fc.constant('schema' as const),
    name,
    fields: fc.array(
      fc.record({ name, type: dataType, optional: fc.boolean(), sensitive: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    kind: fc.constant('branch' as const),
    name,
    schema: name,
    ttl: duration,
    maxInstances: fc.option(positive),
  }),
  fc.record({
    kind: fc.constant('relay' as const),
    name: relayName,
    schema: name,
    branching,
    capacity: positive,
    materialized: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('vhost' as const),
    name,
    hostnames: fc.array(
      fc.stringMatching(/^[a-z][a-z0-9]{0,4}(-[a-z]{1,3})?(\.[a-z]{1,3}){0,2}$/),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    tls: fc.option(binding),
  }),
  fc
    .record({
      kind: fc.constant('endpoint' as const),
      name,
      vhost: name,
      path: text.map((rest) => `/${rest}`),
      type: fc.constantFrom('HTTP' as const, 'WEBSOCKETS' as const),
      signaling: fc.option(name),
    })
    .map((endpoint) => (endpoint.type === 'HTTP' ? { ...endpoint, signaling: null } : endpoint)),
  definitionModel,
  ingestor,
  processorModel,
  emitter,
);

/** Statements of every kind. */
export const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create_model' as const),
      ifNotExists: fc.boolean(),
      model,
    }),
  },
  fc.record({
    kind: fc.constant('create_domain' as const),
    ifNotExists: fc.boolean(),
    name,
    pace: fc.oneof(
      fc.constant({ kind: 'unpaced' as const }),
      fc.record({ kind: fc.constant('paced' as const), periodNanos: nanos, skewNanos: nanos }),
    ),
    placement: fc.constantFrom(
      'REQUIRE COLOCATION' as const,
      'PREFER COLOCATION' as const,
      'NEUTRAL' as const,
      'SUGGEST SEPARATION' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('create_user' as const),
    ifNotExists: fc.boolean(),
    name,
    password: text,
  }),
  fc.record({ kind: fc.constant('use' as const), domain: name }),
  fc.constantFrom(
    { kind: 'list_domains' as const },
    { kind: 'begin' as const },
    { kind: 'commit' as const, expect: null },
    { kind: 'revert' as const },
    { kind: 'stop' as const },
    { kind: 'describe_domain' as const },
  ),
  readStatement,
  fc.record({
    kind: fc.constant('start' as const),
    at: fc.option(
      fc.record({
        instant: fc.option(text),
        timeRate: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      }),
    ),
  }),
  fc
    .record({
      kind: fc.constant('create_subscription' as const),
      name,
      relay: relayName,
      delivery: fc.constantFrom('BLOCKING' as const, 'DROPPING' as const),
      batchSampleRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      where: fc.option(expression),
    })
    .filter(({ batchSampleRate }) => !Object.is(batchSampleRate, -0)),
  fc.record({ kind: fc.constant('delete_subscription' as const), name }),
);
