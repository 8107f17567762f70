import { shortestFloat } from '@nervix/model';

/** A JSON value with exact integers. Objects keep the order of their members. */
export type JsonTree =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonTree[]
  | { readonly [member: string]: JsonTree };

/** Thrown by readers and writers of formats: why a value is none of the other side. */
export class UnrepresentableError extends Error {}

/** Deepest nesting of values that pass through programs. */
export const TREE_DEPTH_MAX = 128;

const INTEGER = /^-?[0-9]+$/;

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

/** The value of a JSON text that is known to be one; integers become bigint, but not `-0`. */
export function parseTree(json: string): JsonTree {
  const revive: Reviver = (_key, value, { source }) => {
    const isInteger = typeof value === 'number' && source !== undefined && INTEGER.test(source);
    return isInteger && !Object.is(value, -0) ? BigInt(source) : value;
  };
  return JSON.parse(json, revive as Parameters<typeof JSON.parse>[1]) as JsonTree;
}

/**
 * A value as a compact JSON text.
 *
 * @throws UnrepresentableError for what JSON has no form for: non-finite numbers, halves of surrogate
 *   pairs, functions and the like, and for nesting deeper than 128
 */
export function printTree(value: unknown, depth = 0): string {
  if (depth > TREE_DEPTH_MAX)
    throw new UnrepresentableError(`nesting deeper than ${TREE_DEPTH_MAX}`);
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return printNumber(value);
    case 'string':
      return printText(value);
    case 'object':
      return printObject(value, depth);
    default:
      throw new UnrepresentableError('a value that JSON has no form for');
  }
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new UnrepresentableError('a number that is not finite');
  const text = shortestFloat(value, false);
  // A float stays one: `1.0` is no integer in any format.
  return INTEGER.test(text) ? `${text}.0` : text;
}

/**
 * Whether an integer's digits are those of a float: JSON writes floats below 10^21 without a fraction
 * or an exponent.
 */
export function isFloatText(integer: bigint): boolean {
  return String(Number(integer)) === String(integer);
}

function printText(value: string): string {
  if (!value.isWellFormed()) throw new UnrepresentableError('half of a surrogate pair');
  return JSON.stringify(value);
}

function printObject(value: object | null, depth: number): string {
  if (value === null) return 'null';
  if (value instanceof Date) return printText(value.toISOString());
  if (Array.isArray(value)) {
    return `[${value.map((element) => printTree(element, depth + 1)).join(',')}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${printText(name)}:${printTree(member, depth + 1)}`,
  );
  return `{${members.join(',')}}`;
}
