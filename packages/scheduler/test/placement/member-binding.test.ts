import type { PlacementModel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { alteredRule } from '../../src/placement/altered-rule.js';
import { bindMember, bindRule, modelsByName } from '../../src/placement/member-binding.js';
import { pinnedMembers } from '../../src/placement/pinned-member.js';
import { ingestor, model, relay } from '../support/models.js';

const RULE: PlacementModel = {
  kind: 'placement',
  name: 'near',
  from: ['raw', 'clean', 'raw'],
  to: ['codes'],
  policy: 'PREFER COLOCATION',
  rank: null,
};
const MODELS = modelsByName([
  ingestor('in', 'kafka'),
  ingestor('posts', 'endpoint'),
  ingestor('logs', 'syslog'),
  relay('raw'),
  relay('clean'),
  model('junction', 'clean_up'),
  model('schema', 'raw'),
  model('schema', 'event'),
  model('hash_map', 'codes'),
  relay('twice'),
  model('window_processor', 'twice'),
]);

function reasonOf(change: Partial<PlacementModel>): string {
  const bound = bindRule({ ...RULE, ...change }, MODELS);
  return bound.kind === 'refused' ? bound.reason : 'bound';
}

describe('members of rules', () => {
  test('PS-1 repeats keep their first place; PS-2 a name has one eligible meaning', () => {
    expect(bindRule(RULE, MODELS)).toEqual({
      kind: 'bound',
      value: {
        name: 'near',
        from: [
          { kind: 'relay', name: 'raw' },
          { kind: 'relay', name: 'clean' },
        ],
        to: [{ kind: 'lookup', name: 'codes' }],
        policy: 'PREFER COLOCATION',
        rank: null,
      },
    });
  });

  test.each([
    ['nobody', "placement member 'nobody' does not exist"],
    [
      'twice',
      "placement member 'twice' is ambiguous across eligible kinds relay, window processor",
    ],
    [
      'event',
      "placement member 'event' has non-schedulable kind schema and is not placement-eligible",
    ],
    ...['posts', 'logs'].map((name) => [
      name,
      `placement member '${name}' is not placement-eligible: endpoint-source ingestors execute ` +
        'on every cluster node',
    ]),
  ])('PS-2 %s is refused on either side', (name, reason) => {
    expect(reasonOf({ from: ['raw', name] })).toBe(reason);
    expect(reasonOf({ to: [name] })).toBe(reason);
  });

  test('PS-2 every single-owner kind is eligible, plain relays and client ingestors too', () => {
    const kinds = [
      'reingestor',
      'generator',
      'junction',
      'deduplicator',
      'correlator',
      'reorderer',
      'window_processor',
      'inferencer',
      'wasm_processor',
      'emitter',
      'hash_map',
      'relay',
    ] as const;
    const models = modelsByName([
      ...kinds.map((kind) => model(kind, kind)),
      ingestor('in', 'nats'),
    ]);
    for (const name of [...kinds, 'in']) expect(bindMember(name, models).kind).toBe('bound');
  });

  test('PS-1 rank 0 and empty sides are refused', () => {
    const zero = 'placement RANK 0 is invalid; RANK must be greater than zero';
    expect(reasonOf({ rank: '0' })).toBe(zero);
    expect(reasonOf({ from: [] })).toBe('placement FROM must name at least one member');
    expect(reasonOf({ to: [] })).toBe('placement TO must name at least one member');
  });
});

describe('PS-3 pins', () => {
  const other = { ...RULE, name: 'apart', from: ['codes'], to: ['in'] };

  test('a dropped member and one without an eligible form are named with all their rules', () => {
    const after = modelsByName([ingestor('in', 'endpoint'), relay('raw', true), relay('clean')]);
    const pinned = pinnedMembers('trading', [RULE, other], MODELS, after);
    expect(pinned.map(({ details }) => details)).toEqual([
      { domain: 'trading', member: 'codes', change: 'dropped', placements: ['apart', 'near'] },
      { domain: 'trading', member: 'in', change: 'ineligible', placements: ['apart'] },
    ]);
    expect(pinned.map(({ message }) => message)).toEqual([
      "cannot delete model 'codes' in domain 'trading' because it is used by apart, near",
      "cannot alter model 'in' in domain 'trading' into a non-placement-eligible shape because it " +
        'is pinned by placements apart',
    ]);
  });

  test('nothing is pinned by rules that are gone, nor by names that were never there', () => {
    expect(pinnedMembers('trading', [], MODELS, new Map())).toEqual([]);
    expect(
      pinnedMembers('trading', [{ ...RULE, from: ['nobody'], to: ['event'] }], MODELS, new Map()),
    ).toEqual([]);
  });

  test('materialized state is no part of what a relay is', () => {
    const after = modelsByName([
      relay('raw', true),
      relay('clean', true),
      model('hash_map', 'codes'),
    ]);
    expect(pinnedMembers('trading', [RULE], MODELS, after)).toEqual([]);
  });
});

test('PS-4 operations run in written order on a copy', () => {
  const altered = alteredRule(RULE, [
    { op: 'set_rank', rank: '4' },
    { op: 'drop_rank' },
    { op: 'set_rank', rank: '2' },
    { op: 'set_policy', policy: 'NEUTRAL' },
    { op: 'set_ends', from: ['a'], to: ['b', 'c'] },
    { op: 'rename', name: 'far' },
  ]);
  expect(altered).toEqual({
    kind: 'placement',
    name: 'far',
    from: ['a'],
    to: ['b', 'c'],
    policy: 'NEUTRAL',
    rank: '2',
  });
  expect(alteredRule(altered, [{ op: 'drop_rank' }]).rank).toBeNull();
  expect(RULE).toMatchObject({ name: 'near', rank: null, to: ['codes'] });
});
