import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import { placementBlock } from '../../src/explanation/placement-block.js';
import { explainPlacements } from '../../src/explanation/unit-explanation.js';
import type { NodeFacts, Observed } from '../../src/feasibility/node-facts.js';
import { domainInput, entries, node, nodes, owners } from '../support/domain-fixture.js';

const seen = <Value>(value: Value): Observed<Value> => ({ value, ageMs: 5 });
const amounts = (cpuCores: number) => ({
  cpuCores,
  memoryBytes: 0,
  diskBytes: 0,
  fileHandles: 0,
});

const facts = (free: number, change: Partial<NodeFacts> = {}): NodeFacts => ({
  total: seen(amounts(10)),
  available: seen(amounts(free)),
  pressurePercent: seen(20),
  failureDomain: seen('east'),
  installedVersions: seen(['model@1']),
  costPercent: seen(50),
  ...change,
});

const requirements = {
  capacity: { cpuCores: 2 },
  resourceVersions: ['model@1'],
  spread: { set: 's', perFailureDomainMax: 9 },
};

describe('OP-35 score/2', () => {
  const input = domainInput(
    { members: ['a', 'b'] },
    {
      nodes: [
        node('n1', { facts: { ...facts(6), resourceVersions: seen(['model@1']) } }),
        node('n2', {
          facts: {
            ...facts(8, { failureDomain: seen('west'), installedVersions: seen([]) }),
            resourceVersions: seen(['model@1']),
          },
        }),
      ],
      previous: entries({ b: 'n1' }),
      policy: 'score/2',
    },
  );
  const declared = { ...input, traits: input.traits.map((entry) => ({ ...entry, requirements })) };

  test('weighs headroom, pressure, spread, startup and cost; every term is shown', () => {
    const [first] = explainPlacements(declared, { isAsked: ({ name }) => name === 'a' });
    expect(first && placementBlock(first).split('\n').slice(1, 6)).toEqual([
      'policy: score/2',
      'node: n2 (new)',
      'candidates:',
      '- n2 headroom=60 pressure=80 spread=100 startup=0 cost=50 weighted=6250 ' +
        'soft=0 stickiness=0 locality=0 load=0 round_robin=-1',
      '- n1 headroom=40 pressure=80 spread=50 startup=50 cost=50 weighted=5200 ' +
        'soft=0 stickiness=0 locality=0 load=-1 round_robin=0',
    ]);
  });

  test('the sum outweighs the chain, and without a version the chain alone decides', () => {
    const soft = domainInput(
      { members: ['a', 'b'], prefer: [['a', 'b']] },
      { nodes: input.nodes, previous: input.previous },
    );
    const traits = declared.traits;
    expect(owners(computeSchedule({ ...soft, traits, policy: 'score/2' }))['a']).toBe('n2');
    expect(owners(computeSchedule({ ...soft, traits }))['a']).toBe('n1');
  });

  test('equal sums fall through to score/1', () => {
    const fixture = {
      members: ['ingestor:i', 'relay:r'],
      edges: [['ingestor:i', 'relay:r']],
    } as const;
    const rest = { nodes: nodes('n1', 'n2'), previous: entries({ 'ingestor:i': 'n2' }) };
    const schedule = computeSchedule(domainInput(fixture, { ...rest, policy: 'score/2' }));
    expect(owners(schedule)['relay:r']).toBe('n2');
  });
});
