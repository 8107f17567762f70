import { describe, expect, test } from 'vitest';
import { scheduleLines } from '../../src/publication/schedule-lines.js';
import type { ScheduleEntry } from '../../src/schedule-entry.js';
import { compute, entries, node, nodes, owners } from '../support/domain-fixture.js';

const sources = Array.from({ length: 6 }, (_, index) => `ingestor:s${index}`);

describe('PS-21 new decisions', () => {
  test('PS-22 independent sources spread and chains follow their upstream', () => {
    const schedule = compute(
      {
        members: ['ingestor:a', 'ingestor:b', 'relay:ra', 'relay:rb', 'emitter:ea', 'emitter:eb'],
        edges: [
          ['ingestor:a', 'relay:ra'],
          ['ingestor:b', 'relay:rb'],
          ['relay:ra', 'emitter:ea'],
          ['relay:rb', 'emitter:eb'],
        ],
      },
      { nodes: nodes('n2', 'n1') },
    );
    expect(owners(schedule)).toEqual({
      'ingestor:a': 'n1',
      'relay:ra': 'n1',
      'emitter:ea': 'n1',
      'ingestor:b': 'n2',
      'relay:rb': 'n2',
      'emitter:eb': 'n2',
    });
  });

  test('PS-22 a shared downstream follows the majority of its upstreams', () => {
    const schedule = compute(
      {
        members: ['ingestor:a', 'ingestor:b', 'ingestor:c', 'relay:all'],
        edges: [
          ['ingestor:a', 'relay:all'],
          ['ingestor:b', 'relay:all'],
          ['ingestor:c', 'relay:all'],
        ],
      },
      {
        nodes: nodes('n1', 'n2'),
        previous: entries({ 'ingestor:a': 'n1', 'ingestor:b': 'n2', 'ingestor:c': 'n2' }),
      },
    );
    expect(owners(schedule)['relay:all']).toBe('n2');
  });

  test('PS-21 load counts kept assignments: sources created one by one spread evenly', () => {
    let previous = entries({});
    for (let count = 1; count <= 8; count += 1) {
      const members = Array.from({ length: count }, (_, index) => `ingestor:s${index}`);
      previous = compute({ members }, { nodes: nodes('n1', 'n2', 'n3', 'n4'), previous }).entries;
    }
    const loads = ['n1', 'n2', 'n3', 'n4'].map(
      (name) => previous.filter((entry) => entry.nodes[0] === name).length,
    );
    expect(loads).toEqual([2, 2, 2, 2]);
  });

  test('PS-21 soft score beats locality, separation repels', () => {
    const fixture = {
      members: ['ingestor:a', 'ingestor:b', 'relay:r'],
      edges: [['ingestor:a', 'relay:r']] as const,
    };
    const rest = {
      nodes: nodes('n1', 'n2', 'n3'),
      previous: entries({ 'ingestor:a': 'n1', 'ingestor:b': 'n2' }),
    };
    const prefer = compute({ ...fixture, prefer: [['ingestor:b', 'relay:r']] }, rest);
    expect(owners(prefer)['relay:r']).toBe('n2');
    const separate = compute({ ...fixture, separate: [['ingestor:a', 'relay:r']] }, rest);
    expect(owners(separate)['relay:r']).toBe('n3');
  });

  test('PS-21 an upstream that feeds two members of a group counts once', () => {
    const schedule = compute(
      {
        members: ['ingestor:a', 'ingestor:b', 'ingestor:c', 'x', 'y'],
        edges: [
          ['ingestor:a', 'x'],
          ['ingestor:a', 'y'],
          ['ingestor:b', 'x'],
        ],
        groups: [['x', 'y']],
      },
      {
        nodes: nodes('n1', 'n2'),
        previous: entries({ 'ingestor:a': 'n1', 'ingestor:b': 'n2', 'ingestor:c': 'n1' }),
      },
    );
    expect(owners(schedule)).toMatchObject({ x: 'n2', y: 'n2' });
  });

  test('PS-20 a kept node deeper than the subject counts as assigned', () => {
    const schedule = compute(
      {
        members: ['ingestor:a', 'relay:r'],
        edges: [['ingestor:a', 'relay:r']],
        prefer: [['ingestor:a', 'relay:r']],
      },
      { nodes: nodes('n1', 'n2'), previous: entries({ 'relay:r': 'n2' }) },
    );
    expect(owners(schedule)).toEqual({ 'ingestor:a': 'n2', 'relay:r': 'n2' });
  });

  test('PS-23 replicas are the next ranked candidates; ordinary relays have none', () => {
    const schedule = compute(
      { members: ['junction:j', 'relay:plain', { id: 'relay:kept', replication: 'state' }] },
      { nodes: nodes('n1', 'n2', 'n3'), replicaCount: 2 },
    );
    expect(owners(schedule)['relay:plain']).not.toContain(' ');
    expect(owners(schedule)['j']?.split(' ').toSorted()).toEqual(['n1', 'n2', 'n3']);
    expect(owners(schedule)['relay:kept']?.split(' ')).toHaveLength(3);
    const few = compute({ members: ['j'] }, { nodes: nodes('n1', 'n2'), replicaCount: 5 });
    expect(owners(few)).toEqual({ j: 'n1 n2' });
  });
});

describe('PS-24 PS-25 listeners and waiting units', () => {
  test('PS-24 listeners run on every live voter, cordoned ones included', () => {
    const schedule = compute(
      { members: [{ id: 'ingestor:http', isListener: true }] },
      {
        nodes: [
          node('n3', { isCordoned: true }),
          node('n1'),
          node('n2', { isLive: false }),
          node('n4', { isVoter: false }),
        ],
        previous: entries({ 'ingestor:http': 'n2' }),
        replicaCount: 1,
      },
    );
    expect(owners(schedule)).toEqual({ 'ingestor:http': 'n1 n3' });
    expect(schedule.relocations).toEqual([]);
  });

  test('PS-25 without a candidate new units wait, and the next computation decides them', () => {
    const fixture = { members: ['a', 'b'], groups: [['a', 'b']] };
    const first = compute(fixture, { nodes: [node('n1', { isCordoned: true })] });
    expect(owners(first)).toEqual({ a: '', b: '' });
    expect(first.stalls.map(({ message }) => message)).toEqual([
      'no cluster node can run group [junction a, junction b] (n1: cordoned)',
    ]);
    const second = compute(fixture, { nodes: nodes('n1'), previous: first.entries });
    expect(owners(second)).toEqual({ a: 'n1', b: 'n1' });
    expect(second.relocations).toEqual([]);
  });

  test('PS-25 a dead owner without a substitute keeps its assignment', () => {
    const schedule = compute(
      { members: ['a'] },
      {
        nodes: [node('n1', { isLive: false }), node('n2', { isTerminating: true })],
        previous: entries({ a: 'n1 n2' }),
      },
    );
    expect(owners(schedule)).toEqual({ a: 'n1 n2' });
    expect(schedule.stalls[0]).toMatchObject({
      code: 'SCHED_NO_FEASIBLE_NODE',
      nodes: [
        { node: 'n1', checks: [{ constraint: 'live', verdict: 'fail' }] },
        { node: 'n2', checks: [{ constraint: 'not_terminating', verdict: 'fail' }] },
      ],
    });
  });
});

describe('PS-26 PS-27 stickiness', () => {
  test.each([
    ['a join', nodes('n1', 'n2', 'n3')],
    ['a cordon', [node('n1', { isCordoned: true }), node('n2')]],
    ['a termination', [node('n1', { isTerminating: true }), node('n2')]],
  ])('PS-26 %s moves nothing', (_, cluster) => {
    const previous = entries(Object.fromEntries(sources.map((id) => [id, 'n1'])));
    const schedule = compute({ members: sources }, { nodes: cluster, previous });
    expect(schedule.entries).toEqual(previous);
  });

  test('PS-26 a lost replica is replaced and the primary stays', () => {
    const schedule = compute(
      { members: ['a'] },
      {
        nodes: [node('n1'), node('n2', { isLive: false }), node('n3'), node('n4')],
        previous: entries({ a: 'n1 n2 n4' }),
        replicaCount: 1,
      },
    );
    expect(owners(schedule)).toEqual({ a: 'n1 n4 n3' });
    expect(schedule.relocations).toEqual([]);
  });

  test('PS-26 a relay that lost its materialized state loses its replicas', () => {
    const schedule = compute(
      { members: ['relay:r'] },
      { nodes: nodes('n1', 'n2'), previous: entries({ 'relay:r': 'n1 n2' }), replicaCount: 1 },
    );
    expect(owners(schedule)).toEqual({ 'relay:r': 'n1' });
  });

  test('PS-27 vacant slots are filled, except those of a whole single-owner ingestor', () => {
    const schedule = compute(
      { members: ['a', 'ingestor:i'] },
      {
        nodes: nodes('n1', 'n2'),
        previous: entries({ a: 'n1', 'ingestor:i': 'n1' }),
        replicaCount: 1,
      },
    );
    expect(owners(schedule)).toEqual({ a: 'n1 n2', 'ingestor:i': 'n1' });
  });

  test('PS-26 a new member joins its group, whose replicas stay', () => {
    const schedule = compute(
      { members: ['a', 'b', 'c'], groups: [['a', 'b', 'c']] },
      { nodes: nodes('n1', 'n2', 'n3'), previous: entries({ a: 'n2 n3', c: 'n2' }) },
    );
    expect(owners(schedule)).toEqual({ a: 'n2 n3', b: 'n2', c: 'n2' });
    expect(schedule.relocations).toEqual([]);
  });
});

describe('PS-28 consolidation', () => {
  test('PS-28 members come together where most of them are', () => {
    const schedule = compute(
      { members: ['a', 'b', 'c'], groups: [['a', 'b', 'c']] },
      {
        nodes: nodes('n1', 'n2'),
        previous: entries({ a: 'n1', b: 'n2', c: 'n2 n1' }),
        replicaCount: 1,
      },
    );
    expect(owners(schedule)).toEqual({ a: 'n2 n1', b: 'n2 n1', c: 'n2 n1' });
    expect(schedule.relocations).toEqual([{ kind: 'junction', name: 'a', from: 'n1', to: 'n2' }]);
    expect(schedule.plannedRelocations).toBe(1);
  });

  test('PS-28 a host that cannot be joined moves the whole group', () => {
    const schedule = compute(
      { members: ['a', 'b'], groups: [['a', 'b']] },
      {
        nodes: [node('n1', { isCordoned: true }), node('n2')],
        previous: entries({ a: 'n1' }),
        replicaCount: 1,
      },
    );
    expect(owners(schedule)).toEqual({ a: 'n2 n1', b: 'n2' });
  });

  test('PS-25 PS-28 without a host the group stays apart and is named', () => {
    const previous = entries({ a: 'n1', b: 'n2' });
    const schedule = compute(
      { members: ['a', 'b'], groups: [['a', 'b']] },
      { nodes: [node('n1', { isCordoned: true }), node('n2', { isCordoned: true })], previous },
    );
    expect(schedule.entries).toEqual(previous);
    expect(schedule.stalls[0]).toMatchObject({
      code: 'SCHED_NO_CONSOLIDATION_HOST',
      members: [
        { kind: 'junction', name: 'a' },
        { kind: 'junction', name: 'b' },
      ],
    });
  });
});

describe('PS-33 PS-34 failover', () => {
  const cluster = [node('n1', { isLive: false }), node('n2'), node('n3')];

  test('PS-21 PS-34 a live replica of state is promoted against every preference', () => {
    const fixture = {
      members: [{ id: 'deduplicator:d', replication: 'state' as const }, 'x'],
      prefer: [['deduplicator:d', 'x']] as const,
    };
    const schedule = compute(fixture, {
      nodes: cluster,
      previous: entries({ 'deduplicator:d': 'n1 n2', x: 'n3' }),
      replicaCount: 1,
    });
    expect(owners(schedule)['deduplicator:d']).toBe('n2 n3');
    expect(schedule.failovers).toEqual([
      { kind: 'deduplicator', name: 'd', from: 'n1', to: 'n2', state: 'promoted', resets: [] },
    ]);
    expect(schedule.plannedRelocations).toBe(0);
  });

  test('PS-21 without state a preference outweighs a replica', () => {
    const schedule = compute(
      { members: ['j', 'x'], prefer: [['j', 'x']] },
      { nodes: cluster, previous: entries({ j: 'n1 n2', x: 'n3' }) },
    );
    expect(owners(schedule)['j']).toBe('n3 n2');
    expect(schedule.failovers[0]?.state).toBe('stateless');
  });

  test('PS-33 a group moves as one, to the node with most of its state', () => {
    const state = 'state' as const;
    const schedule = compute(
      {
        members: [
          { id: 'deduplicator:a', replication: state },
          { id: 'deduplicator:b', replication: state },
          'relay:r',
        ],
        groups: [['deduplicator:a', 'deduplicator:b', 'relay:r']],
      },
      {
        nodes: [...cluster, node('n0')],
        previous: entries({
          'deduplicator:a': 'n1 n3 n2',
          'deduplicator:b': 'n1 n3',
          'relay:r': 'n1',
        }),
      },
    );
    expect(owners(schedule)).toEqual({
      'deduplicator:a': 'n3 n2 n0',
      'deduplicator:b': 'n3 n2',
      'relay:r': 'n3',
    });
    expect(schedule.failovers.map(({ state: outcome }) => outcome)).toEqual([
      'promoted',
      'promoted',
      'stateless',
    ]);
  });

  test('PS-33 a node that returns gets nothing back', () => {
    const first = compute({ members: ['a'] }, { nodes: cluster, previous: entries({ a: 'n1' }) });
    const second = compute(
      { members: ['a'] },
      {
        nodes: nodes('n1', 'n2', 'n3'),
        previous: first.entries,
      },
    );
    expect(second.entries).toEqual(first.entries);
  });

  test('OP-14 the budget bounds the failovers of one computation', () => {
    const previous = entries({ a: 'n1', b: 'n1', c: 'n1' });
    const schedule = compute(
      { members: ['a', 'b', 'c'] },
      { nodes: cluster, previous, failoverBudget: 2 },
    );
    expect(schedule.failovers.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(owners(schedule)['c']).toBe('n1');
    expect(schedule.stalls[0]?.message).toBe(
      "junction 'c' keeps its lost owner (failover budget: used 2 of 2, requested 3)",
    );
  });

  test('PS-29 RT-148 partitions and guest generations are carried; a failover starts the next for all', () => {
    const partitions = { topic: 't', instances: 1, epoch: 3, observed: [0], byInstance: [[0]] };
    const guests = { common: 2, byBranch: { b: 4, a: 3 } };
    const wasm = (name: string, owner: string) => ({
      kind: 'wasm_processor',
      name,
      nodes: [owner],
    });
    const previous: readonly ScheduleEntry[] = [
      { kind: 'ingestor', name: 'k', nodes: ['n2'], partitions },
      { ...wasm('first', 'n1'), guestGenerations: guests },
      { ...wasm('kept', 'n2'), guestGenerations: guests },
      wasm('never', 'n1'),
    ];
    const ids = [
      'ingestor:k',
      'wasm_processor:first',
      'wasm_processor:kept',
      'wasm_processor:never',
    ];
    const { entries: after } = compute({ members: ids }, { nodes: cluster, previous });
    expect(after.map(({ guestGenerations }) => guestGenerations)).toEqual([
      undefined,
      { common: 5, byBranch: {} },
      guests,
      { common: 2, byBranch: {} },
    ]);
    expect(after[0]?.partitions).toBe(partitions);
    const [, , kept] = after;
    expect(Object.keys(kept?.guestGenerations?.byBranch ?? {})).toEqual(['a', 'b']);
  });

  test('OP-44 a unit that fits the budget in part fails over whole', () => {
    const schedule = compute(
      { members: ['a', 'b', 'c', 'd'], groups: [['b', 'c']] },
      {
        nodes: cluster,
        previous: entries({ a: 'n1', b: 'n1', c: 'n1', d: 'n1' }),
        failoverBudget: 2,
      },
    );
    expect(schedule.failovers.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(schedule.stalls.map(({ message }) => message)).toEqual([
      "junction 'd' keeps its lost owner (failover budget: used 3 of 2, requested 4)",
    ]);
  });

  test('PS-34 state without a live replica is reset, component by component', () => {
    const stateful = (id: string) => ({ id, replication: 'state' as const });
    const schedule = compute(
      { members: [stateful('deduplicator:d'), stateful('relay:r'), 'j'] },
      {
        nodes: cluster,
        previous: entries({ 'deduplicator:d': 'n1', 'relay:r': 'n1 n3', j: 'n1' }),
        replicaCount: 1,
      },
    );
    const transitions = schedule.failovers;
    expect(scheduleLines([{ domain: 'd', entries: schedule.entries, transitions }])).toEqual([
      '- domain=d kind=deduplicator name=d owner=n2 replicas=n3 transition_from=n1 ' +
        'state_recovery=reset resets=deduplicator:no_live_replica',
      '- domain=d kind=junction name=j owner=n3 replicas=n2 transition_from=n1 state_recovery=none',
      '- domain=d kind=relay name=r owner=n3 replicas=n2 transition_from=n1 state_recovery=prepared',
    ]);
  });
});
