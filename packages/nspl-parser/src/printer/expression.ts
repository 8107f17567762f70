import { type Expression, printDataType, unreachable } from '@nervix/model';
import {
  ADDITIVE,
  ATOM,
  BINARY_OPERATORS,
  CAST,
  COMPARISON,
  UNARY,
} from '../expression/operators.js';
import { fieldName, floatLiteral, functionName, qualifiedName, stringLiteral } from './lexical.js';

/** How tightly an expression holds together. */
function levelOf(expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return BINARY_OPERATORS[expression.operator].level;
    case 'distinct':
    case 'in':
    case 'between':
      return COMPARISON;
    case 'unary':
      return UNARY;
    case 'cast':
      return expression.isTry ? ATOM : CAST;
    default:
      return ATOM;
  }
}

/**
 * Canonical text of an expression, with no more parentheses than it needs.
 *
 * @throws UnprintableError for an expression that cannot be written
 */
export function printExpression(expression: Expression): string {
  const parts: string[] = [];
  write(expression, parts);
  return parts.join('');
}

/** An operator, its leftmost operand left out: what follows that operand. */
interface Tail {
  readonly node: Expression;
  readonly isGroup: boolean;
}

/**
 * Writes an expression. Chains of operators are followed along their left operands in a loop, so
 * that a sum of a hundred thousand terms needs no deep recursion.
 */
function write(expression: Expression, parts: string[]): void {
  const tails: Tail[] = [];
  let isGroup = false;
  let current = expression;
  for (;;) {
    if (isGroup) parts.push('(');
    const left = leftOperand(current);
    if (left === undefined) break;
    tails.push({ node: current, isGroup });
    isGroup = levelOf(left.operand) < left.level;
    current = left.operand;
  }
  writeHead(current, parts);
  if (isGroup) parts.push(')');
  for (let index = tails.length - 1; index >= 0; index -= 1) {
    const tail = tails[index];
    if (tail === undefined) continue;
    writeTail(tail.node, parts);
    if (tail.isGroup) parts.push(')');
  }
}

/** The operand an infix or suffix form begins with and the level it needs. */
function leftOperand(
  node: Expression,
): { readonly operand: Expression; readonly level: number } | undefined {
  switch (node.kind) {
    case 'binary':
      return { operand: node.left, level: BINARY_OPERATORS[node.operator].level };
    case 'distinct':
      return { operand: node.left, level: COMPARISON };
    case 'in':
    case 'between':
      return { operand: node.operand, level: COMPARISON };
    case 'cast':
      return node.isTry ? undefined : { operand: node.operand, level: CAST };
    default:
      return undefined;
  }
}

function writeGrouped(expression: Expression, minLevel: number, parts: string[]): void {
  if (levelOf(expression) >= minLevel) {
    write(expression, parts);
    return;
  }
  parts.push('(');
  write(expression, parts);
  parts.push(')');
}

/** Writes what follows the left operand. */
function writeTail(node: Expression, parts: string[]): void {
  switch (node.kind) {
    case 'binary': {
      const { level, text } = BINARY_OPERATORS[node.operator];
      parts.push(` ${text} `);
      writeGrouped(node.right, level + 1, parts);
      return;
    }
    case 'distinct':
      parts.push(node.negated ? ' IS NOT DISTINCT FROM ' : ' IS DISTINCT FROM ');
      writeGrouped(node.right, ADDITIVE, parts);
      return;
    case 'in':
      parts.push(node.negated ? ' NOT IN (' : ' IN (');
      writeList(node.elements, parts);
      parts.push(')');
      return;
    case 'between':
      parts.push(node.negated ? ' NOT BETWEEN ' : ' BETWEEN ');
      writeGrouped(node.low, ADDITIVE, parts);
      parts.push(' AND ');
      writeGrouped(node.high, ADDITIVE, parts);
      return;
    case 'cast':
      parts.push(` AS ${node.target}`);
      return;
    default:
      return;
  }
}

function writeList(elements: readonly Expression[], parts: string[]): void {
  elements.forEach((element, index) => {
    if (index > 0) parts.push(', ');
    write(element, parts);
  });
}

function writeCall(name: string, elements: readonly Expression[], parts: string[]): void {
  parts.push(name, '(');
  writeList(elements, parts);
  parts.push(')');
}

/** Writes a form that does not begin with an operand. */
function writeHead(node: Expression, parts: string[]): void {
  switch (node.kind) {
    case 'unary':
      parts.push(node.operator === 'neg' ? '-' : 'NOT ');
      writeGrouped(node.operand, CAST, parts);
      return;
    case 'call':
      writeCall(functionName(node.name), node.arguments, parts);
      return;
    case 'udf_call':
      writeCall(`udf::${qualifiedName(node.name)}`, node.arguments, parts);
      return;
    case 'list':
      parts.push('[');
      writeList(node.elements, parts);
      parts.push(']');
      return;
    case 'cast':
      parts.push('TRY_CAST(');
      write(node.operand, parts);
      parts.push(` AS ${node.target})`);
      return;
    case 'case':
      writeCase(node, parts);
      return;
    case 'json_read':
      parts.push(node.function, '(');
      write(node.document, parts);
      parts.push(`, ${stringLiteral(node.path)} AS ${printDataType(node.target)})`);
      return;
    case 'json_exists':
      parts.push('JSON_EXISTS(');
      write(node.document, parts);
      parts.push(`, ${stringLiteral(node.path)})`);
      return;
    case 'binary':
    case 'distinct':
    case 'in':
    case 'between':
      // A form that begins with an operand is written by `writeTail`.
      return;
    default:
      parts.push(printLeaf(node));
  }
}

type Leaf = Extract<
  Expression,
  { kind: 'integer' | 'float' | 'string' | 'boolean' | 'null' | 'field' | 'relay_state' }
>;

function printLeaf(leaf: Leaf): string {
  switch (leaf.kind) {
    case 'integer':
      return leaf.digits;
    case 'float':
      return floatLiteral(leaf.value);
    case 'string':
      return stringLiteral(leaf.value);
    case 'boolean':
      return leaf.value ? 'TRUE' : 'FALSE';
    case 'null':
      return 'NULL';
    case 'field':
      return leaf.scope === null
        ? fieldName(leaf.name)
        : `${leaf.scope}.${qualifiedName(leaf.name)}`;
    case 'relay_state':
      return `relay_state.${qualifiedName(leaf.relay)}.${qualifiedName(leaf.name)}`;
    default:
      return unreachable(leaf);
  }
}

function writeCase(node: Extract<Expression, { kind: 'case' }>, parts: string[]): void {
  if (node.form === 'if') {
    for (const { when, then } of node.arms.slice(0, 1)) {
      parts.push('IF ');
      write(when, parts);
      parts.push(' THEN ');
      write(then, parts);
    }
  } else {
    parts.push('CASE');
    if (node.operand !== null) {
      parts.push(' ');
      write(node.operand, parts);
    }
    for (const { when, then } of node.arms) {
      parts.push(' WHEN ');
      write(when, parts);
      parts.push(' THEN ');
      write(then, parts);
    }
  }
  if (node.otherwise !== null) {
    parts.push(' ELSE ');
    write(node.otherwise, parts);
  }
  parts.push(' END');
}
