import {
  type CodecModel,
  type Model,
  type Statement,
  type UdfModel,
  unreachable,
  type VhostModel,
} from '@nervix/model';
import type { TransactionPlan, TransactionRefusal } from '@nervix/planner';
import type { Effects } from '../execution/effects.js';

/** A model that needs more to be judged than a plan is made from. */
type ExternalModel = UdfModel | CodecModel | VhostModel;

/** How refusals say which check a model failed. */
const CHECKS: Readonly<Record<ExternalModel['kind'], string>> = {
  udf: 'UDF preparation',
  codec: 'external model validation',
  vhost: 'external model validation',
};

/**
 * Has the UDFs that a plan writes loaded and tested, the descriptors of its codecs compiled and the
 * certificates of its virtual hosts read: the last check before anything is done.
 *
 * @returns a refusal of each that cannot be used
 */
export async function externalRefusals(
  effects: Preparation,
  statements: readonly Statement[],
  { steps, after: { domain } }: TransactionPlan,
): Promise<readonly TransactionRefusal[]> {
  const refusals: TransactionRefusal[] = [];
  for (const { decision, first, last } of steps) {
    if (decision.kind !== 'models') continue;
    for (const { after } of decision.transitions) {
      if (after === null || !isExternal(after)) continue;
      const problem = await problemOf(effects, domain, after);
      if (problem === undefined) continue;
      refusals.push(refusal(after, problem, operationOf(after, statements, first, last)));
    }
  }
  return refusals;
}

type Preparation = Pick<Effects, 'prepareUdf' | 'prepareCodec' | 'prepareVhost'>;

function isExternal(model: Model): model is ExternalModel {
  return Object.hasOwn(CHECKS, model.kind);
}

async function problemOf(
  effects: Preparation,
  domain: string,
  model: ExternalModel,
): Promise<string | undefined> {
  switch (model.kind) {
    case 'udf':
      return effects.prepareUdf(model);
    case 'codec':
      return effects.prepareCodec(domain, model);
    case 'vhost': {
      const defect = await effects.prepareVhost(domain, model);
      return defect && `invalid TLS resource for VHOST '${model.name}': ${defect}`;
    }
    default:
      return unreachable(model);
  }
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
