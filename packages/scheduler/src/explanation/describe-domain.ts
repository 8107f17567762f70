import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import type { Description } from './description.js';
import { bondLine, groupHost, ownersOf } from './group-block.js';
import { printedNames } from './printed-names.js';
import { explainGroups } from './rule-explanation.js';

/**
 * Text about placement in DESCRIBE DOMAIN, groups numbered from 1.
 *
 * @param entries the schedule in force
 */
export function describeDomainPlacement(
  placement: ResolvedPlacement,
  entries: readonly ScheduleEntry[],
): Description {
  const subject = `domain '${placement.domain}'`;
  const groups = explainGroups(placement, [...placement.groups.keys()], subject);
  if (groups.kind === 'refused') return groups;
  const ownerOf = ownersOf(entries);
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
  return { kind: 'described', text: lines.join('\n') };
}
