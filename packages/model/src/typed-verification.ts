import {
  containsBytes,
  type DataType,
  equalTypes,
  integerRange,
  isIntegerType,
  isScalarType,
  printDataType,
} from './data-type.js';
import { resolveCall } from './functions/call-resolution.js';
import { conversionOf } from './functions/conversion-table.js';
import { findFunction } from './functions/function-table.js';
import {
  BINARY_OPERATORS,
  type OperatorSignature,
  operatorResult,
  UNARY_OPERATORS,
  WORD_OPERATORS,
} from './functions/operator-table.js';
import { isOfClass } from './functions/type-class.js';
import type {
  TypedCall,
  TypedCase,
  TypedExpression,
  TypedList,
  TypedLiteral,
} from './typed-expression.js';
import { typedNodes, typedParts } from './typed-parts.js';

/** Type and nullability that follow from the parts of a node. */
interface Derived {
  readonly type: DataType;
  readonly optional: boolean;
}

/**
 * Why a typed expression is not one, or undefined. It derives every node anew from its parts and the
 * tables of functions, operators and conversions, so that whoever reads an expression from elsewhere
 * may trust it: no type is converted on the way, and nothing that may be null claims not to be.
 */
export function typedExpressionDefect(root: TypedExpression): string | undefined {
  for (const node of typedNodes(root)) {
    const defect = nodeDefect(node);
    if (defect !== undefined) return `${node.kind}: ${defect}`;
  }
  return undefined;
}

function nodeDefect(node: TypedExpression): string | undefined {
  const derived = derive(node);
  if (typeof derived === 'string') return derived;
  const parts = typedParts(node);
  // The other way round it may be: leak_sensitive leaves no node of its own.
  const isSource = parts.length === 0 || node.kind === 'lookup';
  if (node.sensitive && !isSource && !parts.some((part) => part.sensitive)) {
    return 'is sensitive without a part that is';
  }
  if (derived === null) return undefined;
  if (!equalTypes(derived.type, node.type)) {
    return `has type ${printDataType(derived.type)}, not ${printDataType(node.type)}`;
  }
  if (derived.optional === node.optional) return undefined;
  return derived.optional ? 'may be null' : 'is never null';
}

/** null where the node itself is the source of its type; text for a defect. */
function derive(node: TypedExpression): Derived | null | string {
  switch (node.kind) {
    case 'literal':
      return literalDefect(node) ?? { type: node.type, optional: node.value === null };
    case 'column':
    case 'state':
    case 'aggregate':
      return null;
    case 'unary':
      return operation(UNARY_OPERATORS[node.operator], [node.operand]);
    case 'binary':
      return operation(BINARY_OPERATORS[node.operator], [node.left, node.right]);
    case 'distinct':
      return operation(WORD_OPERATORS.distinct, [node.left, node.right]);
    case 'between':
      return operation(WORD_OPERATORS.between, [node.operand, node.low, node.high]);
    case 'in': {
      const parts = [node.operand, ...node.elements];
      const derived = operation(WORD_OPERATORS.in, parts);
      if (typeof derived === 'string') return derived;
      if (node.elements.some((element) => element.optional))
        return 'has an element that may be null';
      return { ...derived, optional: node.elements.length > 0 && node.operand.optional };
    }
    case 'cast':
      if (conversionOf(node.operand.type, node.target) === 'refused') return 'cannot be converted';
      return { type: node.target, optional: node.isTry || node.operand.optional };
    case 'case':
      return deriveCase(node);
    case 'call':
      return deriveCall(node);
    case 'udf_call':
      return null;
    case 'list':
      return deriveList(node);
    case 'lookup':
      return containsBytes(node.key.type) ? 'has a key of BYTES' : { ...node, optional: true };
    case 'json_read':
      return node.document.type === 'STRING' ? { ...node, optional: true } : 'reads no STRING';
    case 'json_exists':
      if (node.document.type !== 'STRING') return 'reads no STRING';
      return { type: 'BOOL', optional: node.document.optional };
  }
}

function literalDefect({ type, value }: TypedLiteral): string | undefined {
  if (value === null) return undefined;
  if (isIntegerType(type) || type === 'DATETIME') {
    if (typeof value !== 'string' || !/^-?[0-9]+$/u.test(value)) return 'is no decimal text';
    const { min, max } = integerRange(type === 'DATETIME' ? 'I64' : type);
    const number = BigInt(value);
    return number < min || number > max ? `is out of the range of ${type}` : undefined;
  }
  if (type === 'BOOL') return typeof value === 'boolean' ? undefined : 'is no boolean';
  if (type === 'STRING') return typeof value === 'string' ? undefined : 'is no text';
  if (type === 'F32' || type === 'F64') return Number.isFinite(value) ? undefined : 'is no number';
  return `has a type without literals, ${printDataType(type)}`;
}

function operation(
  signature: OperatorSignature,
  parts: readonly TypedExpression[],
): Derived | string {
  const [first] = parts;
  if (first === undefined) return 'has no operand';
  if (!isOfClass(first.type, signature.operands)) return `takes no ${printDataType(first.type)}`;
  const other = parts.find((part) => !equalTypes(part.type, first.type));
  if (other !== undefined)
    return `mixes ${printDataType(first.type)} and ${printDataType(other.type)}`;
  return {
    type: operatorResult(signature, first.type),
    optional: signature.nulls !== 'never' && parts.some((part) => part.optional),
  };
}

function deriveCase({ operand, arms, otherwise }: TypedCase): Derived | string {
  const wanted = operand?.type ?? 'BOOL';
  if (!isScalarType(wanted)) return 'matches lists';
  if (arms.some(({ when }) => !equalTypes(when.type, wanted)))
    return 'has a condition of another type';
  const results = arms.map(({ then }) => then);
  if (otherwise !== null) results.push(otherwise);
  const [first] = results;
  if (first === undefined || !isScalarType(first.type)) return 'has no scalar result';
  if (results.some(({ type }) => type !== first.type)) return 'has results of two types';
  const optional = otherwise === null || results.some((result) => result.optional);
  return { type: first.type, optional };
}

function deriveCall(node: TypedCall): Derived | string {
  const definition = findFunction(node.function);
  if (definition === undefined || definition.name !== node.function) return 'calls no function';
  const resolution = resolveCall(definition, node.arguments);
  if (resolution.kind !== 'ok') return `calls ${node.function} with other arguments`;
  if (resolution.signature.overload !== node.overload) return `is no call of ${node.overload}`;
  const variable = resolution.parameters.findIndex(
    ({ constant }, index) =>
      constant !== null && constant !== 'network' && node.arguments[index]?.kind !== 'literal',
  );
  if (variable >= 0)
    return `calls ${node.function} with an argument ${variable + 1} that is no literal`;
  const { type, optional } = resolution;
  return type === null ? 'has no value' : { type, optional };
}

function deriveList({ elements, type }: TypedList): Derived | string {
  if (isScalarType(type)) return 'is no list';
  if (elements.some((element) => !equalTypes(element.type, type.element))) {
    return 'has an element of another type';
  }
  if (type.kind === 'array' && type.length !== elements.length) return 'has another length';
  return { type, optional: elements.some((element) => element.optional) };
}
