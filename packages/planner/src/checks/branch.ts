import { type BranchModel, type BranchPlan, containsBytes } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';
import { positiveCount, positiveDuration, quantityDefect } from './quantities.js';

/** Checks a branch declaration: its key fields, its time to live and its bound. */
export function planBranch(context: PlanningContext, model: BranchModel): BranchPlan | undefined {
  const report = context.reporter(model);
  for (const field of context.fieldsOf(model.schema).values()) {
    if (!containsBytes(field.type)) continue;
    const place = `branch '${model.name}' in domain '${context.domain}'`;
    report.whole(`${place} uses BYTES in field '${field.name}'`);
    return undefined;
  }
  const ttl = positiveDuration(model.ttl);
  if (ttl.kind !== 'ok') {
    report.invalid(`invalid branch ttl '${model.ttl}': ${quantityDefect(ttl)}`);
    return undefined;
  }
  const plan = { name: model.name, schema: model.schema, ttlNanos: ttl.value };
  if (model.maxInstances === null) return { ...plan, maxInstances: null };
  const maximum = positiveCount(model.maxInstances);
  if (maximum.kind === 'ok') return { ...plan, maxInstances: maximum.value };
  const reason =
    maximum.kind === 'zero' ? 'must be greater than zero' : `is invalid: ${maximum.reason}`;
  report.invalid(`branch MAX INSTANCES ${reason}`);
  return undefined;
}
