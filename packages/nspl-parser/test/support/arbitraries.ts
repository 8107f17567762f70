import type { Model, Statement } from '@nervix/model';
import fc from 'fast-check';
import { administrationStatement } from './arbitraries/administration.ts';
import { alterModel } from './arbitraries/alterations.ts';
import { binding, branching } from './arbitraries/clauses.ts';
import { definitionModel } from './arbitraries/definitions.ts';
import { emitter } from './arbitraries/emitters.ts';
import { expression } from './arbitraries/expressions.ts';
import { ingestor } from './arbitraries/ingestors.ts';
import { dataType, duration, name, nanos, positive, relayName, text } from './arbitraries/names.ts';
import { processorModel } from './arbitraries/processors.ts';
import { readStatement } from './arbitraries/reads.ts';
import {
  archiveStatement,
  clientRestore,
  commit,
  sessionStatement,
} from './arbitraries/sessions.ts';

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

const createModel = fc.record({
  kind: fc.constant('create_model' as const),
  ifNotExists: fc.boolean(),
  model,
});

/** Statements that change a domain as a whole. */
const domainChange: fc.Arbitrary<Statement> = fc.oneof(
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
    kind: fc.constant('start' as const),
    at: fc.option(
      fc.record({
        instant: fc.option(text),
        timeRate: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      }),
    ),
  }),
  fc.constant({ kind: 'stop' as const }),
);

/** Statements of every kind. */
export const statement: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 4, arbitrary: createModel },
  { weight: 2, arbitrary: alterModel },
  domainChange,
  sessionStatement,
  archiveStatement,
  {
    weight: 4,
    arbitrary: administrationStatement(
      fc.oneof(createModel, alterModel, domainChange),
      fc.oneof(clientRestore, commit),
    ),
  },
  fc.constant({ kind: 'describe_domain' as const }),
  readStatement,
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
