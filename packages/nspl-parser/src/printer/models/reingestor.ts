import type { ReingestorModel } from '@nervix/model';
import { printExpression } from '../expression.js';
import { clauseStatement } from '../layout.js';
import { printDependency, printInputs, routeLines } from '../route.js';

export function printReingestor(model: ReingestorModel, create: string): string {
  return clauseStatement(`${create} ${model.acknowledgement} REINGESTOR ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...(model.filter === null ? [] : [`FILTER WHERE ${printExpression(model.filter)}`]),
    ...model.dependencies.map(printDependency),
    ...model.routes.flatMap(routeLines),
  ]);
}
