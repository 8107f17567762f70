import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { applyRebalanceMove, planRebalance } from '../../src/moves/rebalance-plan.js';
import { rebalanceBlock, rebalanceReport } from '../../src/moves/rebalance-report.js';
import { clusterArbitrary, scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { domainInput, entries, node, nodes } from '../support/domain-fixture.js';
import { greedyMoves, ownedBy, softScore } from '../support/rebalance-oracle.js';

const everything = { domain: null, maxMoves: null, running: new Set(['d', 'e']) };

const input = domainInput(
  { members: ['a', 'b', 'c', 'relay:r'], groups: [['b', 'relay:r']] },
  {
    nodes: nodes('n1', 'n2', 'n3'),
    previous: entries({ a: 'n1', b: 'n1', c: 'n1', 'relay:r': 'n1' }),
  },
);

describe('REBALANCE', () => {
  test('PS-74 PS-77 describes moves of whole units with loads before and after', () => {
    const plan = planRebalance([input], everything);
    expect(rebalanceBlock(plan)).toBe(
      [
        'rebalance of the cluster',
        'quiesce level: ENTITY_PAUSE',
        'load: n1=4 n2=0 n3=0',
        'target: n1=1 n2=2 n3=1',
        '- domain=d kind=junction name=b from=n1 to=n2 group=1',
        '- domain=d kind=relay name=r from=n1 to=n2 group=1',
        '- domain=d kind=junction name=a from=n1 to=n3 group=2',
        'stopped: BALANCED',
      ].join('\n'),
    );
    expect(rebalanceReport(plan, new Map([[1, 'hold timed out']]))).toEqual({
      isComplete: false,
      text: `rebalanced 1 of 2 planned move(s)\n${rebalanceBlock(plan).replace(
        'to=n3 group=2',
        'to=n3 group=2 failed: hold timed out',
      )}`,
    });
  });

  test('PS-77 a bound cuts the plan; a stopped domain pauses nothing', () => {
    const plan = planRebalance([input], { domain: 'd', maxMoves: 1, running: new Set() });
    expect(rebalanceBlock(plan).split('\n')).toEqual([
      "rebalance of domain 'd'",
      'quiesce level: DYNAMIC',
      'load: n1=4 n2=0 n3=0',
      'target: n1=2 n2=2 n3=0',
      '- domain=d kind=junction name=b from=n1 to=n2 group=1',
      '- domain=d kind=relay name=r from=n1 to=n2 group=1',
      'stopped: MAX_MOVES',
    ]);
  });

  test('PS-77 no moves: preferences may forbid every one', () => {
    const fixture = { members: ['a', 'b'], prefer: [['a', 'b']] as const };
    const kept = domainInput(fixture, {
      nodes: nodes('n1', 'n2'),
      previous: entries({ a: 'n1', b: 'n1' }),
    });
    const text = rebalanceBlock(planRebalance([kept], everything));
    expect(text.split('\n').slice(-2)).toEqual(['no moves', 'stopped: NO_IMPROVING_MOVE']);
  });

  test('PS-75 a cordoned node gives and does not get; replicas are promoted first', () => {
    const state = domainInput(
      { members: ['a', 'b', 'c'] },
      {
        nodes: [node('n1', { isCordoned: true }), node('n2'), node('n3')],
        previous: entries({ a: 'n1', b: 'n1 n3', c: 'n1' }),
        replicaCount: 1,
      },
    );
    const plan = planRebalance([state], { ...everything, maxMoves: 1 });
    expect(plan.moves).toMatchObject([{ members: [{ name: 'b' }], from: 'n1', to: 'n3' }]);
    const none = planRebalance(
      [{ ...state, nodes: [node('n1', { isCordoned: true })] }],
      everything,
    );
    expect(none).toMatchObject({ moves: [], stopped: 'NO_IMPROVING_MOVE' });
  });

  test('PS-78 a unit that stayed for a partner follows once the partner has moved', () => {
    const fixture = {
      members: ['p', 'q', 'y1', 'y2', 'z'],
      prefer: [
        ['p', 'q'],
        ['y1', 'y2'],
      ] as const,
      separate: [['q', 'z']] as const,
    };
    const previous = entries({ p: 'n1', q: 'n1', y1: 'n1', y2: 'n1', z: 'n1' });
    const state = domainInput(fixture, { nodes: nodes('n1', 'n2'), previous });
    const plan = planRebalance([state], everything);
    expect(plan.moves.map(({ members }) => members[0]?.name)).toEqual(['q', 'p']);
    expect(plan.stopped).toBe('BALANCED');
  });

  test('PS-76 a unit that is no longer as planned is not moved', () => {
    const [move] = planRebalance([input], everything).moves;
    if (move === undefined) throw new Error('expected a move');
    expect(applyRebalanceMove(input, move)?.map((entry) => entry.nodes[0])).toContain('n2');
    const gone = { ...input, nodes: [node('n1'), node('n2', { isCordoned: true })] };
    expect(applyRebalanceMove(gone, move)).toBeUndefined();
    const elsewhere = { ...input, previous: entries({ b: 'n3', 'relay:r': 'n3' }) };
    expect(applyRebalanceMove(elsewhere, move)).toBeUndefined();
    expect(applyRebalanceMove(input, { ...move, members: move.members.slice(1) })).toBeUndefined();
  });
});

/** Two placed domains of one cluster; owners are where a smaller cluster had put them. */
const clusterOfTwo = fc
  .tuple(scheduleInputArbitrary, scheduleInputArbitrary, clusterArbitrary, fc.nat(2))
  .map(([first, second, random, replicaCount]): readonly DomainScheduleInput[] => {
    const cluster = [node('n1'), ...random.filter(({ name }) => name !== 'n1'), node('n6')];
    return [first, second].map((domain, index) => {
      const early = { ...domain, replicaCount, nodes: cluster.slice(0, 2), previous: [] };
      const placement = { ...domain.placement, domain: index === 0 ? 'd' : 'e' };
      const previous = computeSchedule(early).entries;
      return { ...early, placement, nodes: cluster, previous };
    });
  });

property.prop([clusterOfTwo, fc.nat(6)])(
  'PS-75 the plan is what listing and comparing every option gives',
  (inputs, maxMoves) => {
    const oracle = greedyMoves(inputs, maxMoves);
    const plan = planRebalance(inputs.toReversed(), { ...everything, maxMoves });
    expect(plan.moves).toEqual(oracle.moves);
    for (const { node: name, owned } of plan.target) {
      expect(owned).toBe(ownedBy(oracle.after, name));
    }
  },
);

property.prop([clusterOfTwo])(
  'PS-75 no move widens the spread or lowers a preference, and a second run has no move',
  (inputs) => {
    const plan = planRebalance(inputs, everything);
    let current = inputs;
    const spread = () => {
      const loads = plan.load.map(({ node: name }) => ownedBy(current, name));
      return Math.max(0, ...loads) - Math.min(...loads);
    };
    for (const move of plan.moves) {
      const before = spread();
      current = current.map((state) => {
        if (state.placement.domain !== move.domain) return state;
        const members = state.placement.graph.keys.flatMap((key, id) =>
          move.members.some(({ kind, name }) => kind === key.kind && name === key.name) ? [id] : [],
        );
        const [there, here] = [move.to, move.from].map((name) => softScore(state, members, name));
        expect(there).toBeGreaterThanOrEqual(here ?? 0);
        return { ...state, previous: applyRebalanceMove(state, move) ?? [] };
      });
      expect(spread()).toBeLessThanOrEqual(before);
    }
    expect(planRebalance(current, everything)).toMatchObject({ moves: [], load: plan.target });
  },
);
