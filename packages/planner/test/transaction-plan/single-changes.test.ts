import type { Model, Statement } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { planTransaction } from '../../src/index.js';
import {
  BY_TENANT,
  branch,
  change,
  client,
  emitter,
  endpoint,
  from,
  junction,
  relay,
  SAMPLE,
  vhost,
} from '../support/models.js';
import { levels, planned, running } from '../support/transactions.js';

const create = (model: Model): Statement => ({ kind: 'create_model', ifNotExists: false, model });
const drop = ({ kind, name }: Model): Statement => ({ kind: 'drop_model', modelKind: kind, name });
const domain = running(SAMPLE);

test('of two colliding models the one that the change touched is refused', () => {
  const early = { ...vhost, name: 'aaa', hostnames: ['taxi.example'] };
  expect(planTransaction(domain, [create(early)])).toMatchObject({
    kind: 'refused',
    refusals: [
      {
        message:
          "model 'aaa' in domain 'taxi' is invalid: " +
          "hostname 'taxi.example' is already assigned to vhost 'web'",
      },
    ],
  });
});

test('CP-35 CP-75 changes that cancel out are DYNAMIC and leave models and schedule alone', () => {
  const fresh = relay('fresh', 'event');
  const plan = planned(domain, [create(fresh), drop(fresh)]);
  expect(levels(plan)).toEqual(['DYNAMIC']);
  expect(plan.steps[0]?.decision).toMatchObject({
    transitions: [],
    schedule: null,
    noOpOperations: [1, 2],
  });
  expect(plan.after).toEqual(domain);
});

describe('CP-79 creating and dropping in a running domain', () => {
  test.each([
    ['schema', create({ ...SAMPLE[0]!, name: 'zzz' } as Model), 'DYNAMIC'],
    ['branch', create({ ...branch, name: 'zzz' }), 'DYNAMIC'],
    ['endpoint', create({ ...endpoint, name: 'zzz', path: '/z' }), 'DYNAMIC'],
    ['client', create({ ...client, name: 'zzz' }), 'DYNAMIC'],
    ['relay', create(relay('zzz', 'event')), 'DOMAIN_PAUSE'],
    ['junction', create({ ...junction, name: 'zzz' }), 'DOMAIN_PAUSE'],
    ['drop of an emitter', drop(emitter), 'DOMAIN_PAUSE'],
    ['drop of a relay', drop(relay('other', 'event_copy')), 'DOMAIN_PAUSE'],
  ] as const)('%s', (_, statement, level) => {
    expect(levels(planned(domain, [statement]))).toEqual([level]);
    expect(levels(planned({ ...domain, status: 'stopped' }, [statement]))).toEqual(['DYNAMIC']);
  });
});

test('CP-78 Q-15 branching of a processor ends as a rebuild', () => {
  const relays = ['a', 'b'].map((name) => relay(name, 'event', { branching: BY_TENANT }));
  const [route] = junction.routes;
  const moved = change(junction, {
    inputs: from('a'),
    branching: BY_TENANT,
    routes: [{ ...route!, relay: 'b', messageError: { kind: 'log' } }],
  });
  const base = running([...SAMPLE, ...relays]);
  expect(levels(planned(base, [drop(moved), create(moved)]))).toEqual(['DOMAIN_PAUSE']);
});

test('CP-75 the level of a run is the widest of its changes', () => {
  const wider = relay('other', 'event_copy', { capacity: '5' });
  const detached = change(junction, { acknowledgement: 'DETACHED' });
  const statements = [wider, detached].flatMap((model) => [drop(model), create(model)]);
  const plan = planned(domain, statements);
  expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
  expect(plan.report.operations.map(({ reasons }) => reasons.map(({ aspect }) => aspect))).toEqual([
    ['ENTITY_DROPPED'],
    ['ENTITY_CREATED'],
    ['ENTITY_DROPPED'],
    ['ENTITY_CREATED'],
  ]);
});
