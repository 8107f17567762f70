import { compareNames } from '../../domain-models.js';
import type { Attributions, OperationSet } from '../operation-set.js';
import type { Attributed, Coverage, ReportNode } from '../report.js';
import type { ImpactNode } from './impact-graph.js';

/** Order of nodes in reports: by kind, then by name. */
export function compareNodes(left: ReportNode, right: ReportNode): number {
  return compareNames(left.kind, right.kind) || compareNames(left.identifier, right.identifier);
}

/** Order of coverages in reports: by node, then by branches. */
export function compareCoverage(left: Coverage, right: Coverage): number {
  if (left === right) return 0;
  return compareNodes(left.node, right.node) || compareNames(branchText(left), branchText(right));
}

function branchText({ branches }: Coverage): string {
  return branches === null ? '' : JSON.stringify(branches);
}

/** The coverages of nodes in canonical order, equal ones joined with all their operations. */
export function coveragesOf(
  nodes: readonly (readonly [ImpactNode, OperationSet])[],
  attributions: Attributions,
): readonly Attributed<{ readonly coverage: Coverage }>[] {
  const found = new Map<string, { coverage: Coverage; operations: OperationSet }>();
  for (const [{ key, coverage }, operations] of nodes) {
    const identity = `${key} ${branchText(coverage)}`;
    const before = found.get(identity);
    if (before === undefined) found.set(identity, { coverage, operations });
    else before.operations |= operations;
  }
  return [...found.values()]
    .sort((left, right) => compareCoverage(left.coverage, right.coverage))
    .map(({ coverage, operations }) => ({
      coverage,
      attribution: attributions.listOf(operations),
    }));
}
