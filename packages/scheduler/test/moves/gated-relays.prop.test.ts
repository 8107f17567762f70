import { fc, test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { scheduleState } from '../../src/computation/schedule-state.js';
import { gatedRelays } from '../../src/moves/gated-relays.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';

/** Whether a walk of at least one edge leads from each node to each other, by trying all middles. */
function walks(count: number, edges: readonly (readonly [number, number])[]): boolean[][] {
  const found = Array.from({ length: count }, () => Array<boolean>(count).fill(false));
  for (const [from, to] of edges) found[from]![to] = true;
  for (let middle = 0; middle < count; middle += 1) {
    for (const row of found) {
      for (let to = 0; row[middle] && to < count; to += 1) row[to] ||= found[middle]![to]!;
    }
  }
  return found;
}

property.prop([scheduleInputArbitrary, fc.array(fc.nat(8), { maxLength: 4 })], { numRuns: 300 })(
  'PS-46 the gated relays are those of the definition',
  (input, picks) => {
    const state = scheduleState(input);
    const { keys, successors } = state.placement.graph;
    const ids = [...keys.keys()];
    const runsOnce = (id: number) => state.traits[id]?.runs === 'once';
    const moved = ids.filter((id) => picks.includes(id) && runsOnce(id));
    const edges = ids.flatMap((from) =>
      [...successors.targets.slice(successors.starts[from], successors.starts[from + 1])].map(
        (to) => [from, to] as const,
      ),
    );
    const leads = walks(keys.length, edges);
    const isHeld = (id: number) =>
      moved.includes(id) ||
      (moved.some((one) => leads[one]![id]) && moved.some((one) => leads[id]![one]));
    const isRelay = (id: number) => keys[id]?.kind === 'relay';
    const feeds = (from: number, to: number) => edges.some(([a, b]) => a === from && b === to);
    const group = (id: number) => state.placement.groupOf[id] ?? -1;
    const expected = ids.filter((relay) => {
      const isTouched =
        isHeld(relay) ||
        ids.some((id) => isHeld(id) && runsOnce(id) && !isRelay(id) && feeds(relay, id));
      const producers = ids.filter((id) => feeds(id, relay));
      const [first] = producers;
      const isInternal =
        first !== undefined &&
        group(first) >= 0 &&
        producers.every((id) => isHeld(id) && group(id) === group(first));
      return isRelay(relay) && isTouched && !isInternal;
    });
    expect(gatedRelays(state, moved)).toEqual(expected.map((id) => keys[id]!.name).sort());
  },
);
