import {
  assert,
  columnTypeName,
  integerRange,
  isIntegerType,
  type TypedAggregate,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from '../program/cast-value.js';
import type { CentredProducts } from './structures.js';

/** Values of a BOOL argument. */
export interface TruthCounts {
  readonly trueCount: number;
  readonly falseCount: number;
}

/** Sum of the integers of an argument. */
export interface IntegerTotal {
  readonly count: number;
  readonly total: bigint;
}

/** Numbers of an argument, as far as one pass over them tells. */
export interface NumberTotal {
  readonly count: number;
  /** Infinite or NaN when it left the range of doubles. */
  readonly sum: number;
}

/** COUNT_IF, BOOL_AND and BOOL_OR. */
export function truthResult(name: string, { trueCount, falseCount }: TruthCounts): Value {
  if (name === 'COUNT_IF') return BigInt(trueCount);
  if (trueCount + falseCount === 0) return null;
  return name === 'BOOL_AND' ? falseCount === 0 : trueCount > 0;
}

/**
 * SUM of integers.
 *
 * @returns undefined for a sum that does not fit its type
 */
export function integerSum(
  { type }: TypedAggregate,
  { count, total }: IntegerTotal,
): Value | undefined {
  if (count === 0) return null;
  if (!isIntegerType(type)) return Number(total);
  const { min, max } = integerRange(type);
  return total < min || total > max ? undefined : integerValue(total, type);
}

/**
 * SUM of floats.
 *
 * @returns undefined for a sum that does not fit its type
 */
export function floatSum({ type }: TypedAggregate, { count, sum }: NumberTotal): Value | undefined {
  if (count === 0) return null;
  const result = type === 'F32' ? Math.fround(sum) : sum;
  return Number.isFinite(result) ? result : undefined;
}

/** Mean and variance of an argument. */
export interface NumberMoments {
  readonly count: number;
  readonly mean: () => number;
  readonly centredSquares: () => number;
}

/** AVG, the variances and the standard deviations. */
export function momentResult(name: string, moments: NumberMoments): Value {
  const { count } = moments;
  const isSample = name.endsWith('_SAMP');
  if (count < (isSample ? 2 : 1)) return null;
  if (name === 'AVG') return moments.mean();
  const variance = moments.centredSquares() / (isSample ? count - 1 : count);
  return name.startsWith('STDDEV') ? Math.sqrt(variance) : variance;
}

/** COVAR_POP, COVAR_SAMP and CORR of pairs, of which `centred` tells the products. */
export function coMomentResult(name: string, count: number, centred: () => CentredProducts): Value {
  if (count < (name === 'COVAR_POP' ? 1 : 2)) return null;
  const { leftSquares, rightSquares, products } = centred();
  if (name === 'COVAR_POP') return products / count;
  if (name === 'COVAR_SAMP') return products / (count - 1);
  assert(name === 'CORR', 'co-moments serve three functions');
  if (leftSquares === 0 || rightSquares === 0) return null;
  const squared = leftSquares * rightSquares;
  const isExact = Number.isFinite(squared) && squared > Number.MIN_VALUE / Number.EPSILON;
  const scale = isExact ? Math.sqrt(squared) : Math.sqrt(leftSquares) * Math.sqrt(rightSquares);
  const correlation = products / scale;
  return Math.max(-1, Math.min(1, correlation));
}

/** Why a window has no results when one of them does not fit its type. */
export function unfitDetail({ function: name, type }: TypedAggregate): string {
  return `${name} of the window does not fit ${columnTypeName(type)}`;
}
