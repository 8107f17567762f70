import { kindWords, type Model, type ModelKind } from '@nervix/model';

/** Codes of planning refusals: stable public API. */
export const PLAN_CODES = [
  'PLAN_DUPLICATE_MODEL',
  'PLAN_MODEL_NOT_FOUND',
  'PLAN_MODEL_IN_USE',
  'PLAN_MISSING_REFERENCE',
  'PLAN_SCHEMA_RELATION',
  'PLAN_INVALID_MODEL',
  'PLAN_INVALID_EXPRESSION',
  'PLAN_UNPLACEABLE',
  'PLAN_UNSUPPORTED',
] as const;
export type PlanCode = (typeof PLAN_CODES)[number];

/** Identity of a model inside its domain. */
export interface ModelIdentity {
  readonly kind: ModelKind;
  readonly name: string;
}

/** Why a change or a domain cannot be planned. */
export interface PlanRefusal {
  readonly code: PlanCode;
  readonly message: string;
  /** The model at fault. */
  readonly model?: ModelIdentity;
  /** The absent name of a missing reference. */
  readonly missingName?: string;
  /** The model node in error: look its source range up by identity. */
  readonly subject?: object;
  /** Advice, such as the name that was probably meant; a sentence without a full stop. */
  readonly hint?: string;
}

/** A remark that does not stop the plan. */
export interface PlanWarning {
  readonly message: string;
  readonly model: ModelIdentity;
}

export function duplicateModel(domain: string, model: ModelIdentity): PlanRefusal {
  return {
    code: 'PLAN_DUPLICATE_MODEL',
    message: `model '${model.name}' already exists in domain '${domain}'`,
    ...about(model),
  };
}

export function modelNotFound(domain: string, model: ModelIdentity): PlanRefusal {
  return {
    code: 'PLAN_MODEL_NOT_FOUND',
    message: `model '${model.name}' does not exist in domain '${domain}'`,
    ...about(model),
  };
}

/** A clause of an ALTER that has nothing to apply to. */
export function clauseRefused(
  domain: string,
  model: ModelIdentity,
  { reason, isWhole }: { readonly reason: string; readonly isWhole: boolean },
): PlanRefusal {
  const frame = `model '${model.name}' in domain '${domain}' is invalid: `;
  return {
    code: 'PLAN_INVALID_MODEL',
    message: isWhole ? reason : frame + reason,
    ...about(model),
  };
}

/** @param users names of the models in the way, unique and sorted */
export function modelInUse(
  domain: string,
  model: ModelIdentity,
  users: readonly string[],
): PlanRefusal {
  return {
    code: 'PLAN_MODEL_IN_USE',
    message:
      `cannot delete model '${model.name}' in domain '${domain}' ` +
      `because it is used by ${users.join(', ')}`,
    ...about(model),
  };
}

/** @param reference the absent model and the node that names it */
export function missingReference(
  domain: string,
  model: Model,
  reference: ModelIdentity & { readonly subject: object },
): PlanRefusal {
  const { kind, name, subject } = reference;
  return {
    code: 'PLAN_MISSING_REFERENCE',
    message:
      `model '${model.name}' in domain '${domain}' ` +
      `requires missing ${kindWords(kind)} '${name}'`,
    model: { kind: model.kind, name: model.name },
    missingName: name,
    subject,
  };
}

function about(model: ModelIdentity): Pick<PlanRefusal, 'model' | 'subject'> {
  return { model: { kind: model.kind, name: model.name }, subject: model };
}
