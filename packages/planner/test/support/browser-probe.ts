import type * as Planner from '../../src/index.ts';

/** Plans in any host: what comes out is text, so that hosts can be compared. */
export function probe(
  planner: Pick<typeof Planner, 'planTransaction' | 'reportText' | 'transactionDocument'>,
  snapshot: Planner.PlanningSnapshot,
  statements: Parameters<typeof Planner.planTransaction>[1],
): string {
  const plan = planner.planTransaction(snapshot, statements);
  if (plan.kind === 'refused') return JSON.stringify(plan);
  const document = planner.transactionDocument(plan.report, null);
  return JSON.stringify({ plan, text: planner.reportText(plan.report), document });
}
