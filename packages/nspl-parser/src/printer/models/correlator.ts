import type { CorrelatorModel, UnmatchedPolicy } from '@nervix/model';
import { printExpression } from '../expression.js';
import { clauseStatement } from '../layout.js';
import { printBranching, printDependency, printInputs, routeLines } from '../route.js';

export function printCorrelator(model: CorrelatorModel, create: string): string {
  const { left, right } = model.onTimeout;
  return clauseStatement(`${create} ${model.acknowledgement} CORRELATOR ${model.name}`, [
    `LEFT FROM ${printInputs(model.left)}`,
    `RIGHT FROM ${printInputs(model.right)}`,
    `CORRELATE WHERE ${printExpression(model.correlateWhere)}`,
    `MATCH ${model.match}`,
    `MAX TIME ${model.maxTime}`,
    `ON CORRELATION TIMEOUT ${printUnmatched(left)}, ${printUnmatched(right)}`,
    printBranching(model.branching),
    ...model.dependencies.map(printDependency),
    ...model.routes.flatMap(routeLines),
  ]);
}

function printUnmatched(policy: UnmatchedPolicy): string {
  return policy.kind === 'drop' ? 'DROP' : `SEND TO ${policy.relay}`;
}
