import type { CodecModel, Model, Statement, UdfModel } from '@nervix/model';
import type { TransactionPlan, TransactionRefusal } from '@nervix/planner';
import type { Effects } from '../execution/effects.js';

/** A model that needs more to be judged than a plan is made from. */
type ExternalModel = UdfModel | CodecModel;

/** How refusals say which check a model failed. */
const CHECKS: Readonly<Record<ExternalModel['kind'], string>> = {
  udf: 'UDF preparation',
  codec: 'external model validation',
};

/**
 * Has the UDFs that a plan writes loaded and tested, and the descriptors of its codecs compiled: the
 * last check before anything is done.
 *
 * @returns a refusal of each that cannot be used
 */
export async function externalRefusals(
  effects: Pick<Effects, 'prepareUdf' | 'prepareCodec'>,
  statements: readonly Statement[],
  { steps, after: { domain } }: TransactionPlan,
): Promise<readonly TransactionRefusal[]> {
  const refusals: TransactionRefusal[] = [];
  for (const { decision, first, last } of steps) {
    if (decision.kind !== 'models') continue;
    for (const { after } of decision.transitions) {
      if (after?.kind !== 'udf' && after?.kind !== 'codec') continue;
      const problem = await (after.kind === 'udf'
        ? effects.prepareUdf(after)
        : effects.prepareCodec(domain, after));
      if (problem === undefined) continue;
      refusals.push(refusal(after, problem, operationOf(after, statements, first, last)));
    }
  }
  return refusals;
}

function refusal(model: ExternalModel, message: string, operation: number): TransactionRefusal {
  return {
    code: 'PLAN_INVALID_MODEL',
    message,
    model: { kind: model.kind, name: model.name },
    subject: model,
    operation,
    context: `transaction operation ${operation} failed ${CHECKS[model.kind]}`,
    isProvisional: false,
  };
}

/** Number of the last statement of a step that defines a model; statements count from 1. */
function operationOf(
  { kind, name }: ExternalModel,
  statements: readonly Statement[],
  first: number,
  last: number,
): number {
  for (let number = last; number > first; number -= 1) {
    const statement = statements[number - 1];
    if (statement?.kind === 'create_model' && isNamed(statement.model, kind, name)) return number;
  }
  return first;
}

function isNamed(model: Model, kind: Model['kind'], name: string): boolean {
  return model.kind === kind && model.name === name;
}
