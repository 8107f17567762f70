import { fc, test as property } from '@fast-check/vitest';
import type { RelocationStrategy } from '@nervix/model';
import { expect } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import {
  planRelocation,
  type RelocationPlan,
  type RelocationRequest,
} from '../../src/moves/relocation-plan.js';
import { relocationBlock } from '../../src/moves/relocation-report.js';
import { keyText } from '../../src/placement/graph-key.js';
import { visitSoftPartners } from '../../src/placement/soft-partner.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { memberOfKey, nodes } from '../support/domain-fixture.js';

/** A placed domain on three healthy nodes and one of its movable members. */
const placedArbitrary = fc
  .tuple(scheduleInputArbitrary, fc.nat(8), fc.constantFrom<string[]>('n1', 'n2', 'n3'))
  .map(([random, pick, target]) => {
    const cluster = nodes('n1', 'n2', 'n3');
    const placed = computeSchedule({ ...random, nodes: cluster, previous: [] });
    const once = new Set(
      random.traits.filter(({ runs }) => runs === 'once').map((key) => keyText(key)),
    );
    const keys = random.placement.graph.keys.filter((key) => once.has(keyText(key)));
    const member = keys[pick % Math.max(1, keys.length)];
    return { input: { ...random, nodes: cluster, previous: placed.entries }, member, target, once };
  })
  .filter(({ member }) => member !== undefined);

type Placed = typeof placedArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const plan = ({ input, member, target }: Placed, strategy: RelocationStrategy): RelocationPlan => {
  const members = member === undefined ? [] : [memberOfKey(member)];
  const request: RelocationRequest = {
    selection: { kind: 'members', members },
    node: target,
    strategy,
    overrides: [],
  };
  const outcome = planRelocation(input, request, true);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome;
};

/** The smallest set with the member that hard groups and, if followed, preferences close. */
const closure = ({ input, member, once }: Placed, followed: boolean): readonly string[] => {
  const { placement } = input;
  const { keys } = placement.graph;
  const isMovable = (id: number) => once.has(keyText(keys[id] ?? { kind: '', name: '' }));
  const found = new Set(keys.flatMap((key, id) => (key === member ? [id] : [])));
  for (const id of found) {
    for (const mate of placement.groups[placement.groupOf[id] ?? -1]?.members ?? []) {
      if (isMovable(mate)) found.add(mate);
    }
    visitSoftPartners(placement, id, (partner, weight) => {
      if (followed && weight === 1 && isMovable(partner)) found.add(partner);
    });
  }
  return [...found].map((id) => keyText(keys[id] ?? { kind: '', name: '' })).sort();
};

const hasSeparation = ({ input }: Placed): boolean => {
  let found = false;
  for (const id of input.placement.graph.keys.keys()) {
    visitSoftPartners(input.placement, id, (_, weight) => {
      if (weight === -1) found = true;
    });
  }
  return found;
};

property.prop([placedArbitrary])(
  'PS-42 without separations the unit is exactly the closure, and IGNORE never enlarges it',
  (placed) => {
    const ignored = plan(placed, 'IGNORE PREFERENCES').members.map(keyText).sort();
    expect(ignored).toEqual(closure(placed, false));
    const followed = plan(placed, 'FOLLOW PREFERENCES').members.map(keyText).sort();
    if (!hasSeparation(placed)) expect(followed).toEqual(closure(placed, true));
    for (const key of followed) expect(closure(placed, true)).toContain(key);
  },
);

property.prop([placedArbitrary])(
  'PS-48 PS-59 what is written moves the unit and nothing else, and repeats without a move',
  (placed) => {
    const { input, target } = placed;
    const first = plan(placed, 'FOLLOW PREFERENCES');
    expect(relocationBlock(plan(placed, 'FOLLOW PREFERENCES'))).toBe(relocationBlock(first));
    const unit = new Set(first.members.map(keyText));
    const after = first.entries ?? input.previous;
    for (const [index, entry] of after.entries()) {
      if (unit.has(keyText(entry))) expect(entry.nodes[0]).toBe(target);
      else expect(entry).toEqual(input.previous[index]);
    }
    const again = plan({ ...placed, input: { ...input, previous: after } }, 'FOLLOW PREFERENCES');
    expect(again.entries).toBeUndefined();
    expect(computeSchedule({ ...input, previous: after }).relocations).toEqual([]);
  },
);

property.prop([placedArbitrary])(
  'PS-49 relocating back restores the primaries when all came from one node',
  (placed) => {
    const { input } = placed;
    const out = plan(placed, 'FOLLOW PREFERENCES');
    const sources = new Set(out.members.map(({ from }) => from));
    const [source] = sources;
    fc.pre(sources.size === 1 && source !== undefined && out.entries !== undefined);
    const moved = { ...input, previous: out.entries ?? [] };
    const back = plan({ ...placed, input: moved, target: source ?? '' }, 'FOLLOW PREFERENCES');
    expect(back.entries?.map((entry) => entry.nodes[0])).toEqual(
      input.previous.map((entry) => entry.nodes[0]),
    );
  },
);
