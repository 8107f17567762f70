import { fc, test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { isLiveVoter } from '../../src/cluster/cluster-view.js';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import { infeasibilityOf } from '../../src/feasibility/destination.js';
import { keyText } from '../../src/placement/graph-key.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { node } from '../support/domain-fixture.js';
import { naiveSchedule } from '../support/schedule-oracle.js';

property.prop([scheduleInputArbitrary])(
  'PS-18 PS-72 equal inputs give equal bytes, in whatever order their lists come',
  (input) => {
    const shuffled = {
      ...input,
      traits: input.traits.toReversed(),
      nodes: input.nodes.toReversed(),
      previous: input.previous.toReversed(),
    };
    expect(JSON.stringify(computeSchedule(shuffled))).toBe(JSON.stringify(computeSchedule(input)));
  },
);

property.prop([scheduleInputArbitrary])(
  'PS-19 PS-24 new primaries and replicas are candidates; listeners are on the live set',
  (input) => {
    const { entries } = computeSchedule(input);
    const before = new Map(input.previous.map((entry) => [keyText(entry), entry.nodes]));
    const feasible = new Set(
      input.nodes.filter((entry) => infeasibilityOf(entry) === undefined).map(({ name }) => name),
    );
    const live = input.nodes.filter(isLiveVoter).map(({ name }) => name);
    const listeners = new Set(
      input.traits.filter(({ runs }) => runs === 'every_node').map((key) => keyText(key)),
    );
    for (const entry of entries) {
      if (listeners.has(keyText(entry))) {
        expect(entry.nodes).toEqual(live.toSorted());
        continue;
      }
      const former = before.get(keyText(entry)) ?? [];
      const [primary, ...replicas] = entry.nodes;
      if (primary !== undefined && primary !== former[0]) expect(feasible).toContain(primary);
      for (const name of replicas) if (!former.includes(name)) expect(feasible).toContain(name);
      expect(new Set(entry.nodes).size).toBe(entry.nodes.length);
    }
  },
);

property.prop([scheduleInputArbitrary])(
  'PS-16 PS-25 a group has one primary or, without a host, what it had',
  (input) => {
    const { entries, stalls } = computeSchedule(input);
    const stalled = new Set(stalls.flatMap(({ members }) => members.map(keyText)));
    const listeners = new Set(
      input.traits.filter(({ runs }) => runs === 'every_node').map((key) => keyText(key)),
    );
    for (const { members } of input.placement.groups) {
      const mates = members
        .flatMap((id) => entries[id] ?? [])
        .filter((entry) => !listeners.has(keyText(entry)));
      if (mates.some((entry) => stalled.has(keyText(entry)))) {
        const before = new Map(input.previous.map((entry) => [keyText(entry), entry.nodes]));
        for (const entry of mates) expect(entry.nodes).toEqual(before.get(keyText(entry)) ?? []);
      } else {
        expect(new Set(mates.map((entry) => entry.nodes[0])).size).toBeLessThanOrEqual(1);
      }
    }
  },
);

property.prop([scheduleInputArbitrary])(
  'PS-26 replanning is a no-op, and a joining node moves no primary',
  (input) => {
    const first = computeSchedule(input);
    const again = computeSchedule({ ...input, previous: first.entries });
    expect(again.entries).toEqual(first.entries);
    expect(again.relocations).toEqual([]);
    // Stalled units are the exception: they wait for exactly such a node.
    fc.pre(first.stalls.length === 0);
    const nodes = [...input.nodes, node('joined')];
    const joined = computeSchedule({ ...input, nodes, previous: first.entries });
    expect(joined.relocations).toEqual([]);
  },
);

property.prop([scheduleInputArbitrary])(
  'PS-33 a failover moves only units that lost their primary',
  (input) => {
    const alive = input.nodes.map((entry) => ({ ...entry, isLive: true, isVoter: true }));
    const first = computeSchedule({ ...input, nodes: alive });
    const second = computeSchedule({ ...input, previous: first.entries });
    const dead = new Set(
      input.nodes.filter((entry) => !isLiveVoter(entry)).map(({ name }) => name),
    );
    const known = new Set(input.nodes.map(({ name }) => name));
    const unitHead = (index: number) =>
      input.placement.groups[input.placement.groupOf[index] ?? -1]?.members ?? [index];
    for (const [index, entry] of second.entries.entries()) {
      const before = first.entries[index]?.nodes[0];
      if (before === undefined || before === entry.nodes[0]) continue;
      const mates = unitHead(index).map((id) => first.entries[id]?.nodes[0] ?? '');
      const isRunOnce = input.traits.some(
        (traits) => keyText(traits) === keyText(entry) && traits.runs === 'once',
      );
      const lost = mates.some((name) => dead.has(name) || !known.has(name));
      expect(!isRunOnce || lost || new Set(mates).size > 1).toBe(true);
    }
  },
);

property.prop([scheduleInputArbitrary], { numRuns: 300 })(
  'PS-20 PS-21 PS-23 PS-26 PS-28 the schedule is what a naive reading of the rules gives',
  (input) => {
    const { entries } = computeSchedule(input);
    expect(entries.map((entry) => entry.nodes)).toEqual(naiveSchedule(input));
  },
);
