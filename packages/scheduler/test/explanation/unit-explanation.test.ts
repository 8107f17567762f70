import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import { placementBlock } from '../../src/explanation/placement-block.js';
import { explainPlacements } from '../../src/explanation/unit-explanation.js';
import { infeasibilityOf } from '../../src/feasibility/destination.js';
import { keyText } from '../../src/placement/graph-key.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { domainInput, entries, node } from '../support/domain-fixture.js';

const input = domainInput(
  {
    members: [
      { id: 'deduplicator:d', replication: 'state' },
      'a',
      'b',
      { id: 'ingestor:http', isListener: true },
    ],
    prefer: [['a', 'b']],
    groups: [],
  },
  {
    nodes: [
      node('n1', { isLive: false, isCordoned: true }),
      node('n2'),
      node('n3'),
      node('n4', { isTerminating: true }),
    ],
    previous: entries({ 'deduplicator:d': 'n1 n3', b: 'n3' }),
    replicaCount: 1,
  },
);

describe('OP-35 OP-36 explanations', () => {
  const blocks = explainPlacements(input).map(placementBlock);

  test('a failover of state shows the replicas it weighed first', () => {
    expect(blocks[0]).toBe(
      [
        "placement of deduplicator 'd' in domain 'd'",
        'policy: score/1',
        'node: n3 (failover)',
        'candidates:',
        '- n3 replicated_state=1 soft=0 locality=0 load=-1 round_robin=-1',
        '- n2 replicated_state=0 soft=0 locality=0 load=0 round_robin=0',
        'rejected:',
        '- n1 live=fail (not live); not_cordoned=fail (cordoned)',
        '- n4 not_terminating=fail (terminating)',
      ].join('\n'),
    );
  });

  test('a new unit shows the chain that decided it', () => {
    expect(blocks[1]?.split('\n').slice(2, 6)).toEqual([
      'node: n3 (new)',
      'candidates:',
      '- n3 soft=1 stickiness=0 locality=0 load=-2 round_robin=0',
      '- n2 soft=0 stickiness=0 locality=0 load=-1 round_robin=-1',
    ]);
  });

  test('a kept unit stays against a better score, and listeners are no units', () => {
    expect(blocks[2]?.split('\n')[2]).toBe('node: n3 (kept)');
    expect(blocks).toHaveLength(3);
  });

  test('a unit without a node waits; one can be asked for alone', () => {
    const nowhere = { ...input, nodes: [] };
    const [alone, ...others] = explainPlacements(nowhere, { isAsked: ({ name }) => name === 'a' });
    expect(others).toEqual([]);
    expect(alone && placementBlock(alone).split('\n').slice(2)).toEqual([
      'node: - (waiting)',
      'candidates:',
      '- none',
      'rejected:',
      '- none',
    ]);
  });
});

property.prop([scheduleInputArbitrary])(
  'OP-36 what is explained is what is scheduled, and every member is a candidate or rejected',
  (random) => {
    const schedule = computeSchedule(random);
    const owner = new Map(
      schedule.entries.map((entry) => [keyText(entry), entry.nodes[0] ?? null]),
    );
    for (const unit of explainPlacements(random)) {
      const feasible = random.nodes.filter((entry) => infeasibilityOf(entry) === undefined);
      const ranked = unit.candidates.map((candidate) => candidate.node);
      expect(ranked.toSorted()).toEqual(feasible.map(({ name }) => name).toSorted());
      const named = [...ranked, ...unit.rejected.map((rejection) => rejection.node)];
      expect(named.toSorted()).toEqual(random.nodes.map(({ name }) => name).toSorted());
      if (unit.cause === 'waiting') continue;
      for (const key of unit.members) expect(owner.get(keyText(key))).toBe(unit.chosen);
      if (unit.cause !== 'kept') expect(unit.chosen).toBe(ranked[0]);
    }
  },
);
