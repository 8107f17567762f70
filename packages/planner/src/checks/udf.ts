import type { UdfModel, UdfPlan } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';
import { hasValidLengths } from './schema.js';

const ARGUMENTS_MAX = 8;
const RESERVED_PREFIX = '__nervix_';

/**
 * Checks the declaration of a UDF, whatever its language; what its code is worth is found by whoever
 * runs it. Only languages that have an engine become part of a plan.
 */
export function planUdf(context: PlanningContext, model: UdfModel): UdfPlan | undefined {
  const defect = declarationDefect(model);
  if (defect !== undefined) {
    context.reporter(model).invalid(defect);
    return undefined;
  }
  if (model.language === 'ROTO_0_13') return undefined;
  const { kind: _kind, ...plan } = model;
  return plan;
}

function declarationDefect(model: UdfModel): string | undefined {
  const { arguments: parameters, returns } = model;
  if (parameters.length < 1 || parameters.length > ARGUMENTS_MAX) {
    return `UDF arity must be between 1 and ${ARGUMENTS_MAX}`;
  }
  const names = parameters.map(({ name }) => name);
  const reserved = [model.name, ...names].find((name) => name.startsWith(RESERVED_PREFIX));
  if (reserved !== undefined) {
    return `UDF '${model.name}' uses reserved identifier prefix '${RESERVED_PREFIX}'`;
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `duplicate UDF argument '${repeated}'`;
  const isOutside = [...parameters, returns].some(({ type }) => !hasValidLengths(type));
  return isOutside ? `UDF '${model.name}' has an ARRAY length outside 1 to 2147483647` : undefined;
}
