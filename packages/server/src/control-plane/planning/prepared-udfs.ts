import type { Statement, UdfModel } from '@nervix/model';
import type { TransactionPlan, TransactionRefusal } from '@nervix/planner';
import type { Effects } from '../execution/effects.js';

/**
 * Has the UDFs that a plan writes loaded and tested: the last check before anything is done, since it
 * needs more than the plan was made from.
 *
 * @returns a refusal of each that cannot be used
 */
export async function udfRefusals(
  effects: Pick<Effects, 'prepareUdf'>,
  statements: readonly Statement[],
  { steps }: TransactionPlan,
): Promise<readonly TransactionRefusal[]> {
  const refusals: TransactionRefusal[] = [];
  for (const { decision, first, last } of steps) {
    if (decision.kind !== 'models') continue;
    for (const { after } of decision.transitions) {
      if (after?.kind !== 'udf') continue;
      const problem = await effects.prepareUdf(after);
      if (problem === undefined) continue;
      refusals.push(refusal(after, problem, operationOf(after, statements, first, last)));
    }
  }
  return refusals;
}

function refusal(udf: UdfModel, message: string, operation: number): TransactionRefusal {
  return {
    code: 'PLAN_INVALID_MODEL',
    message,
    model: { kind: 'udf', name: udf.name },
    subject: udf,
    operation,
    context: `transaction operation ${operation} failed UDF preparation`,
    isProvisional: false,
  };
}

/** Number of the last statement of a step that defines a UDF; statements count from 1. */
function operationOf(
  { name }: UdfModel,
  statements: readonly Statement[],
  first: number,
  last: number,
): number {
  for (let number = last; number > first; number -= 1) {
    const statement = statements[number - 1];
    if (statement?.kind !== 'create_model') continue;
    if (statement.model.kind === 'udf' && statement.model.name === name) return number;
  }
  return first;
}
