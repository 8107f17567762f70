import { describe, expect, test } from 'vitest';
import { describeDomainPlacement } from '../../src/explanation/describe-domain.js';
import { describePlacement } from '../../src/explanation/describe-placement.js';
import type { Description } from '../../src/explanation/description.js';
import { showPlacements } from '../../src/explanation/show-placements.js';
import type { ResolvedPlacement } from '../../src/placement/resolved-placement.js';
import { outcomeOf, placementOf, rule } from '../support/named-domain.js';

const FLOW = [
  'ingestor:intake > relay:raw > intake_clean > relay:cleaned > window_processor:risk_model',
  'window_processor:risk_model > relay:scored > emitter:ledger_out',
  'relay:cleaned > audit > relay:scored',
];
const RULES = [
  rule('keep_close', 'intake_clean -> window_processor:risk_model', 'REQUIRE COLOCATION', '2'),
  rule('spread_ledger', 'relay:cleaned -> emitter:ledger_out', 'SUGGEST SEPARATION'),
  rule('wishes', 'emitter:ledger_out -> ingestor:intake', 'PREFER COLOCATION'),
  rule('whole', 'ingestor:intake, audit -> emitter:ledger_out, intake_clean', 'NEUTRAL', '7'),
];

const ON_NODE_2 = [{ kind: 'window_processor', name: 'risk_model', nodes: ['node-2'] }];

const textOf = (description: Description) =>
  description.kind === 'described' ? description.text : description.message;

const describeRule = (placement: ResolvedPlacement, name: string, entries = ON_NODE_2) =>
  textOf(describePlacement(placement, name, entries));

describe('SHOW PLACEMENTS', () => {
  test('PS-55 one line a rule, by name', () => {
    expect(showPlacements(placementOf(FLOW, RULES.toReversed())).split('\n')).toEqual([
      'keep_close policy=REQUIRE COLOCATION rank=2 coverage=effective',
      'spread_ledger policy=SUGGEST SEPARATION rank=unranked coverage=overridden',
      'whole policy=NEUTRAL rank=7 coverage=partial',
      'wishes policy=PREFER COLOCATION rank=unranked coverage=empty',
    ]);
  });

  test('PS-55 without rules', () => {
    expect(showPlacements(placementOf(FLOW, []))).toBe('no placements');
  });
});

describe('DESCRIBE PLACEMENT', () => {
  test('PS-56 a rule that decides, with its group', () => {
    expect(describeRule(placementOf(FLOW, RULES), 'keep_close').split('\n')).toEqual([
      'placement: keep_close',
      'form: CREATE PLACEMENT keep_close FROM intake_clean TO risk_model REQUIRE COLOCATION RANK 2;',
      'policy: REQUIRE COLOCATION',
      'rank: 2',
      'from: intake_clean',
      'to: risk_model',
      'pair: intake_clean -> risk_model',
      'connected: true',
      'covered: intake_clean, cleaned, risk_model',
      'witness: intake_clean -> cleaned -> risk_model',
      'effective pair: intake_clean <-> cleaned',
      'effective policy: REQUIRE COLOCATION',
      'winning claim: keep_close',
      'effective pair: intake_clean <-> risk_model',
      'effective policy: REQUIRE COLOCATION',
      'winning claim: keep_close',
      'effective pair: cleaned <-> risk_model',
      'effective policy: REQUIRE COLOCATION',
      'winning claim: keep_close',
      'group members: intake_clean, cleaned, risk_model',
      'group host: node-2',
      'bond: intake_clean <-> cleaned (keep_close)',
      'bond: intake_clean <-> risk_model (keep_close)',
      'bond: cleaned <-> risk_model (keep_close)',
    ]);
  });

  test('PS-56 claims that stronger rules take; PS-57 two ways side by side', () => {
    expect(describeRule(placementOf(FLOW, RULES), 'spread_ledger').split('\n')).toEqual([
      'placement: spread_ledger',
      'form: CREATE PLACEMENT spread_ledger FROM cleaned TO ledger_out SUGGEST SEPARATION;',
      'policy: SUGGEST SEPARATION',
      'rank: unranked',
      'from: cleaned',
      'to: ledger_out',
      'pair: cleaned -> ledger_out',
      'connected: true',
      'covered: cleaned, audit, scored, ledger_out, risk_model',
      'witness: cleaned -> audit -> scored -> ledger_out',
      'witness: cleaned -> audit -> scored -> ledger_out',
      'witness: cleaned -> risk_model -> scored -> ledger_out',
      'effective pair: ledger_out <-> audit',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: ledger_out <-> cleaned',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: ledger_out <-> scored',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: ledger_out <-> risk_model',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: audit <-> cleaned',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: audit <-> scored',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: audit <-> risk_model',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: cleaned <-> scored',
      'effective policy: NEUTRAL',
      'overridden by: whole',
      'effective pair: cleaned <-> risk_model',
      'effective policy: REQUIRE COLOCATION',
      'overridden by: keep_close',
      'effective pair: scored <-> risk_model',
      'effective policy: NEUTRAL',
      'overridden by: whole',
    ]);
  });

  test('PS-56 an endpoint pair without a connection', () => {
    expect(describeRule(placementOf(FLOW, RULES), 'wishes').split('\n')).toEqual([
      'placement: wishes',
      'form: CREATE PLACEMENT wishes FROM ledger_out TO intake PREFER COLOCATION;',
      'policy: PREFER COLOCATION',
      'rank: unranked',
      'from: ledger_out',
      'to: intake',
      'pair: ledger_out -> intake',
      'connected: false',
      'covered: (none)',
    ]);
  });

  test('PS-54 names that two kinds share; PS-56 rules and the default side by side', () => {
    const flow = ['relay:a > a > relay:b > b'];
    const rules = [
      rule('one', 'relay:a -> relay:b', 'REQUIRE COLOCATION'),
      rule('two', 'a -> relay:b', 'REQUIRE COLOCATION'),
    ];
    const placement = placementOf(flow, rules, 'REQUIRE COLOCATION');
    expect(describeRule(placement, 'two', []).split('\n')).toEqual([
      'placement: two',
      'form: CREATE PLACEMENT two FROM a TO b REQUIRE COLOCATION;',
      'policy: REQUIRE COLOCATION',
      'rank: unranked',
      'from: junction:a',
      'to: relay:b',
      'pair: junction:a -> relay:b',
      'connected: true',
      'covered: junction:a, relay:b',
      'effective pair: junction:a <-> relay:b',
      'effective policy: REQUIRE COLOCATION',
      'winning claim: one, two',
      'group members: junction:a, junction:b, relay:a, relay:b',
      'group host: (unassigned)',
      'bond: junction:a <-> relay:a (one)',
      'bond: junction:a <-> relay:b (one, two)',
      'bond: junction:b <-> relay:b (domain default)',
      'bond: relay:a <-> relay:b (one)',
    ]);
  });

  test('PS-57 a cycle: a witness repeats nodes, the coverage does not', () => {
    const placement = placementOf(
      ['a > b > c > a', 'b > d > b', 'e > e'],
      [rule('around', 'a, e -> a, e', 'PREFER COLOCATION')],
    );
    expect(describeRule(placement, 'around').split('\n')).toEqual([
      'placement: around',
      'form: CREATE PLACEMENT around FROM a, e TO a, e PREFER COLOCATION;',
      'policy: PREFER COLOCATION',
      'rank: unranked',
      'from: a, e',
      'to: a, e',
      'pair: a -> a',
      'connected: true',
      'covered: a, b, d, c',
      'witness: a -> b -> c -> a',
      'witness: a -> b -> c -> a',
      'witness: a -> b -> d -> b -> c -> a',
      'pair: a -> e',
      'connected: false',
      'covered: (none)',
      'pair: e -> a',
      'connected: false',
      'covered: (none)',
      'pair: e -> e',
      'connected: true',
      'covered: e',
      'effective pair: a <-> b',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
      'effective pair: a <-> c',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
      'effective pair: a <-> d',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
      'effective pair: b <-> c',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
      'effective pair: b <-> d',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
      'effective pair: c <-> d',
      'effective policy: PREFER COLOCATION',
      'winning claim: around',
    ]);
  });

  test('TX-6 an absent rule', () => {
    expect(describeRule(placementOf(FLOW, RULES), 'nobody')).toBe("placement 'nobody' not found");
  });

  test('PS-69 what is too long is counted before a single witness is looked for', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `n${10_000 + index}`);
    const rules = [rule('all', 'n10000 -> n14999', 'PREFER COLOCATION')];
    expect(describeRule(placementOf([names.join(' > ')], rules), 'all')).toBe(
      "placement 'all' has 12497500 effective pairs, more than can be described",
    );
  });

  test('PS-69 too many claims are counted, not cut off', () => {
    const names = Array.from({ length: 500 }, (_, index) => `n${String(index).padStart(3, '0')}`);
    const placement = placementOf(
      [names.join(' > ')],
      [rule('all', 'n000 -> n499', 'PREFER COLOCATION')],
    );
    expect(describeRule(placement, 'all')).toBe(
      "placement 'all' has 124750 effective pairs, more than can be described",
    );
  });
});

describe('DESCRIBE DOMAIN', () => {
  const block = (placement: ResolvedPlacement) =>
    textOf(describeDomainPlacement(placement, ON_NODE_2)).split('\n');

  test('PS-58 policy, number of rules and groups', () => {
    expect(block(placementOf(FLOW, RULES))).toEqual([
      'placement:',
      '  default policy: NEUTRAL',
      '  rule count: 4',
      '  group 1:',
      '    members: intake_clean, cleaned, risk_model',
      '    host: node-2',
      '    bond: intake_clean <-> cleaned (keep_close)',
      '    bond: intake_clean <-> risk_model (keep_close)',
      '    bond: cleaned <-> risk_model (keep_close)',
    ]);
  });

  test('PS-58 bonds of the domain default', () => {
    expect(block(placementOf(FLOW.slice(1), RULES.slice(1, 2), 'REQUIRE COLOCATION'))).toEqual([
      'placement:',
      '  default policy: REQUIRE COLOCATION',
      '  rule count: 1',
      '  group 1:',
      '    members: scored, risk_model',
      '    host: node-2',
      '    bond: scored <-> risk_model (domain default)',
    ]);
  });

  test('PS-58 no group', () => {
    expect(block(placementOf(FLOW, []))).toEqual([
      'placement:',
      '  default policy: NEUTRAL',
      '  rule count: 0',
    ]);
  });

  test('PS-69 too many bonds are counted', () => {
    const names = Array.from({ length: 500 }, (_, index) => `n${String(index).padStart(3, '0')}`);
    const rules = [rule('all', 'n000 -> n499', 'REQUIRE COLOCATION')];
    expect(block(placementOf([names.join(' > ')], rules))).toEqual([
      "domain 'trading' has 124750 effective pairs, more than can be described",
    ]);
    expect(block(placementOf([names.join(' > ')], [], 'REQUIRE COLOCATION'))).toHaveLength(505);
  });
});

test('PS-14 the text of a conflict', () => {
  const outcome = outcomeOf(
    ['lookup:a', 'a > window_processor:b > wasm_processor:c'],
    [
      rule('z_last', 'window_processor:b -> wasm_processor:c', 'NEUTRAL', '03'),
      rule('first', 'a -> wasm_processor:c', 'PREFER COLOCATION', '3'),
      rule('second', 'window_processor:b -> wasm_processor:c', 'PREFER COLOCATION', '3'),
    ],
  );
  expect(outcome.kind === 'refused' && outcome.message).toBe(
    "placement rules 'first' and 'z_last' in domain 'trading' conflict at equal rank for runtime " +
      "nodes wasm processor 'c' and window processor 'b'",
  );
});
