import type { Statement } from '@nervix/model';
import {
  planTransactionSteps,
  type RefusedTransaction,
  type TransactionPlan,
  type TransactionPlanOptions,
} from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import type { Capture } from './capture.js';
import { externalRefusals } from './external-validation.js';

/**
 * Plans statements against a capture, in slices, and has what they define checked outside of it.
 * Preflight, commit, inspection and single commands all plan here and nowhere else.
 */
export async function planStatements(
  { placements, effects }: Pick<ControlContext, 'placements' | 'effects'>,
  { snapshot }: Capture,
  statements: readonly Statement[],
  options: Omit<TransactionPlanOptions, 'registry'> = {},
): Promise<TransactionPlan | RefusedTransaction> {
  const plan = await placements.run(snapshot.domain, (registry) =>
    planTransactionSteps(snapshot, statements, { ...options, registry }),
  );
  if (plan.kind === 'refused') return plan;
  const refusals = await externalRefusals(effects, statements, plan);
  return refusals.length === 0 ? plan : { kind: 'refused', refusals };
}
