import {
  type Expression,
  type FunctionCall,
  type TypedExpression,
  unreachable,
} from '@nervix/model';
import { integerLiteral } from '../constant/evaluate-constant.js';
import { checkAggregate, isAggregate } from './aggregates.js';
import { checkCall } from './calls.js';
import { type Checked, type CheckedValue, type CheckResult, NULL_PLACEMENT } from './checked.js';
import { caseParts, checkCase } from './conditional.js';
import { checkCast } from './conversions.js';
import { checkIn } from './in-set.js';
import { checkBetween, checkBinary, checkDistinct, checkList, checkUnary } from './operators.js';
import { type ExpressionScope, resolveField } from './scope.js';
import { AGGREGATE_ARGUMENT } from './scope-policy.js';

/**
 * Deepest nesting. It is counted in tree edges that do not continue a flat chain; one bracket of
 * the text is at most eight of them, one per level of operators, so that texts within the
 * language's limit of 256 brackets always pass.
 */
export const NESTING_MAX: number = 256 * 8;

/** A refused expression: the reason and the node at fault. */
export interface ExpressionRefusal {
  readonly kind: 'refused';
  readonly reason: string;
  readonly subject: Expression;
}

export type ExpressionOutcome =
  | { readonly kind: 'ok'; readonly value: CheckedValue }
  | ExpressionRefusal;

/** A node whose parts are being typed, left to right. */
interface Frame {
  readonly node: Expression;
  readonly scope: ExpressionScope;
  readonly depth: number;
  readonly parts: readonly Expression[];
  readonly partScope: ExpressionScope;
  readonly values: CheckedValue[];
}

/**
 * Types an expression bottom-up. It keeps its own stack: operator chains may be longer than a call
 * stack is deep. The first refusal in evaluation order is the one reported.
 *
 * @param reads receives the path of every field read, such as `input.delay`
 */
export function checkExpression(
  root: Expression,
  scope: ExpressionScope,
  reads: Set<string>,
): ExpressionOutcome {
  const stack: Frame[] = [];
  const opened = openFrame(root, scope, 0);
  if (typeof opened === 'string') return { kind: 'refused', reason: opened, subject: root };
  stack.push(opened);
  for (;;) {
    const top = stack.at(-1);
    if (top === undefined) return { kind: 'ok', value: null };
    const part = top.parts[top.values.length];
    if (part !== undefined) {
      const depth = top.depth + (continuesChain(top) ? 0 : 1);
      const frame = openFrame(part, top.partScope, depth);
      if (typeof frame === 'string') return { kind: 'refused', reason: frame, subject: part };
      stack.push(frame);
      continue;
    }
    const result = closeFrame(top);
    if (typeof result === 'string') return { kind: 'refused', reason: result, subject: top.node };
    if (result !== null && result.expression.kind === 'column') {
      reads.add(`${result.expression.row}.${result.expression.field}`);
    }
    stack.pop();
    const parent = stack.at(-1);
    if (parent === undefined) return { kind: 'ok', value: result };
    if (result === null && parent.node.kind !== 'case') {
      return { kind: 'refused', reason: NULL_PLACEMENT, subject: top.node };
    }
    parent.values.push(result);
  }
}

/** True when the next part is the left end of a chain such as `a + b + c` or `x AS T AS U`. */
function continuesChain({ node, values }: Frame): boolean {
  if (values.length > 0) return false;
  switch (node.kind) {
    case 'binary':
    case 'cast':
    case 'distinct':
    case 'in':
    case 'between':
      return true;
    default:
      return false;
  }
}

function openFrame(node: Expression, scope: ExpressionScope, depth: number): CheckResult<Frame> {
  if (depth > NESTING_MAX) return 'expression nesting exceeds 256 levels';
  const isCalledAggregate =
    node.kind === 'call' && scope.policy.aggregates !== 'none' && isAggregate(node.name);
  if (isCalledAggregate && scope.policy.aggregates === 'arguments') {
    return 'aggregate functions must not be nested inside aggregate arguments';
  }
  const partScope = isCalledAggregate ? { ...scope, policy: AGGREGATE_ARGUMENT } : scope;
  return { node, scope, depth, parts: partsOf(node), partScope, values: [] };
}

/** Parts of a node in evaluation order; elements of IN are constants and typed apart. */
function partsOf(node: Expression): readonly Expression[] {
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
      return node.arguments;
    default:
      return [];
  }
}

function closeFrame(frame: Frame): CheckResult<CheckedValue> {
  const { node, values, scope } = frame;
  if (node.kind === 'null') return null;
  if (node.kind === 'case') return located(checkCase(node, values), frame);
  const present = values.filter((value) => value !== null);
  const isCalledAggregate =
    node.kind === 'call' && scope.policy.aggregates === 'calls' && isAggregate(node.name);
  const result = isCalledAggregate
    ? collectAggregate(node, present, frame)
    : combine(node, present, scope);
  return located(result, frame);
}

function combine(
  node: Exclude<Expression, { kind: 'null' | 'case' }>,
  values: readonly Checked[],
  scope: ExpressionScope,
): CheckResult {
  const [first, second, third] = values;
  switch (node.kind) {
    case 'integer':
      return integer(node.digits);
    case 'float':
      return literal({ kind: 'literal', value: node.value, type: 'F64', optional: false });
    case 'string':
      return literal({ kind: 'literal', value: node.value, type: 'STRING', optional: false });
    case 'boolean':
      return literal({ kind: 'literal', value: node.value, type: 'BOOL', optional: false });
    case 'field':
      return resolveField(node, scope);
    case 'relay_state':
      return (
        `materialized-state reference 'relay_state.${node.relay}' ` +
        'has no matching USING MATERIALIZED STATE declaration'
      );
    case 'udf_call':
      return `referenced UDF 'udf::${node.name}' does not exist`;
    case 'json_read':
      return `${node.function} is not supported by this release`;
    case 'json_exists':
      return 'JSON_EXISTS is not supported by this release';
    case 'call':
      return checkCall(node, values, scope.policy);
    case 'list':
      return checkList(values);
    case 'unary':
      return first === undefined ? NULL_PLACEMENT : checkUnary(node.operator, first);
    case 'cast':
      return first === undefined ? NULL_PLACEMENT : checkCast(node.isTry, first, node.target);
    case 'in':
      return first === undefined ? NULL_PLACEMENT : checkIn(node.negated, first, node.elements);
    case 'binary':
      if (first === undefined || second === undefined) return NULL_PLACEMENT;
      return checkBinary(node.operator, first, second);
    case 'distinct':
      if (first === undefined || second === undefined) return NULL_PLACEMENT;
      return checkDistinct(node.negated, first, second);
    case 'between':
      if (first === undefined || second === undefined || third === undefined) return NULL_PLACEMENT;
      return checkBetween(node.negated, [first, second, third]);
    default:
      return unreachable(node);
  }
}

function integer(digits: string): CheckResult {
  const value = integerLiteral(digits);
  if (value === undefined) return `integer literal ${digits} does not fit Int64`;
  return literal({ kind: 'literal', value: String(value), type: 'I64', optional: false });
}

function literal(expression: TypedExpression): Checked {
  return { expression, isSensitive: false };
}

function collectAggregate(
  node: FunctionCall,
  values: readonly Checked[],
  { scope }: Frame,
): CheckResult {
  const result = checkAggregate(node, values);
  if (typeof result === 'string') return result;
  const { type, optional } = result.aggregate;
  const index = scope.aggregates?.length ?? 0;
  const span = scope.spans.spanOf(node);
  scope.aggregates?.push(span === undefined ? result.aggregate : { ...result.aggregate, span });
  return {
    expression: { kind: 'aggregate', index, type, optional },
    isSensitive: result.isSensitive,
  };
}

/** Adds the node's range in the text, unless the value is that of an inner node. */
function located(result: CheckResult, { node, scope }: Frame): CheckResult {
  if (typeof result === 'string' || result.expression.span !== undefined) return result;
  const span = scope.spans.spanOf(node);
  if (span === undefined) return result;
  return { ...result, expression: { ...result.expression, span } };
}
