import { type GeneratorModel, printClockDuration } from '@nervix/model';
import { clauseStatement } from '../layout.js';
import { printBranching, routeLines } from '../route.js';

export function printGenerator(model: GeneratorModel, create: string): string {
  return clauseStatement(`${create} GENERATOR ${model.name}`, [
    `USING MATERIALIZED STATE ${model.state}`,
    `EACH ${printClockDuration(BigInt(model.eachNanos))}`,
    printBranching(model.branching),
    ...model.routes.flatMap(routeLines),
  ]);
}
