import {
  type DeduplicatorModel,
  type JunctionModel,
  statementWords,
  type WindowBound,
  type WindowProcessorModel,
} from '@nervix/model';
import { printExpression } from '../expression.js';
import { clauseStatement, type Lines } from '../layout.js';
import { printBranching, printDependency, printInputs, routeLines } from '../route.js';

type ProcessorModel = JunctionModel | DeduplicatorModel | WindowProcessorModel;

export function printProcessor(model: ProcessorModel, create: string): string {
  const kind = statementWords(model.kind);
  return clauseStatement(`${create} ${model.acknowledgement} ${kind} ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...(model.filter === null ? [] : [`FILTER WHERE ${printExpression(model.filter)}`]),
    ...kindClauses(model),
    printBranching(model.branching),
    ...model.dependencies.map(printDependency),
    ...model.routes.flatMap(routeLines),
  ]);
}

/** Clauses that only one kind of processor has. */
function kindClauses(model: ProcessorModel): Lines {
  switch (model.kind) {
    case 'junction':
      return [];
    case 'deduplicator':
      return [
        `DEDUPLICATE ON ${model.deduplicateOn.map(printExpression).join(', ')}`,
        `MAX TIME ${model.maxTime}`,
      ];
    default:
      return [
        `WIDTH ${printBound(model.width)}`,
        `STEP ${printBound(model.step)}`,
        ...(model.maxStateSize === null ? [] : [`MAX STATE SIZE ${model.maxStateSize}B`]),
      ];
  }
}

function printBound({ messages, duration }: WindowBound): string {
  return [
    ...(messages === null ? [] : [`${messages} MESSAGES`]),
    ...(duration === null ? [] : [`${duration} DURATION`]),
  ].join(' ');
}
