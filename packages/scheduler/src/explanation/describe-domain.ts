import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import { bondLine, groupHost, type OwnerOf } from './group-block.js';
import { printedNames } from './printed-names.js';
import { type Explained, explainGroups } from './rule-explanation.js';

/**
 * Lines about placement in DESCRIBE DOMAIN, groups numbered from 1; or the number of required pairs
 * when they are too many to list.
 */
export function domainPlacementBlock(
  placement: ResolvedPlacement,
  ownerOf: OwnerOf,
): Explained<readonly string[]> {
  const groups = explainGroups(placement, [...placement.groups.keys()]);
  if (groups.kind === 'too_long') return groups;
  const { keys } = placement.graph;
  const printed = groups.explanation.flatMap(({ members }) => members);
  const printKey = printedNames(printed.flatMap((node) => keys[node] ?? []));
  const print = (node: number) => {
    const key = keys[node];
    return key === undefined ? '' : printKey(key);
  };
  const lines = [
    'placement:',
    `  default policy: ${placement.defaultPolicy}`,
    `  rule count: ${placement.coverage.length}`,
  ];
  for (const [index, { members, bonds }] of groups.explanation.entries()) {
    lines.push(`  group ${index + 1}:`, `    members: ${members.map(print).join(', ')}`);
    lines.push(`    host: ${groupHost(placement.graph, members, ownerOf)}`);
    for (const bond of bonds) lines.push(`    ${bondLine(bond, print)}`);
  }
  return { kind: 'explained', explanation: lines };
}
