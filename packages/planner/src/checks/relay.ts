import type { RelayModel, RelayPlan } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';
import { positiveCount, quantityDefect } from './quantities.js';

/** Checks a relay's name, capacity and state clause. */
export function planRelay(context: PlanningContext, model: RelayModel): RelayPlan | undefined {
  const report = context.reporter(model);
  if (model.name === 'branch') {
    report.schemaRelation("'branch' is a reserved namespace and cannot be used as a relay name");
    return undefined;
  }
  const capacity = positiveCount(model.capacity);
  if (capacity.kind !== 'ok') {
    report.invalid(`invalid relay CAPACITY '${model.capacity}': ${quantityDefect(capacity)}`);
    return undefined;
  }
  if (model.materialized) {
    report.unsupported('WITH MATERIALIZED STATE is');
    return undefined;
  }
  return {
    name: model.name,
    schema: model.schema,
    branch: context.branchOfRelay(model.name),
    capacity: capacity.value,
  };
}
