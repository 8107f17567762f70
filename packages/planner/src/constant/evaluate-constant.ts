import {
  columnTypeName,
  type Expression,
  isFloatType,
  isIntegerType,
  isSignedIntegerType,
} from '@nervix/model';
import { conversionDefect } from '../expression/conversions.js';
import { type Constant, castConstant, isInRange } from './cast-constant.js';

export type ConstantOutcome =
  | { readonly kind: 'ok'; readonly constant: Constant }
  | { readonly kind: 'refused'; readonly reason: string };

type ChainLink = Extract<Expression, { kind: 'unary' | 'cast' }>;

/**
 * Evaluates a constant: a literal under any number of `-`, NOT, AS and TRY_CAST. A step that would
 * fail for a row refuses the constant.
 */
export function evaluateConstant(expression: Expression): ConstantOutcome {
  const links: ChainLink[] = [];
  let node = expression;
  while (node.kind === 'unary' || node.kind === 'cast') {
    links.push(node);
    node = node.operand;
  }
  let outcome = literalConstant(node);
  for (let index = links.length - 1; index >= 0 && outcome.kind === 'ok'; index -= 1) {
    const link = links[index];
    if (link !== undefined) outcome = applyLink(link, outcome.constant);
  }
  return outcome;
}

/** Digits of an integer literal are I64; undefined beyond its range. */
export function integerLiteral(digits: string): bigint | undefined {
  const value = BigInt(digits);
  return isInRange(value, 'I64') ? value : undefined;
}

function literalConstant(node: Expression): ConstantOutcome {
  switch (node.kind) {
    case 'integer': {
      const value = integerLiteral(node.digits);
      if (value === undefined) return refused(`integer literal ${node.digits} does not fit Int64`);
      return ok({ type: 'I64', value });
    }
    case 'float':
      return ok({ type: 'F64', value: node.value });
    case 'string':
      return ok({ type: 'STRING', value: node.value });
    case 'boolean':
      return ok({ type: 'BOOL', value: node.value });
    case 'null':
      return refused('NULL is not a constant with a value');
    default:
      return refused('only literals, unary operators and casts are constants');
  }
}

function applyLink(link: ChainLink, constant: Constant): ConstantOutcome {
  const { type, value } = constant;
  if (link.kind === 'cast') {
    const defect = conversionDefect(type, link.target);
    if (defect !== undefined) return refused(defect);
    if (value === null) return ok({ type: link.target, value });
    const converted = castConstant(value, type, link.target);
    if (converted !== undefined) return ok({ type: link.target, value: converted });
    if (link.isTry) return ok({ type: link.target, value: null });
    const target = link.target === 'DATETIME' ? 'Datetime' : columnTypeName(link.target);
    return refused(`cannot cast value to ${target}`);
  }
  const isValid =
    link.operator === 'not' ? type === 'BOOL' : isFloatType(type) || isSignedIntegerType(type);
  if (!isValid) {
    const operator = link.operator === 'not' ? 'Not' : 'Neg';
    return refused(`operator ${operator} is not valid for ${columnTypeName(type)}`);
  }
  if (typeof value === 'bigint') {
    const isLost = isIntegerType(type) && !isInRange(-value, type);
    return isLost ? refused('integer negation overflowed') : ok({ type, value: -value });
  }
  if (typeof value === 'number') return ok({ type, value: -value });
  return ok({ type, value: value === null ? null : !value });
}

function ok(constant: Constant): ConstantOutcome {
  return { kind: 'ok', constant };
}

function refused(reason: string): ConstantOutcome {
  return { kind: 'refused', reason };
}
