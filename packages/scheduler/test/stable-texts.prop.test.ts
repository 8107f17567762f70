import { fc, test as property } from '@fast-check/vitest';
import { PLACEMENT_POLICIES } from '@nervix/model';
import { expect } from 'vitest';
import type { ScheduleNode } from '../src/cluster/schedule-node.js';
import { computeSchedule } from '../src/computation/compute-schedule.js';
import type { DomainDefinition } from '../src/domain/domain-definition.js';
import { resolveDomain } from '../src/domain/domain-resolver.js';
import { describeDomainPlacement } from '../src/explanation/describe-domain.js';
import { describePlacement } from '../src/explanation/describe-placement.js';
import { placementBlock } from '../src/explanation/placement-block.js';
import { placementReport } from '../src/explanation/placement-report.js';
import { showPlacements } from '../src/explanation/show-placements.js';
import { explainPlacements } from '../src/explanation/unit-explanation.js';
import { planDrain } from '../src/moves/drain-plan.js';
import { drainReport } from '../src/moves/drain-report.js';
import { planRebalance } from '../src/moves/rebalance-plan.js';
import { rebalanceBlock } from '../src/moves/rebalance-report.js';
import { scheduleLines } from '../src/publication/schedule-lines.js';
import { domains } from './support/arbitrary-domains.js';
import { nodes } from './support/domain-fixture.js';

interface Snapshot extends Required<Omit<DomainDefinition, 'domain'>> {
  readonly cluster: readonly ScheduleNode[];
}

/** Everything that is computed and printed, from nothing but plain values. */
function everyText({ cluster, ...definition }: Snapshot): unknown {
  const outcome = resolveDomain({ domain: 'd', ...definition });
  if (outcome.kind === 'refused') return outcome.message;
  const first = computeSchedule({ ...outcome, nodes: cluster, replicaCount: 1, previous: [] });
  const { entries } = first;
  const input = { ...outcome, nodes: cluster, replicaCount: 1, previous: entries };
  const { placement } = outcome;
  const drain = planDrain('n2', [input]);
  const running = new Set(['d']);
  return [
    JSON.stringify(first),
    explainPlacements({ ...input, previous: [] }).map(placementBlock),
    JSON.stringify(placementReport(input, {})),
    showPlacements(placement),
    describeDomainPlacement(placement, entries),
    definition.rules
      .map(({ name }) => name)
      .toSorted()
      .map((name) => describePlacement(placement, name, entries)),
    drain.kind === 'refused'
      ? drain.message
      : drainReport({ ...drain, outcomes: drain.steps.map((step) => ({ step })), running }),
    rebalanceBlock(planRebalance([input], { domain: null, maxMoves: null, running })),
    scheduleLines([{ domain: 'd', entries }]),
  ];
}

property.prop([domains(fc.constantFrom(...PLACEMENT_POLICIES)), fc.infiniteStream(fc.nat())])(
  'PS-73 no order of lists and no identity of objects reaches a schedule, a report or a text',
  (domain, numbers) => {
    const shuffled = <Value>(list: readonly Value[]) =>
      list
        .map((value) => [numbers.next().value ?? 0, value] as const)
        .sort(([left], [right]) => left - right)
        .map(([, value]) => value);
    const { nodes: members, edges, defaultPolicy } = domain;
    // Ranks of their own keep rules from contradicting each other, so that there is much to print.
    const rules = domain.rules.map((rule, index) => ({ ...rule, rank: String(index + 1) }));
    const cluster = nodes('n1', 'n2', 'n3');
    const one = { members, edges, rules, defaultPolicy, cluster };
    const other: Snapshot = {
      members: shuffled(members),
      edges: shuffled(edges),
      rules: shuffled(rules),
      defaultPolicy,
      cluster: shuffled(cluster),
    };
    // What another leader or another process works with is a copy that was read from a log.
    expect(everyText(structuredClone(other))).toEqual(everyText(one));
  },
);
