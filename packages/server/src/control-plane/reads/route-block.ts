import type { Construction, Flush, RouteBranch } from '@nervix/model';

interface DescribedRoute {
  readonly relay: string;
  readonly construction: Construction;
  readonly branch?: RouteBranch;
  readonly flush?: Flush;
}

/** The `outputs:` block of a node with TO clauses. */
export function routeBlock(routes: readonly DescribedRoute[]): readonly string[] {
  return [
    `outputs: ${routes.length}`,
    ...routes.map(
      (route, index) =>
        `output ${index}: into=${route.relay} construction=${constructionText(route.construction)} ` +
        `branch=${branchText(route.branch)} flush=${flushText(route.flush)}`,
    ),
  ];
}

function constructionText({ inherit, set, where, invoke }: Construction): string {
  const isPresent = inherit !== null || set.length > 0 || where !== null || invoke.length > 0;
  return isPresent ? 'present' : 'none';
}

function branchText(branch: RouteBranch | undefined): string {
  if (branch === undefined) return 'NODE-WIDE';
  return branch.kind === 'unbranched' ? 'UNBRANCHED' : branch.branch;
}

function flushText(flush: Flush | undefined): string {
  if (flush === undefined) return 'none';
  return flush.kind === 'immediate'
    ? 'IMMEDIATE'
    : `${flush.interval} max-batch-size=${flush.maxBatchSize}`;
}
