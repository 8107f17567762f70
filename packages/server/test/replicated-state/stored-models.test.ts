import type { Model } from '@nervix/model';
import { ModelSet } from '@nervix/planner';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../src/replicated-state/record-keys.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import { StoredModels } from '../../src/replicated-state/stored-models.ts';

function schema(name: string): Model {
  return { kind: 'schema', name, fields: [] };
}

describe('models of one domain', () => {
  test('one that came and went unread leaves nothing', () => {
    const models = new StoredModels();
    models.write('a', schema('a'));
    models.write('b', schema('b'));
    models.write('a', undefined);
    expect(models.unread).toBe(1);
    expect([...models.set.keys()]).toEqual(['b']);
    expect(models.size).toBe(1);
  });

  test('many that come and go unread are not remembered', () => {
    const models = new StoredModels();
    models.write('old', schema('old'));
    expect(models.set.size).toBe(1);
    models.write('old', undefined);
    for (let i = 0; i < 1_000; i += 1) {
      models.write(`m${i}`, schema(`m${i}`));
      models.write(`m${i}`, undefined);
    }
    // Only that one of the set is gone needs a note.
    expect(models.unread).toBe(1);
    expect(models.size).toBe(0);
    expect(models.set.size).toBe(0);
  });

  test('one that is written again stays counted once', () => {
    const models = new StoredModels();
    models.write('a', schema('a'));
    models.write('a', schema('a'));
    expect(models.set.size).toBe(1);
    models.write('a', undefined);
    models.write('a', schema('a'));
    models.write('a', undefined);
    expect(models.size).toBe(0);
    expect(models.set.size).toBe(0);
  });
});

describe('CP-141: models of a domain that is dropped', () => {
  const domain: StateRecord = {
    kind: 'domain',
    name: 'd',
    placement: 'NEUTRAL',
    status: 'stopped',
    generation: 0,
    lastStart: null,
  };
  const model: StateRecord = { kind: 'model', domain: 'd', model: schema('s') };

  test.each([
    ['before it', [keyOf(model), keyOf(domain)]],
    ['after it', [keyOf(domain), keyOf(model)]],
  ])('are gone when it is created again: removed %s', (_order, remove) => {
    const state = new ReplicatedState();
    const empty = { fences: [], put: [], remove: [], reference: null };
    state.apply({ ...empty, put: [domain, model] }, 1n, 1);
    state.publish(1n);
    const before = state.models('d');
    expect(before.size).toBe(1);
    state.apply({ ...empty, remove }, 2n, 2);
    state.apply({ ...empty, put: [domain] }, 3n, 3);
    state.publish(3n);
    // Nothing is kept of it, not even that it had models.
    expect(state.models('d')).toBe(ModelSet.EMPTY);
    expect(before.size).toBe(1);
  });
});
