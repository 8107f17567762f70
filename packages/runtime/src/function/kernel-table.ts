import type { TypedCall } from '@nervix/model';
import type { Value } from '../column/column.js';
import { RowFault } from '../program/row-fault.js';
import { BYTE_KERNELS } from './byte-kernels.js';
import { DATETIME_KERNELS } from './datetime-kernels.js';
import type { Attempt, Kernel, KernelFactory } from './kernel.js';
import { LIST_KERNELS } from './list-kernels.js';
import { NETWORK_KERNELS } from './network-kernels.js';
import { NUMBER_KERNELS } from './number-kernels.js';
import { PATTERN_KERNELS } from './pattern-kernels.js';
import { TEXT_KERNELS } from './text-kernels.js';

const FACTORIES: ReadonlyMap<string, KernelFactory> = new Map(
  [
    TEXT_KERNELS,
    PATTERN_KERNELS,
    BYTE_KERNELS,
    NETWORK_KERNELS,
    NUMBER_KERNELS,
    DATETIME_KERNELS,
    LIST_KERNELS,
  ].flatMap((family) => Object.entries(family)),
);

const kernels = new WeakMap<TypedCall, Kernel>();

/**
 * The kernel of a call that is null when an argument is, made at the first use of the call.
 *
 * @returns undefined for functions that look at nulls or at their surroundings
 */
export function kernelOf(call: TypedCall): Kernel | undefined {
  const known = kernels.get(call);
  if (known !== undefined) return known;
  const kernel = FACTORIES.get(call.overload)?.(call);
  if (kernel !== undefined) kernels.set(call, kernel);
  return kernel;
}

/** Overloads that have a kernel. */
export function kernelNames(): Iterable<string> {
  return FACTORIES.keys();
}

/** The kernel as generated loops call it. */
export function attemptOf(kernel: Kernel): Attempt {
  return (values: readonly Value[]) => {
    try {
      return kernel(values);
    } catch (fault) {
      if (fault instanceof RowFault) return fault;
      throw fault;
    }
  };
}
