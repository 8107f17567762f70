import type { Value } from '../column/column.js';
import type { RowFault } from '../program/row-fault.js';

/** What calls see of the unit of work that they belong to. */
export interface UdfCallContext {
  /** Domain time in nanoseconds since 1970. */
  readonly nowNanos: bigint;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The functions that a domain defines. */
export interface UdfCalls {
  /** Whether there is a function of that name. */
  has(name: string): boolean;
  /** Positions of the arguments without which a row is not run: its result is null. */
  requiredArguments(name: string): readonly number[];
  /**
   * Calls a function for many rows, whose arguments are given column by column.
   *
   * @returns for each row its result, null, or why it has none
   * @throws RuntimeError RUNTIME_UDF_FAILED when no row has a result
   */
  call(
    name: string,
    columns: readonly (readonly Value[])[],
    rowCount: number,
    context: UdfCallContext,
  ): readonly (Value | RowFault)[];
}
