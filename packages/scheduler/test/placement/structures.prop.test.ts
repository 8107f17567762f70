import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { witnessesOf } from '../../src/explanation/witness.js';
import { bitMatrix, hasBit, setBit, visitRow } from '../../src/placement/bit-matrix.js';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import { corridorNodes, isConnected } from '../../src/placement/corridor.js';
import { depthsOf } from '../../src/placement/graph-depth.js';
import { compareKeys } from '../../src/placement/graph-key.js';
import { bitCount } from '../../src/placement/hard-bond.js';
import { ReachSets } from '../../src/placement/reach-sets.js';
import { compareRanks } from '../../src/placement/tiers.js';
import { transposed } from '../../src/placement/transpose.js';
import { domains } from '../support/arbitrary-domains.js';
import { PlacementOracle } from '../support/placement-oracle.js';

const settings = { numRuns: 100 };

property.prop([domains()], settings)('PS-20 depth is the longest path of components', (domain) => {
  const oracle = new PlacementOracle(domain);
  const graph = buildPlacementGraph(domain.nodes, domain.edges);
  const depths = depthsOf(graph);
  const joins = (a: number, b: number) => oracle.paths(a, b).length > 0;
  const isTogether = (a: number, b: number) => a === b || (joins(a, b) && joins(b, a));
  const depth = (node: number): number => {
    const above = domain.edges
      .map(({ from, to }) => [oracle.id(from), oracle.id(to)] as const)
      .filter(([from, to]) => isTogether(to, node) && !isTogether(from, node))
      .map(([from]) => depth(from) + 1);
    return Math.max(0, ...above);
  };
  for (const node of graph.keys.keys()) {
    if (!graph.keys[node]!.name.includes('_')) expect(depths[node]).toBe(depth(node));
  }
});

property.prop([domains()], settings)(
  'PS-11 PS-70 witnesses are shortest, first in key order',
  (domain) => {
    const oracle = new PlacementOracle(domain);
    const graph = buildPlacementGraph(domain.nodes, domain.edges);
    const reach = new ReachSets(graph);
    const best = (from: number, to: number) => {
      if (from === to) return [from];
      return oracle
        .paths(from, to)
        .toSorted((a, b) => a.length - b.length || firstDifference(a, b))
        .at(0)!;
    };
    const ends = new Set(domain.edges.flatMap(({ from, to }) => [oracle.id(from), oracle.id(to)]));
    for (const from of ends) {
      for (const to of ends) {
        if (!isConnected(graph, reach, from, to)) continue;
        const found = witnessesOf(graph, { from, to, nodes: corridorNodes(reach, from, to) });
        const inner = oracle.corridor(from, to)!.filter((node) => node !== from && node !== to);
        const expected = inner.map((node) => ({
          node,
          path: [...best(from, node), ...best(node, to).slice(1)],
        }));
        expect(found).toEqual(expected);
      }
    }
  },
);

function firstDifference(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((node, index) => node !== right[index]);
  return (left[at] ?? 0) - (right[at] ?? 0);
}

describe('bits', () => {
  const matrices = fc.integer({ min: 1, max: 80 }).chain((rows) =>
    fc.integer({ min: 1, max: 80 }).chain((columns) => {
      const places = fc.tuple(fc.nat(rows - 1), fc.nat(columns - 1));
      return fc.record({
        rows: fc.constant(rows),
        columns: fc.constant(columns),
        set: fc.array(places),
      });
    }),
  );

  property.prop([matrices], settings)('a transposed matrix', ({ rows, columns, set }) => {
    const matrix = bitMatrix(rows, columns);
    for (const [row, column] of set) setBit(matrix, row, column);
    const turned = transposed(matrix);
    expect([turned.rows, turned.columns]).toEqual([columns, rows]);
    for (let row = 0; row < rows; row += 1) {
      const visited: number[] = [];
      visitRow(matrix, row, (column) => visited.push(column));
      const expected = [...Array(columns).keys()].filter((column) => hasBit(turned, column, row));
      expect(visited).toEqual(expected);
      expect(expected).toEqual(
        [...new Set(set.filter(([r]) => r === row).map(([, column]) => column))].sort(
          (a, b) => a - b,
        ),
      );
    }
  });

  property.prop([fc.integer()])('the number of set bits', (word) => {
    expect(bitCount(word)).toBe([...(word >>> 0).toString(2)].filter((bit) => bit === '1').length);
  });
});

test('PS-13 ranks are compared as numbers of any length, unranked last', () => {
  const ranks = ['10', null, '9', '18446744073709551616', '18446744073709551615', '009'];
  expect(ranks.toSorted(compareRanks)).toEqual([
    '9',
    '009',
    '10',
    '18446744073709551615',
    '18446744073709551616',
    null,
  ]);
  expect(compareRanks('9', '009')).toBe(0);
  expect(compareRanks(null, null)).toBe(0);
});

test('PS-72 keys are compared by bytes, kind first', () => {
  const keys = ['b', 'B', 'a.b', 'a-b', 'a_b', 'a'].map((name) => ({ kind: 'relay', name }));
  const sorted = [...keys, { kind: 'junction', name: 'z' }].toSorted(compareKeys);
  expect(sorted.map(({ name }) => name)).toEqual(['z', 'B', 'a', 'a-b', 'a.b', 'a_b', 'b']);
});

test('an edge to a node that is not listed breaks an invariant', () => {
  const [from, to] = [
    { kind: 'relay', name: 'a' },
    { kind: 'junction', name: 'b' },
  ];
  expect(() => buildPlacementGraph([from], [{ from, to }])).toThrow(
    "invariant broken: the edge of junction 'b' joins listed nodes",
  );
});
