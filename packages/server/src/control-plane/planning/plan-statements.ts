import type { Statement } from '@nervix/model';
import {
  planTransactionSteps,
  type RefusedTransaction,
  type TransactionPlan,
  type TransactionPlanOptions,
} from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import type { Capture } from './capture.js';

/**
 * Plans statements against a capture, in slices. Preflight, commit, inspection and single commands
 * all plan here and nowhere else.
 */
export function planStatements(
  { placements }: Pick<ControlContext, 'placements'>,
  { snapshot }: Capture,
  statements: readonly Statement[],
  options: Omit<TransactionPlanOptions, 'resolver'> = {},
): Promise<TransactionPlan | RefusedTransaction> {
  return placements.run(snapshot.domain, (resolver) =>
    planTransactionSteps(snapshot, statements, { ...options, resolver }),
  );
}
