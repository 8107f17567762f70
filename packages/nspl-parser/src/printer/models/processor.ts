import {
  type DeduplicatorModel,
  type InferencerModel,
  type JunctionModel,
  printByteCount,
  type ReordererModel,
  statementWords,
  type TensorType,
  type WasmProcessorModel,
  type WindowBound,
  type WindowProcessorModel,
} from '@nervix/model';
import { printExpression } from '../expression.js';
import { block, clauseStatement, type Lines } from '../layout.js';
import { stringLiteral } from '../lexical.js';
import { printBranching, printDependency, printInputs, routeLines } from '../route.js';
import { printBinding } from './binding.js';

type ProcessorModel =
  | JunctionModel
  | DeduplicatorModel
  | ReordererModel
  | WindowProcessorModel
  | InferencerModel
  | WasmProcessorModel;

export function printProcessor(model: ProcessorModel, create: string): string {
  const kind = statementWords(model.kind);
  return clauseStatement(`${create} ${model.acknowledgement} ${kind} ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...(model.filter === null ? [] : [`FILTER WHERE ${printExpression(model.filter)}`]),
    ...kindClauses(model),
    printBranching(model.branching),
    ...model.dependencies.map(printDependency),
    ...model.routes.flatMap(routeLines),
    ...(model.kind === 'wasm_processor' ? guestPolicies(model) : []),
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
    case 'reorderer':
      return [`BY ${model.by.map(printExpression).join(', ')}`, `MAX TIME ${model.maxTime}`];
    case 'window_processor':
      return [
        `WIDTH ${printBound(model.width)}`,
        `STEP ${printBound(model.step)}`,
        ...(model.maxStateSize === null ? [] : [`MAX STATE SIZE ${model.maxStateSize}B`]),
      ];
    case 'inferencer':
      return inferenceClauses(model);
    default:
      return [
        ...programClauses(model),
        `MAX FUEL ${model.maxFuel}`,
        `MAX MEMORY ${printByteCount(BigInt(model.maxMemory))}`,
      ];
  }
}

function printBound({ messages, duration }: WindowBound): string {
  return [
    ...(messages === null ? [] : [`${messages} MESSAGES`]),
    ...(duration === null ? [] : [`${duration} DURATION`]),
  ].join(' ');
}

function programClauses({ resource, file }: InferencerModel | WasmProcessorModel): Lines {
  return [`USING${printBinding('RESOURCE', resource)}`, `FILE ${stringLiteral(file)}`];
}

function inferenceClauses(model: InferencerModel): Lines {
  const inputs = model.inputTensors.map(
    ({ name, type, value }) =>
      `${stringLiteral(name)} ${printTensor(type)} = ${printExpression(value)}`,
  );
  const outputs = model.outputSchema.map(
    ({ name, type }) => `${stringLiteral(name)} ${printTensor(type)}`,
  );
  return [...programClauses(model), ...block('INPUTS', inputs), ...block('OUTPUT SCHEMA', outputs)];
}

function printTensor({ element, dimensions }: TensorType): string {
  const list = dimensions.map((dimension) =>
    dimension.kind === 'fixed' ? dimension.size : dimension.kind.toUpperCase(),
  );
  return `DENSE TENSOR<${element}>[${list.join(', ')}]`;
}

function guestPolicies({ onRejectedState, globalError }: WasmProcessorModel): Lines {
  return [`ON REJECTED STATE ${onRejectedState}`, `ON GLOBAL ERROR ${globalError}`];
}
