import type { PlacementGraph } from '../placement/placement-graph.js';
import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { canonicalForm } from './canonical-form.js';
import type { Description } from './description.js';
import { bondLine, groupHost, type OwnerOf, ownersOf } from './group-block.js';
import { printedNames } from './printed-names.js';
import {
  type ClaimExplanation,
  type EndpointExplanation,
  explainRule,
  type GroupExplanation,
  type RuleExplanation,
} from './rule-explanation.js';

type Print = (node: number) => string;

/**
 * Text of DESCRIBE PLACEMENT.
 *
 * @param name of the rule
 * @param entries the schedule in force
 */
export function describePlacement(
  placement: ResolvedPlacement,
  name: string,
  entries: readonly ScheduleEntry[],
): Description {
  const explained = explainRule(placement, name);
  if (explained.kind === 'refused') return explained;
  const lines = ruleLines(placement.graph, explained.explanation, ownersOf(entries));
  return { kind: 'described', text: lines.join('\n') };
}

function ruleLines(
  graph: PlacementGraph,
  explanation: RuleExplanation,
  ownerOf: OwnerOf,
): readonly string[] {
  const { rule } = explanation.coverage;
  const print = printOf(graph, explanation);
  const { endpoints, claims, groups } = explanation;
  const ends = (side: 'from' | 'to') =>
    [...new Set(endpoints.map((endpoint) => endpoint[side]))].map(print).join(', ');
  return [
    `placement: ${rule.name}`,
    `form: ${canonicalForm(rule)}`,
    `policy: ${rule.policy}`,
    `rank: ${rule.rank ?? 'unranked'}`,
    `from: ${ends('from')}`,
    `to: ${ends('to')}`,
    ...endpoints.flatMap((endpoint) => endpointLines(endpoint, print)),
    ...claims.flatMap((claim) => claimLines(claim, print)),
    ...groups.flatMap((group) => groupLines(graph, group, print, ownerOf)),
  ];
}

function endpointLines(endpoint: EndpointExplanation, print: Print): readonly string[] {
  const covered = endpoint.covered.map(print).join(', ');
  return [
    `pair: ${print(endpoint.from)} -> ${print(endpoint.to)}`,
    `connected: ${endpoint.isConnected}`,
    `covered: ${covered === '' ? '(none)' : covered}`,
    ...endpoint.witnesses.map(({ path }) => `witness: ${path.map(print).join(' -> ')}`),
  ];
}

function claimLines({ left, right, decision, isWon }: ClaimExplanation, print: Print): string[] {
  const rules = decision.rules.map(({ name }) => name).join(', ');
  return [
    `effective pair: ${print(left)} <-> ${print(right)}`,
    `effective policy: ${decision.policy}`,
    `${isWon ? 'winning claim' : 'overridden by'}: ${rules}`,
  ];
}

function groupLines(
  graph: PlacementGraph,
  { members, bonds }: GroupExplanation,
  print: Print,
  ownerOf: OwnerOf,
): readonly string[] {
  return [
    `group members: ${members.map(print).join(', ')}`,
    `group host: ${groupHost(graph, members, ownerOf)}`,
    ...bonds.map((bond) => bondLine(bond, print)),
  ];
}

/** Bare names where all that is printed differs in name. */
function printOf({ keys }: PlacementGraph, { endpoints, groups }: RuleExplanation): Print {
  const nodes = new Set([
    ...endpoints.flatMap(({ from, to, covered }) => [from, to, ...covered]),
    ...groups.flatMap(({ members }) => members),
  ]);
  const print = printedNames([...nodes].flatMap((node) => keys[node] ?? []));
  return (node) => {
    const key = keys[node];
    return key === undefined ? '' : print(key);
  };
}
