import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { domainModels, type ModelChange } from '../src/index.js';
import { applyChanges } from './support/applied-changes.js';
import { branch, DOMAIN, relay, SAMPLE, SCHEMAS } from './support/models.js';

const base = domainModels(SAMPLE);
const create = (model: Model, ifNotExists = false): ModelChange => ({
  op: 'create',
  ifNotExists,
  model,
});
const drop = (kind: Model['kind'], name: string): ModelChange => ({ op: 'drop', kind, name });
const apply = (...changes: ModelChange[]) => applyChanges(DOMAIN, base, changes);
const accepted = (...changes: ModelChange[]) => {
  const outcome = apply(...changes);
  if (outcome.kind === 'rejected') throw new Error(outcome.refusal.message);
  return outcome;
};

describe('CP-36 refusals', () => {
  test.each<[string, ModelChange[], number, string, string]>([
    [
      'duplicate',
      [create(relay('events', 'event'))],
      0,
      'PLAN_DUPLICATE_MODEL',
      "model 'events' already exists in domain 'taxi'",
    ],
    [
      'duplicate inside the batch',
      [create(relay('n', 'event')), create(relay('n', 'event'))],
      1,
      'PLAN_DUPLICATE_MODEL',
      "model 'n' already exists in domain 'taxi'",
    ],
    [
      'missing target',
      [drop('relay', 'absent')],
      0,
      'PLAN_MODEL_NOT_FOUND',
      "model 'absent' does not exist in domain 'taxi'",
    ],
    [
      'missing target after its own drop',
      [drop('relay', 'other'), drop('relay', 'other')],
      1,
      'PLAN_MODEL_NOT_FOUND',
      "model 'other' does not exist in domain 'taxi'",
    ],
    [
      'in use, with unique sorted names',
      [drop('schema', 'event')],
      0,
      'PLAN_MODEL_IN_USE',
      "cannot delete model 'event' in domain 'taxi' because it is used by " +
        'copies, event_json, events, tenant_events, tenant_once',
    ],
    [
      'in use by a model of the same batch',
      [drop('relay', 'other'), create({ ...branch, name: 'b2' }), drop('schema', 'tenant_key')],
      2,
      'PLAN_MODEL_IN_USE',
      "cannot delete model 'tenant_key' in domain 'taxi' because it is used by b2, by_tenant",
    ],
  ])('%s', (_, changes, operation, code, message) => {
    expect(apply(...changes)).toMatchObject({
      kind: 'rejected',
      operation,
      refusal: { code, message },
    });
  });

  test('the subject of a refusal is the node of the change', () => {
    const model = relay('events', 'event');
    const outcome = apply(create(model));
    expect(outcome.kind === 'rejected' && outcome.refusal.subject).toBe(model);
  });
});

test('CP-29 equal names of different kinds coexist', () => {
  expect(accepted(create(relay('event', 'event'))).differences).toEqual([
    { kind: 'relay', name: 'event', change: 'created' },
  ]);
});

test.each([
  ['dependents first', [drop('relay', 'other'), drop('schema', 'event_copy')]],
  ['dependents last', [drop('schema', 'event_copy'), drop('relay', 'other')]],
])('CP-32 dependents and dependency drop together, %s', (_, changes) => {
  expect(accepted(...changes).differences).toEqual([
    { kind: 'schema', name: 'event_copy', change: 'dropped' },
    { kind: 'relay', name: 'other', change: 'dropped' },
  ]);
});

test('CP-32 a used model may be dropped and created again', () => {
  const [event] = SCHEMAS;
  const outcome = accepted(drop('schema', 'event'), create({ ...event!, kind: 'schema' } as Model));
  expect(outcome.differences).toEqual([]);
});

test('CP-34 IF NOT EXISTS meets an existing model of another definition', () => {
  const outcome = accepted(
    create(relay('events', 'failure'), true),
    create(relay('n', 'event'), true),
  );
  expect(outcome.alreadyExisted).toEqual([true, false]);
  expect(outcome.models.get('relay/events')).toMatchObject({ schema: 'event' });
});

test('CP-35 a batch whose result equals its base has no differences', () => {
  const outcome = accepted(create(relay('n', 'event')), drop('relay', 'n'));
  expect(outcome.differences).toEqual([]);
  expect(outcome.alreadyExisted).toEqual([false, false]);
});

test('CP-94 drop and create of one key are one change, and the base stays as it was', () => {
  const outcome = accepted(
    drop('relay', 'other'),
    create(relay('other', 'event_copy', { capacity: '9' })),
  );
  expect(outcome.differences).toEqual([{ kind: 'relay', name: 'other', change: 'changed' }]);
  expect(base.get('relay/other')).toMatchObject({ capacity: '1' });
});
