import { type Expression, type TypedExpression, unreachable } from '@nervix/model';
import { integerLiteral } from '../constant/evaluate-constant.js';
import { checkCall } from './calls.js';
import { type CheckResult, NULL_PLACEMENT } from './checked.js';
import { caseParts } from './conditional.js';
import { checkCast } from './conversions.js';
import { checkIn } from './in-set.js';
import { checkJsonExists, checkJsonRead } from './json-reads.js';
import { checkBetween, checkBinary, checkDistinct, checkList, checkUnary } from './operators.js';
import { type ExpressionScope, resolveField, resolveState } from './scope.js';
import { checkUdfCall } from './udf-calls.js';

/** Parts of a node in evaluation order; elements of IN are constants and typed apart. */
export function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'unary':
    case 'cast':
    case 'in':
      return [node.operand];
    case 'binary':
    case 'distinct':
      return [node.left, node.right];
    case 'between':
      return [node.operand, node.low, node.high];
    case 'case':
      return caseParts(node);
    case 'list':
      return node.elements;
    case 'call':
    case 'udf_call':
      return node.arguments;
    case 'json_read':
    case 'json_exists':
      return [node.document];
    default:
      return [];
  }
}

/** Types a node whose parts are typed, in their order. */
export function typeNode(
  node: Exclude<Expression, { kind: 'null' | 'case' }>,
  values: readonly TypedExpression[],
  scope: ExpressionScope,
): CheckResult {
  switch (node.kind) {
    case 'integer':
      return integer(node.digits);
    case 'float':
      return literal('F64', node.value);
    case 'string':
      return literal('STRING', node.value);
    case 'boolean':
      return literal('BOOL', node.value);
    case 'field':
      return resolveField(node, scope);
    case 'relay_state':
      return resolveState(node, scope);
    case 'udf_call':
      return checkUdfCall(node, values, scope);
    case 'call':
      return checkCall(node, values, scope);
    case 'list':
      return checkList(values, 'array');
    default:
      return typeOperation(node, values);
  }
}

type Operation = Extract<
  Expression,
  {
    kind: 'unary' | 'binary' | 'distinct' | 'in' | 'between' | 'cast' | 'json_read' | 'json_exists';
  }
>;

function typeOperation(node: Operation, values: readonly TypedExpression[]): CheckResult {
  const [first, second, third] = values;
  if (first === undefined) return NULL_PLACEMENT;
  switch (node.kind) {
    case 'unary':
      return checkUnary(node.operator, first);
    case 'cast':
      return checkCast(node.isTry, first, node.target);
    case 'in':
      return checkIn(node.negated, first, node.elements);
    case 'json_read':
      return checkJsonRead(node, first);
    case 'json_exists':
      return checkJsonExists(node, first);
    case 'binary':
      return second === undefined ? NULL_PLACEMENT : checkBinary(node.operator, first, second);
    case 'distinct':
      return second === undefined ? NULL_PLACEMENT : checkDistinct(node.negated, first, second);
    case 'between':
      if (second === undefined || third === undefined) return NULL_PLACEMENT;
      return checkBetween(node.negated, [first, second, third]);
    default:
      return unreachable(node);
  }
}

function integer(digits: string): CheckResult {
  const value = integerLiteral(digits);
  if (value === undefined) return `integer literal ${digits} does not fit Int64`;
  return literal('I64', String(value));
}

function literal(
  type: 'I64' | 'F64' | 'STRING' | 'BOOL',
  value: string | number | boolean,
): TypedExpression {
  return { kind: 'literal', value, type, optional: false, sensitive: false };
}
