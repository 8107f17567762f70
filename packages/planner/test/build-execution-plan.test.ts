import { canonicalText } from '@nervix/model';
import { expect, test } from 'vitest';
import { domainModels, planDomain } from '../src/index.js';
import {
  change,
  DOMAIN,
  ingestor,
  junction,
  messagesOf,
  planWith,
  SAMPLE,
  vhost,
} from './support/models.js';

function samplePlan() {
  const outcome = planWith();
  expect(messagesOf(outcome)).toEqual([]);
  if (outcome.kind !== 'accepted') throw new Error('the sample is valid');
  return outcome.plan;
}

test('a domain in which every kind occurs is accepted', () => {
  const plan = samplePlan();
  expect(plan).toMatchObject({ domain: DOMAIN, revision: 7, generation: 2 });
  expect(plan.schemas).toHaveLength(6);
  expect(plan.relays.map((relay) => relay.name)).toEqual([
    'copies',
    'events',
    'failures',
    'other',
    'summaries',
    'tenant_events',
    'tenant_once',
  ]);
  expect(plan.processors.map((processor) => processor.kind)).toEqual([
    'junction',
    'deduplicator',
    'window_processor',
  ]);
});

test('quantities become nanoseconds, bytes and counts', () => {
  const plan = samplePlan();
  expect(plan.branches).toEqual([
    {
      name: 'by_tenant',
      schema: 'tenant_key',
      ttlNanos: 3_600_000_000_000n,
      maxInstances: 1000,
    },
  ]);
  expect(plan.relays.find((relay) => relay.name === 'summaries')).toEqual({
    name: 'summaries',
    schema: 'summary',
    branch: 'by_tenant',
    capacity: 4,
  });
  expect(plan.ingestors[0]?.routes[0]?.flush).toEqual({
    kind: 'each',
    intervalNanos: 100_000_000n,
    maxBatchBytes: 1_048_576n,
  });
  expect(plan.ingestors[0]?.ackWindow).toEqual({ max: 16, timeoutNanos: 5_000_000_000n });
  expect(plan.emitters[0]?.sink).toMatchObject({
    backoffNanos: 100_000_000n,
    backoffMaxNanos: 10_000_000_000n,
    codec: 'out_json',
  });
});

test('CN-130 hostnames and origins are normalized', () => {
  const plan = samplePlan();
  expect(plan.endpoints[0]).toMatchObject({ hostnames: ['taxi.example'], path: '/trips' });
  expect(plan.clients).toEqual([
    { name: 'sink', type: 'HTTP', endpoint: 'http://127.0.0.1:9000', timeoutMs: 2000 },
  ]);
});

test('CN-132 endpoints of a virtual host with TLS are those of the HTTPS listener', () => {
  const tls = { resource: 'certs', version: '1' };
  const outcome = planWith(change(vhost, { tls }));
  const endpoints = outcome.kind === 'accepted' ? outcome.plan.endpoints : [];
  expect(endpoints).toMatchObject([{ hostnames: ['taxi.example'], isSecure: true }]);
  expect(samplePlan().endpoints[0]).not.toHaveProperty('isSecure');
});

test('assignments carry operation, index and sorted paths', () => {
  const plan = samplePlan();
  const route = plan.ingestors[0]?.routes[1];
  expect(route?.construction.assignments[0]).toEqual({
    field: 'id',
    operation: 'inherit',
    index: 0,
    value: {
      kind: 'column',
      row: 'input',
      field: 'id',
      type: 'I64',
      optional: false,
      sensitive: false,
    },
    paths: ['input.id', 'output.id'],
  });
  expect(route?.branch).toMatchObject({
    branch: 'by_tenant',
    assignments: [
      {
        field: 'tenant',
        operation: 'branch_set',
        index: 0,
        paths: ['branch.tenant', 'output.tenant'],
      },
    ],
  });
  expect(plan.emitters[0]?.construction.assignments.map(({ paths }) => paths)).toEqual([
    ['input.id', 'output.id'],
    ['input.tenant', 'output.text'],
  ]);
  expect(plan.emitters[0]?.headers).toMatchObject([
    { name: { value: 'x-id' }, value: { kind: 'column', row: 'output', field: 'text' } },
  ]);
});

test('window routes list their aggregates and read them by index', () => {
  const window = samplePlan().processors.find((node) => node.kind === 'window_processor');
  expect(window?.routes[0]?.aggregates).toMatchObject([
    { function: 'COUNT', type: 'I64', optional: false },
    { function: 'AVG', type: 'F64', optional: false },
  ]);
  expect(window?.routes[0]?.construction.assignments.map(({ value }) => value)).toMatchObject([
    { kind: 'column', row: 'branch' },
    { kind: 'aggregate', index: 0 },
    { kind: 'aggregate', index: 1 },
  ]);
  expect(window).toMatchObject({
    width: { messages: null, durationNanos: 60_000_000_000n },
    step: { messages: 10, durationNanos: null },
  });
});

test('the order in which models were added makes no difference', () => {
  const reversed = planDomain({
    domain: DOMAIN,
    revision: 7,
    generation: 2,
    models: domainModels(SAMPLE.toReversed()),
  });
  if (reversed.kind !== 'accepted') throw new Error('the sample is valid');
  expect(canonicalText(reversed.plan)).toBe(canonicalText(samplePlan()));
});

test('spans of expressions are copied into the typed plan', () => {
  const [route] = ingestor.routes;
  const where = { kind: 'boolean', value: true } as const;
  const changed = {
    ...ingestor,
    routes: [{ ...route!, construction: { ...route!.construction, where } }],
  };
  const outcome = planDomain({
    domain: DOMAIN,
    revision: 1,
    generation: 1,
    models: domainModels([...SAMPLE, changed]),
    spans: { spanOf: (node) => (node === where ? { start: 3, end: 7 } : undefined) },
  });
  expect(outcome).toMatchObject({
    kind: 'accepted',
    plan: {
      ingestors: [{ routes: [{ construction: { where: { span: { start: 3, end: 7 } } } }] }],
    },
  });
});

test('a model that names a refused one is not judged', () => {
  const outcome = planWith(
    { kind: 'schema', name: 'event', fields: [] },
    { ...junction, filter: { kind: 'integer', digits: '1' } },
  );
  expect(messagesOf(outcome)).toEqual([
    "model 'event' in domain 'taxi' is invalid: schema must declare at least one field",
  ]);
});
