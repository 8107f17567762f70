import type { Model } from '@nervix/model';
import { expect, test } from 'vitest';
import { defineDomain } from '../../src/index.js';
import { ingestor, model, reading, relay, route } from '../support/models.js';

const rule = (name: string, from: string, to: string, rank: string | null = null) =>
  model('placement', name, { from: [from], to: [to], policy: 'REQUIRE COLOCATION', rank });

const MODELS: readonly Model[] = [
  model('schema', 'event'),
  relay('raw'),
  relay('clean', true),
  ingestor('posts', 'endpoint'),
  model('ingestor', 'ticks', {
    source: { kind: 'kafka', offsets: { kind: 'domain' } },
    routes: [route('raw')],
    decodeError: null,
  }),
  model('junction', 'tidy', { ...reading(['raw']), routes: [route('clean')] }),
  rule('near', 'tidy', 'clean'),
];

const define = (models: Iterable<Model>) =>
  defineDomain({ domain: 'd', models, defaultPolicy: 'NEUTRAL' });

test('PS-2 PS-6 PS-23 PS-24 models become members with traits, edges and bound rules', () => {
  const outcome = define(MODELS.values());
  expect(outcome.kind === 'defined' && outcome.definition).toEqual({
    domain: 'd',
    defaultPolicy: 'NEUTRAL',
    members: [
      { kind: 'relay', name: 'raw', runs: 'once', replication: 'none' },
      { kind: 'relay', name: 'clean', runs: 'once', replication: 'state' },
      { kind: 'ingestor', name: 'posts', runs: 'every_node', replication: 'role' },
      { kind: 'ingestor', name: 'ticks', runs: 'once', replication: 'state' },
      { kind: 'junction', name: 'tidy', runs: 'once', replication: 'role' },
    ],
    edges: [
      { from: { kind: 'ingestor', name: 'posts' }, to: { kind: 'relay', name: 'raw' } },
      { from: { kind: 'ingestor', name: 'ticks' }, to: { kind: 'relay', name: 'raw' } },
      { from: { kind: 'junction', name: 'tidy' }, to: { kind: 'relay', name: 'clean' } },
      { from: { kind: 'relay', name: 'raw' }, to: { kind: 'junction', name: 'tidy' } },
    ],
    rules: [
      {
        name: 'near',
        from: [{ kind: 'junction', name: 'tidy' }],
        to: [{ kind: 'relay', name: 'clean' }],
        policy: 'REQUIRE COLOCATION',
        rank: null,
      },
    ],
  });
});

test('PS-2 of the rules that cannot be bound the first by name is reported', () => {
  const models = [...MODELS, rule('z', 'posts', 'raw'), rule('a', 'nobody', 'raw')];
  expect(define(models)).toMatchObject({
    kind: 'refused',
    code: 'SCHED_INVALID_RULE',
    message: "placement member 'nobody' does not exist",
    details: { placement: 'a' },
  });
});
