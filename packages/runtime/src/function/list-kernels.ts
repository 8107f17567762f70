import {
  type DataType,
  integerRange,
  isFloatType,
  isIntegerType,
  type TypedCall,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from '../program/cast-value.js';
import { arithmetic } from '../program/interpret-arithmetic.js';
import { invalidArgument, overflow, RowFault } from '../program/row-fault.js';
import { compareScalars, equalScalars } from '../program/scalar-order.js';
import { argumentType, type Kernel, type KernelFamily, plain } from './kernel.js';
import { countArgument } from './text-functions.js';

type List = readonly Value[];
type Count = number | bigint;

/** Kernels of the functions over ARRAY and VEC. */
export const LIST_KERNELS: KernelFamily = {
  array: () => (values) => values,
  vec: () => (values) => values,
  count: plain((list: List) => BigInt(list.length)),
  sum: sumKernel,
  first: plain((list: List) => list[0] ?? null),
  last: plain((list: List) => list.at(-1) ?? null),
  min: (call) => extremumKernel(call, -1),
  max: (call) => extremumKernel(call, 1),
  nth: plain((list: List, position: Count) => list[countArgument(position)] ?? null),
  'contains.list': plain((list: List, element: Value) =>
    list.some((each) => equalScalars(each, element)),
  ),
  overlap: plain((left: List, right: List) =>
    left.some((each) => right.some((other) => equalScalars(each, other))),
  ),
  slice: plain((list: List, start: Count, length: Count) => {
    const from = Math.max(0, countArgument(start));
    return list.slice(from, from + Math.max(0, countArgument(length)));
  }),
  'concat.list': () => (lists) => (lists as readonly List[]).flat(),
  mean: plain((list: List) => {
    if (list.length === 0) return null;
    let sum = 0;
    for (const each of list) sum += Number(each);
    return finite(sum / list.length, 'mean');
  }),
  dot: dotKernel,
  distance: plain((left: List, right: List) => {
    checkLengths(left, right);
    let sum = 0;
    for (let index = 0; index < left.length; index += 1) {
      const difference = Number(left[index]) - Number(right[index]);
      sum += difference * difference;
    }
    return finite(Math.sqrt(sum), 'distance');
  }),
};

/** Type of the elements of a list argument. */
function elementType(call: TypedCall): DataType {
  const type = argumentType(call, 0);
  return typeof type === 'string' ? type : type.element;
}

function finite(value: number, name: string): number {
  if (!Number.isFinite(value)) throw invalidArgument(`${name} produced a non-finite result`);
  return value;
}

/** Integers are summed exactly and checked at the end; floats round at each step to their type. */
function sumKernel({ type }: TypedCall): Kernel {
  if (isIntegerType(type)) {
    const { min, max } = integerRange(type);
    return ([list]) => {
      if ((list as List).length === 0) return null;
      let sum = 0n;
      for (const each of list as readonly Count[]) sum += BigInt(each);
      if (sum < min || sum > max) throw overflow('integer sum overflowed');
      return integerValue(sum, type);
    };
  }
  const round = type === 'F32' ? Math.fround : (value: number) => value;
  return ([list]) => {
    const [first, ...others] = list as readonly number[];
    if (first === undefined) return null;
    let sum = first;
    for (const each of others) sum = round(sum + each);
    return finite(sum, 'sum');
  };
}

function checkLengths(left: List, right: List): void {
  if (left.length === right.length) return;
  throw invalidArgument(
    `vector lengths differ: left has ${left.length}, right has ${right.length}`,
  );
}

/** Each product and each sum is checked at the type of the elements. */
function dotKernel({ type }: TypedCall): Kernel {
  const zero = isIntegerType(type) ? integerValue(0n, type) : 0;
  return ([left, right]) => {
    const [first, second] = [left as List, right as List];
    checkLengths(first, second);
    let sum: Value = zero;
    for (let index = 0; index < first.length; index += 1) {
      sum = step(type, () => {
        const product = arithmetic('mul', first[index] ?? null, second[index] ?? null, type);
        return arithmetic('add', sum, product, type);
      });
    }
    return sum;
  };
}

function step(type: DataType, compute: () => Value): Value {
  try {
    return compute();
  } catch (fault) {
    if (!(fault instanceof RowFault)) throw fault;
    fault.detail = isIntegerType(type)
      ? 'integer dot product overflowed'
      : 'dot produced a non-finite result';
    throw fault;
  }
}

/** The smallest or largest element, floats in the total order of IEEE 754. */
function extremumKernel(call: TypedCall, direction: 1 | -1): Kernel {
  const compare = isFloatType(elementType(call)) ? compareTotally : compareScalars;
  return ([list]) => {
    let best: Value = null;
    for (const each of list as List) {
      if (best === null || compare(each, best) * direction > 0) best = each;
    }
    return best;
  };
}

const cell = new Float64Array(1);
const bits = new BigInt64Array(cell.buffer);

/** Position of a double in the total order: its bits, the negative ones reversed. */
function totalRank(value: number): bigint {
  cell[0] = value;
  const pattern = bits[0] as bigint;
  return pattern < 0n ? pattern ^ 0x7fffffffffffffffn : pattern;
}

function compareTotally(left: Value, right: Value): number {
  const [first, second] = [totalRank(left as number), totalRank(right as number)];
  return first < second ? -1 : first > second ? 1 : 0;
}
