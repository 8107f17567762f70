import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { domainModels, type ModelChange, type PlanChangeInput, planChange } from '../src/index.js';
import { bool, field, int } from './support/expressions.js';
import {
  assign,
  BY_TENANT,
  branch,
  change,
  client,
  codec,
  DOMAIN,
  deduplicator,
  emitter,
  endpoint,
  entry,
  from,
  INHERIT_ALL,
  ingestor,
  junction,
  relay,
  SAMPLE,
  vhost,
  windowProcessor,
} from './support/models.js';

const input: PlanChangeInput = {
  domain: DOMAIN,
  running: true,
  revision: 8,
  generation: 2,
  models: domainModels(SAMPLE),
};
const create = (model: Model, ifNotExists = false): ModelChange => ({
  op: 'create',
  ifNotExists,
  model,
});
const drop = ({ kind, name }: Model): ModelChange => ({ op: 'drop', kind, name });
const replace = (model: Model): ModelChange[] => [drop(model), create(model)];
function accepted(changes: readonly ModelChange[], parts: Partial<PlanChangeInput> = {}) {
  const outcome = planChange({ ...input, ...parts }, changes);
  if (outcome.kind === 'rejected') {
    throw new Error(outcome.refusals.map((refusal) => refusal.message).join('\n'));
  }
  return outcome;
}

test('an accepted change carries the models, the plan and the differences', () => {
  const model = relay('fresh', 'event');
  const outcome = accepted([create(model), create(relay('events', 'event'), true)]);
  expect(outcome.next.get('relay/fresh')).toBe(model);
  expect(outcome.plan).toMatchObject({ revision: 8, generation: 2, domain: DOMAIN });
  expect(outcome).toMatchObject({
    noop: false,
    alreadyExisted: [false, true],
    changed: [{ kind: 'relay', name: 'fresh', change: 'created', level: 'DOMAIN_PAUSE' }],
    schedule: null,
    plannedRelocations: 0,
  });
});

test('refusals of an operation name it, those of the graph do not', () => {
  expect(planChange(input, [drop(relay('absent', 'event'))])).toMatchObject({
    kind: 'rejected',
    operation: 0,
    refusals: [{ code: 'PLAN_MODEL_NOT_FOUND' }],
  });
  expect(planChange(input, [create(relay('lost', 'nope'))])).toMatchObject({
    kind: 'rejected',
    operation: null,
    refusals: [{ code: 'PLAN_MISSING_REFERENCE', missingName: 'nope' }],
  });
});

test('of two colliding models the one the batch touched is refused', () => {
  const early = { ...vhost, name: 'aaa', hostnames: ['taxi.example'] };
  expect(planChange(input, [create(early)])).toMatchObject({
    refusals: [
      {
        message:
          "model 'aaa' in domain 'taxi' is invalid: " +
          "hostname 'taxi.example' is already assigned to vhost 'web'",
      },
    ],
  });
});

test('CP-35 a batch without effect is DYNAMIC and leaves the schedule alone', () => {
  const nodes = [{ name: 'n1', isLive: true, isCordoned: false, isTerminating: false }];
  const outcome = accepted([create(relay('fresh', 'event')), drop(relay('fresh', 'event'))], {
    scheduling: { nodes, replicaCount: 0, previous: [] },
  });
  expect(outcome).toMatchObject({ noop: true, level: 'DYNAMIC', changed: [], schedule: null });
});

describe('CP-79 creating and dropping in a running domain', () => {
  test.each([
    ['schema', [create({ ...SAMPLE[0]!, name: 'zzz' } as Model)], 'DYNAMIC'],
    ['branch', [create({ ...branch, name: 'zzz' })], 'DYNAMIC'],
    ['endpoint', [create({ ...endpoint, name: 'zzz', path: '/z' })], 'DYNAMIC'],
    ['client', [create({ ...client, name: 'zzz' })], 'DYNAMIC'],
    ['relay', [create(relay('zzz', 'event'))], 'DOMAIN_PAUSE'],
    ['junction', [create({ ...junction, name: 'zzz' })], 'DOMAIN_PAUSE'],
    ['drop of an emitter', [drop(emitter)], 'DOMAIN_PAUSE'],
    ['drop of a relay', [drop(relay('other', 'event_copy'))], 'DOMAIN_PAUSE'],
  ] as const)('%s', (_, changes, level) => {
    expect(accepted(changes).level).toBe(level);
    expect(accepted(changes, { running: false }).level).toBe('DYNAMIC');
  });
});

const [route] = junction.routes;
const withRoute = (parts: object) => change(junction, { routes: [{ ...route!, ...parts }] });

describe('CP-95 replacing in a running domain', () => {
  test.each<[string, Model, string]>([
    ['Q-1 capacity', relay('other', 'event_copy', { capacity: '5' }), 'DYNAMIC'],
    ['Q-2 relay schema', relay('other', 'event'), 'DOMAIN_PAUSE'],
    ['Q-3 relay branching', relay('other', 'event_copy', { branching: BY_TENANT }), 'DOMAIN_PAUSE'],
    ['Q-5 filter', change(junction, { filter: bool(true) }), 'DYNAMIC'],
    [
      'Q-6 FROM WHERE',
      change(junction, { inputs: from({ relay: 'events', where: bool(true) }) }),
      'DYNAMIC',
    ],
    [
      'Q-7 collect',
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: '1s', maxBatchSize: null } },
      }),
      'DYNAMIC',
    ],
    [
      'Q-8 construction',
      withRoute({ construction: { ...INHERIT_ALL, set: [assign('id', int(1))] } }),
      'DYNAMIC',
    ],
    ['Q-9 flush', withRoute({ flush: { kind: 'immediate' } }), 'DYNAMIC'],
    [
      'Q-10 message error to the same relay',
      withRoute({
        messageError: {
          kind: 'send_to',
          relay: 'failures',
          set: [assign('message', field('error.code'))],
        },
      }),
      'DYNAMIC',
    ],
    ['Q-11 error relays', withRoute({ messageError: { kind: 'log' } }), 'ENTITY_PAUSE'],
    ['Q-12 inputs', change(junction, { inputs: from('copies') }), 'ENTITY_PAUSE'],
    ['Q-13 routes', change(junction, { routes: [route!, route!] }), 'ENTITY_PAUSE'],
    ['Q-14 attachment', change(junction, { acknowledgement: 'DETACHED' }), 'ENTITY_PAUSE'],
    ['Q-17 keys', change(deduplicator, { deduplicateOn: [field('tenant')] }), 'ENTITY_PAUSE'],
    ['Q-18 MAX TIME', change(deduplicator, { maxTime: '1h' }), 'DYNAMIC'],
    [
      'Q-25 WIDTH',
      change(windowProcessor, { width: { messages: '5', duration: null } }),
      'ENTITY_PAUSE',
    ],
    ['Q-30 emitter sources', change(emitter, { inputs: from('copies', 'events') }), 'DOMAIN_PAUSE'],
    [
      'Q-31 emitter FROM WHERE',
      change(emitter, { inputs: from({ relay: 'copies', where: bool(true) }) }),
      'ENTITY_PAUSE',
    ],
    [
      'Q-32 sink',
      change(emitter, { sink: { ...emitter.sink, path: { kind: 'string', value: '/x' } } }),
      'ENTITY_PAUSE',
    ],
    ['Q-35 emitter flush', change(emitter, { flush: { kind: 'immediate' } }), 'DYNAMIC'],
    ['Q-38 ingestor', change(ingestor, { generalError: 'IGNORE' }), 'ENTITY_PAUSE'],
    [
      'Q-43 client',
      change(client, { config: [...client.config, entry('method', 'GET')] }),
      'DOMAIN_PAUSE',
    ],
    ['Q-43 endpoint', change(endpoint, { path: '/y' }), 'DOMAIN_PAUSE'],
    ['Q-44 vhost', change(vhost, { hostnames: ['x'] }), 'DOMAIN_PAUSE'],
    ['Q-48 branch ttl', change(branch, { ttl: '2h' }), 'DOMAIN_PAUSE'],
  ])('%s', (_, model, level) => {
    expect(accepted(replace(model)).level).toBe(level);
  });

  test('Q-41, Q-42 schemas', () => {
    const schema = SAMPLE.find((model) => model.name === 'event_copy');
    const changed = {
      ...schema,
      fields: [{ name: 'x', type: 'I64', optional: false, sensitive: false }],
    };
    expect(accepted(replace(changed as Model)).level).toBe('DOMAIN_PAUSE');
    expect(accepted(replace({ ...codec, name: 'event_json' })).level).toBe('DYNAMIC');
  });

  test('Q-15 branching of a processor ends as a rebuild', () => {
    const models = [
      relay('a', 'event', { branching: BY_TENANT }),
      relay('b', 'event', { branching: BY_TENANT }),
    ];
    const moved = change(junction, {
      inputs: from('a'),
      branching: BY_TENANT,
      routes: [{ ...route!, relay: 'b', messageError: { kind: 'log' } }],
    });
    const before = domainModels([...SAMPLE, ...models]);
    expect(accepted(replace(moved), { models: before }).level).toBe('DOMAIN_PAUSE');
  });

  test('the level of a batch is the widest', () => {
    const changes = [
      ...replace(relay('other', 'event_copy', { capacity: '5' })),
      ...replace(change(junction, { acknowledgement: 'DETACHED' })),
    ];
    const outcome = accepted(changes);
    expect(outcome.level).toBe('ENTITY_PAUSE');
    expect(outcome.changed.map(({ name, level }) => [name, level])).toEqual([
      ['other', 'DYNAMIC'],
      ['split', 'ENTITY_PAUSE'],
    ]);
    expect(accepted(changes, { running: false }).level).toBe('DYNAMIC');
  });
});
