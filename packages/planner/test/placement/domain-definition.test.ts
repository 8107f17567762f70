import { type Model, modelKey } from '@nervix/model';
import { defineDomain } from '@nervix/scheduler';
import { expect, test } from 'vitest';
import { domainModels } from '../../src/index.js';
import { domainDefinition } from '../../src/placement/domain-definition.js';
import { ModelSet } from '../../src/registry/model-set.js';
import { rule } from '../support/every-kind.js';
import { from, junction, relay, SAMPLE } from '../support/models.js';

const settings = { domain: 'taxi', defaultPolicy: 'NEUTRAL' } as const;
const first = ModelSet.of(domainModels([...SAMPLE, rule]));

function changed(base: ModelSet, ...models: readonly Model[]): ModelSet {
  return base.with(new Map(models.map((model) => [modelKey(model.kind, model.name), model])));
}

function defined(models: ModelSet, base?: ModelSet) {
  const outcome = domainDefinition(models, settings, base);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.definition;
}

/** A definition whose lists are in one order. */
function ordered({ members, edges, rules }: ReturnType<typeof defined>) {
  return [members, edges, rules ?? []].map((list) =>
    list.map((item: unknown) => JSON.stringify(item)).sort(),
  );
}

test('CP-30 what does not matter to placement leaves the very same definition', () => {
  const hot = changed(first, relay('events', 'event', { capacity: '9' }));
  expect(defined(hot, first)).toBe(defined(first));
});

test('CP-30 what follows from many changes is what is read off the models', () => {
  const hot = changed(first, relay('events', 'event', { capacity: '9' }));
  const kept = changed(hot, relay('events', 'event', { materialized: true }));
  const rewired = changed(kept, { ...junction, inputs: from('events', 'other') });
  const ruled = changed(rewired, { ...rule, to: ['once'] });
  const dropped = ruled.with(new Map([['emitter/publish', undefined]]));
  let base = first;
  for (const models of [hot, kept, rewired, ruled, dropped]) {
    const whole = defineDomain({ ...settings, models: models.values() });
    if (whole.kind === 'refused') throw new Error(whole.message);
    expect(ordered(defined(models, base))).toEqual(ordered(whole.definition));
    base = models;
  }
});
