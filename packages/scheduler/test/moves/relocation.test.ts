import { describe, expect, test } from 'vitest';
import type { ScheduleNode } from '../../src/cluster/schedule-node.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { memberTraits } from '../../src/computation/member-traits.js';
import {
  planRelocation,
  type RelocationPlan,
  type RelocationRequest,
} from '../../src/moves/relocation-plan.js';
import { relocationBlock, relocationResult } from '../../src/moves/relocation-report.js';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import {
  type DomainFixture,
  domainInput,
  entries,
  keyOfId,
  memberOfKey,
  node,
  nodes,
  resolved,
} from '../support/domain-fixture.js';

const memberOfId = (id: string) => memberOfKey(keyOfId(id));

type Strategy = 'follow' | 'ignore';

const STRATEGIES = { follow: 'FOLLOW PREFERENCES', ignore: 'IGNORE PREFERENCES' } as const;

const request = (
  members: readonly string[],
  strategy: Strategy = 'follow',
  overrides: Readonly<Record<string, Strategy>> = {},
): RelocationRequest => ({
  selection: { kind: 'members', members: members.map(memberOfId) },
  node: 'n2',
  strategy: STRATEGIES[strategy],
  overrides: Object.entries(overrides).map(([id, own]) => ({
    member: memberOfId(id),
    strategy: STRATEGIES[own],
  })),
});

const planned = (input: DomainScheduleInput, asked: RelocationRequest): RelocationPlan => {
  const plan = planRelocation(input, asked, true);
  if (plan.kind === 'refused') throw new Error(plan.message);
  return plan;
};

const refusal = (input: DomainScheduleInput, asked: RelocationRequest) => {
  const plan = planRelocation(input, asked, true);
  return plan.kind === 'refused' ? plan.message : 'planned';
};

/** A domain in which everything runs on n1. */
const onFirst = (fixture: DomainFixture, cluster: readonly ScheduleNode[] = nodes('n1', 'n2')) => {
  const ids = fixture.members.map((entry) => (typeof entry === 'string' ? entry : entry.id));
  return domainInput(fixture, {
    nodes: cluster,
    previous: entries(Object.fromEntries(ids.map((id) => [id, 'n1']))),
  });
};

const unitOf = (plan: RelocationPlan) =>
  plan.members.map(
    ({ name, group, strategy, reason }) =>
      `${name} ${group} ${strategy.split(' ')[0]?.toLowerCase()} ${reason}`,
  );

describe('DESCRIBE RELOCATION', () => {
  const path = ['junction:intake_clean', 'relay:cleaned', 'inferencer:risk_model'] as const;
  const rest = ['relay:scored', 'emitter:ledger_out'] as const;
  const ids = [...path, ...rest];
  const keys = ids.map(keyOfId);
  const placement = resolved({
    domain: 'd',
    graph: buildPlacementGraph(
      keys,
      keys.slice(1).map((to, index) => ({ from: keyOfId(ids[index] ?? ''), to })),
    ),
    defaultPolicy: 'PREFER COLOCATION',
    rules: [
      {
        name: 'spread_ledger',
        from: [keyOfId('inferencer:risk_model')],
        to: [keyOfId('emitter:ledger_out')],
        policy: 'SUGGEST SEPARATION',
        rank: null,
      },
    ],
  });
  const input: DomainScheduleInput = {
    placement,
    traits: keys.map((key) => memberTraits(key)),
    nodes: nodes('n1', 'n2', 'n3'),
    replicaCount: 1,
    previous: entries({
      'junction:intake_clean': 'n1 n2',
      'relay:cleaned': 'n3',
      'inferencer:risk_model': 'n1 n3',
      'relay:scored': 'n1',
      'emitter:ledger_out': 'n2 n1',
    }),
  };

  test('PS-41 PS-45 PS-59 PS-60 the block of a relocation by paths', () => {
    const statement: RelocationRequest = {
      selection: {
        kind: 'paths',
        from: [{ kind: 'junction', name: 'intake_clean' }],
        to: [
          { kind: 'emitter', name: 'ledger_out' },
          { kind: 'junction', name: 'intake_clean' },
        ],
      },
      node: 'n3',
      strategy: 'FOLLOW PREFERENCES',
      overrides: [],
    };
    const plan = planned(input, statement);
    expect(relocationBlock(plan)).toBe(
      [
        "relocation onto node 'n3'",
        'quiesce level: ENTITY_PAUSE',
        'gated relays: cleaned, scored',
        'coverage:',
        '- junction intake_clean -> emitter ledger_out connected=yes covered=5',
        '- junction intake_clean -> junction intake_clean connected=no covered=0',
        'unit:',
        '- kind=emitter name=ledger_out group=1 strategy=follow reason=selected ' +
          'owner=n2 moves=yes replicas=n2 promoted_replica=no',
        '- kind=inferencer name=risk_model group=2 strategy=follow reason=selected ' +
          'owner=n1 moves=yes replicas=n1 promoted_replica=yes',
        '- kind=junction name=intake_clean group=3 strategy=follow reason=selected ' +
          'owner=n1 moves=yes replicas=n1 promoted_replica=no',
        '- kind=relay name=cleaned group=4 strategy=follow reason=selected ' +
          'owner=n3 moves=no replicas=-',
        '- kind=relay name=scored group=5 strategy=follow reason=selected ' +
          'owner=n1 moves=yes replicas=- promoted_replica=no',
        'unsatisfied preferences: 3',
        '- suggest separation ledger_out <-> risk_model (spread_ledger)',
        '- suggest separation ledger_out <-> scored (spread_ledger)',
        '- suggest separation risk_model <-> scored (spread_ledger)',
      ].join('\n'),
    );
    expect(relocationResult(plan, '1.5s').split('\n')).toEqual([
      "relocated 4 of 5 runtime node(s) onto node 'n3'",
      ...relocationBlock(plan).split('\n'),
      'hold duration: 1.5s',
    ]);
    expect(relocationResult(plan)).not.toContain('hold duration');
  });

  test('PS-47 a stopped domain is written without a pause', () => {
    const plan = planRelocation(
      input,
      { ...request([], 'ignore'), selection: { kind: 'members', members: keys.map(memberOfKey) } },
      false,
    );
    expect(plan).toMatchObject({ kind: 'plan', level: 'DYNAMIC' });
    expect(plan.kind === 'plan' && plan.entries?.map((entry) => entry.nodes[0])).toEqual(
      keys.map(() => 'n2'),
    );
  });

  test('PS-47 nothing to move: DYNAMIC, no gate, nothing to write', () => {
    const plan = planned(input, request(['emitter:ledger_out'], 'ignore'));
    expect(plan).toMatchObject({ level: 'DYNAMIC', gatedRelays: [], entries: undefined });
    expect(relocationBlock(plan)).toContain('gated relays: -');
  });

  test('PS-54 names that two kinds share are printed with the kind', () => {
    const fixture: DomainFixture = {
      members: ['x', 'relay:x'],
      prefer: [['x', 'relay:x']],
    };
    const plan = planned(onFirst(fixture), request(['x'], 'ignore'));
    expect(relocationBlock(plan)).toContain(
      '- prefer colocation junction:x <-> relay:x (domain default)',
    );
  });
});

describe('PS-42 PS-43 PS-44 units', () => {
  const chain: DomainFixture = {
    members: ['a', 'b', 'c', 'd', 'm'],
    groups: [['b', 'm']],
    prefer: [
      ['a', 'b'],
      ['m', 'c'],
      ['c', 'd'],
    ],
  };

  test('PS-42 FOLLOW captures what is preferred, with hard mates, breadth first', () => {
    expect(unitOf(planned(onFirst(chain), request(['a'])))).toEqual([
      'a 1 follow selected',
      'b 2 follow preferred',
      'm 2 follow required',
      'c 3 follow preferred',
      'd 4 follow preferred',
    ]);
  });

  test('PS-42 PS-43 IGNORE captures nothing, and a FOR stops or starts a group', () => {
    expect(unitOf(planned(onFirst(chain), request(['a'], 'ignore')))).toEqual([
      'a 1 ignore selected',
    ]);
    expect(unitOf(planned(onFirst(chain), request(['a'], 'follow', { m: 'ignore' })))).toEqual([
      'a 1 follow selected',
      'b 2 ignore preferred',
      'm 2 ignore required',
    ]);
  });

  test('PS-42 a separation from a following group holds out, from an ignoring one not', () => {
    const fixture: DomainFixture = {
      members: ['a', 'b', 'c'],
      prefer: [['a', 'c']],
      separate: [['b', 'c']],
    };
    expect(unitOf(planned(onFirst(fixture), request(['a', 'b'])))).toHaveLength(2);
    const freed = planned(onFirst(fixture), request(['a', 'b'], 'follow', { b: 'ignore' }));
    expect(unitOf(freed)).toEqual([
      'a 1 follow selected',
      'b 2 ignore selected',
      'c 3 follow preferred',
    ]);
    expect(freed.unsatisfied).toMatchObject([{ policy: 'SUGGEST SEPARATION' }]);
  });

  test('PS-42 a group that joins later does not put out one it separates from', () => {
    const fixture: DomainFixture = {
      members: ['a', 'b', 'c', 'd'],
      prefer: [
        ['a', 'b'],
        ['a', 'c'],
      ],
      separate: [['b', 'c']],
    };
    expect(unitOf(planned(onFirst(fixture), request(['a'])))).toEqual([
      'a 1 follow selected',
      'b 2 follow preferred',
    ]);
  });
});

describe('PS-40 SB-63 refusals, in order', () => {
  const fixture: DomainFixture = {
    members: ['a', 'b', 'm', { id: 'ingestor:http', isListener: true }],
    groups: [['b', 'm']],
  };
  const input = onFirst(fixture);
  const cluster = (change: Partial<ScheduleNode>) =>
    onFirst(fixture, [node('n1'), node('n2', change)]);
  const conflicting = request(['b'], 'follow', { b: 'follow', m: 'ignore' });

  test.each([
    [request(['nope']), input, "junction 'nope' does not exist in domain 'd'"],
    [
      request(['ingestor:http']),
      input,
      "ingestor 'http' cannot be relocated: " +
        'server-listener ingestors execute on every cluster node',
    ],
    [{ ...request(['a']), node: 'n9' }, input, "node 'n9' is not a raft member"],
    [request(['a']), cluster({ isVoter: false }), "node 'n2' is not a live raft voter"],
    [
      request(['a']),
      cluster({ isLive: false, isTerminating: true }),
      "node 'n2' is not a live raft voter",
    ],
    [
      request(['a']),
      cluster({ isTerminating: true, isCordoned: true }),
      "node 'n2' is terminating",
    ],
    [request(['a']), cluster({ isCordoned: true }), "node 'n2' is cordoned"],
    [
      {
        ...request([]),
        selection: { kind: 'paths', from: [memberOfId('a')], to: [memberOfId('b')] },
      },
      input,
      'relocation covers no runtime node: no FROM/TO pair is connected',
    ],
    [
      request(['a'], 'follow', { b: 'follow' }),
      input,
      "junction 'b' is not part of the relocation",
    ],
    [
      conflicting,
      input,
      'conflicting preference strategies for hard group [junction b, junction m]',
    ],
    [
      request(['a']),
      onFirst(fixture, [node('n1', { isLive: false }), node('n2')]),
      "junction 'a' has no live owner",
    ],
  ] satisfies [RelocationRequest, DomainScheduleInput, string][])('%#', (asked, state, message) => {
    expect(refusal(state, asked)).toBe(message);
  });
});

describe('PS-46 gated relays', () => {
  const fixture: DomainFixture = {
    members: ['a', 'b', 'between', 'relay:r1', 'relay:r2', 'relay:r3'],
    edges: [
      ['a', 'relay:r1'],
      ['relay:r1', 'between'],
      ['between', 'relay:r2'],
      ['relay:r2', 'b'],
      ['b', 'relay:r3'],
    ],
  };

  test('PS-46 a node between two that move is gated and does not move', () => {
    const plan = planned(onFirst(fixture), request(['a', 'b'], 'ignore'));
    expect(plan.gatedRelays).toEqual(['r1', 'r2']);
    expect(plan.members.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('PS-46 a relay that only one hard group feeds stays open', () => {
    const grouped: DomainFixture = { ...fixture, groups: [['a', 'b', 'between', 'relay:r1']] };
    const plan = planned(onFirst(grouped), request(['a'], 'ignore'));
    expect(plan.gatedRelays).toEqual([]);
    const outside: DomainFixture = { ...grouped, members: [...grouped.members, 'x'] };
    const edges = [...(fixture.edges ?? []), ['x', 'relay:r1'] as const];
    expect(planned(onFirst({ ...outside, edges }), request(['a'], 'ignore')).gatedRelays).toEqual([
      'r1',
    ]);
  });
});
