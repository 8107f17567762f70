import { invalidInput } from '../errors.js';
import { infeasibilityOf } from '../feasibility/destination.js';
import { compareText } from '../placement/graph-key.js';
import type { ScheduleNode } from './schedule-node.js';

/** The cluster as one computation reads it: nodes by index, which is their place in name order. */
export interface ClusterView {
  /** Ascending; also holds nodes that only an assignment in force still names. */
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** What is known of each node; undefined once it left the membership. */
  readonly nodes: readonly (ScheduleNode | undefined)[];
  /** 1 for live voters, whose assignments are kept. */
  readonly isLive: Uint8Array;
  /** Indexes of the nodes that may receive work, ascending. */
  readonly candidates: readonly number[];
  /** Place of each node among the candidates, or -1. */
  readonly candidatePlace: Int32Array;
}

/**
 * Indexes the nodes of a cluster by name.
 *
 * @param nodes the members, in any order
 * @param assigned names that assignments in force use; unknown ones count as nodes that are gone
 * @param excluded name of a node that may receive nothing in this computation
 * @throws ScheduleError when two members have one name
 */
export function clusterView(
  nodes: readonly ScheduleNode[],
  assigned: Iterable<string>,
  excluded?: string,
): ClusterView {
  const known = new Map<string, ScheduleNode>();
  for (const node of nodes) {
    if (known.has(node.name)) invalidInput(`cluster node '${node.name}' is given twice`);
    known.set(node.name, node);
  }
  const names = [...new Set([...known.keys(), ...assigned])].sort(compareText);
  const members = names.map((name) => known.get(name));
  const candidates = [...members.entries()]
    .filter(([, node]) => node !== undefined && isCandidate(node, excluded))
    .map(([index]) => index);
  const candidatePlace = new Int32Array(names.length).fill(-1);
  for (const [place, index] of candidates.entries()) candidatePlace[index] = place;
  return {
    names,
    indexOf: new Map(names.map((name, index) => [name, index])),
    nodes: members,
    isLive: Uint8Array.from(members, (node) => Number(node !== undefined && isLiveVoter(node))),
    candidates,
    candidatePlace,
  };
}

/** Whether work that the node has stays there: cordons and terminations do not matter. */
export function isLiveVoter(node: ScheduleNode): boolean {
  return node.isLive && node.isVoter !== false;
}

function isCandidate(node: ScheduleNode, excluded: string | undefined): boolean {
  return node.name !== excluded && infeasibilityOf(node) === undefined;
}
