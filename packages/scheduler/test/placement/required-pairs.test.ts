import type { PlacementPolicy } from '@nervix/model';
import { expect, test } from 'vitest';
import { bitMatrix, setBit } from '../../src/placement/bit-matrix.js';
import { claimClasses } from '../../src/placement/claim-classes.js';
import type { CorridorTable } from '../../src/placement/corridor-table.js';
import { joinRequired } from '../../src/placement/required-pairs.js';
import type { TieredRule } from '../../src/placement/tiers.js';
import { finish } from '../../src/steps.js';

type Corridor = readonly [tier: number, policy: PlacementPolicy, nodes: readonly number[]];

/** Groups that corridors of any shape make, without a graph behind them. */
function groupsOf(nodes: number, corridors: readonly Corridor[]): readonly (readonly number[])[] {
  const bits = bitMatrix(corridors.length, nodes);
  for (const [row, [, , members]] of corridors.entries()) {
    for (const node of members) setBit(bits, row, node);
  }
  const rules = corridors.map(
    ([tier, policy], index): TieredRule => ({
      rule: { name: `rule${index}`, from: [], to: [], policy, rank: null },
      tier,
    }),
  );
  const ends = new Uint32Array(corridors.length);
  const rule = Uint32Array.from(corridors.keys());
  const deciding: CorridorTable = { nodes: bits, rule, from: ends, to: ends };
  const classes = finish(claimClasses(bits));
  return finish(joinRequired(nodes, rules, deciding, classes)).sets();
}

test('PS-66 what was together with the smaller part of a corridor is asked after all', () => {
  // 0 and 1 are together first; 2 finds most of the corridor, none of these two, and not 6.
  const groups = groupsOf(9, [
    [0, 'REQUIRE COLOCATION', [0, 1]],
    [1, 'NEUTRAL', [0, 1, 2]],
    [1, 'NEUTRAL', [2, 6]],
    [1, 'NEUTRAL', [0, 1, 3, 4, 5, 7, 8]],
    [1, 'NEUTRAL', [3, 4, 5, 6, 7, 8]],
    [1, 'NEUTRAL', [1, 6]],
    [2, 'REQUIRE COLOCATION', [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ]);
  expect(groups).toEqual([
    [0, 1, 6],
    [2, 3, 4, 5, 7, 8],
  ]);
});
