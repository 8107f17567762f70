import type { DataType, UdfPlan } from '@nervix/model';
import type { Value } from '../../src/column/column.js';
import { RowFault } from '../../src/program/row-fault.js';
import { DomainUdfs, type UdfLimits } from '../../src/udf/domain-udfs.js';

/** `T` or `T?` for an optional one. */
export type Declared = DataType | { readonly optional: DataType };

function declared(type: Declared) {
  return typeof type === 'object' && 'optional' in type
    ? { type: type.optional, optional: true }
    : { type, optional: false };
}

/** A UDF `f` in ECMAScript whose arguments are `a`, `b` and so on. */
export function udfPlan(
  code: string,
  parameters: readonly Declared[],
  returns: Declared,
  isVolatile = false,
): UdfPlan {
  return {
    name: 'f',
    language: 'ECMASCRIPT_2023',
    arguments: parameters.map((type, index) => ({
      name: 'abcdefgh'.charAt(index),
      ...declared(type),
    })),
    returns: declared(returns),
    volatile: isVolatile,
    code,
  };
}

/** What calls see in tests: the epoch's first billion of seconds, and bytes that count up. */
export const UDF_CONTEXT = {
  nowNanos: 1_000_000_000_000_000_000n,
  randomBytes: (count: number) => Uint8Array.from({ length: count }, (_, index) => index + 1),
};

/** Results of calls of a UDF for rows of arguments; failures as `kind: detail`. */
export function callUdf(
  plan: UdfPlan,
  rows: readonly (readonly Value[])[],
  limits: Partial<UdfLimits> = {},
): readonly Value[] {
  // Tests bound work by steps; a machine with other work may need long for them.
  const bounds = { watchdogMs: 60_000, ...limits };
  return callsOf(new DomainUdfs([plan], undefined, bounds), rows, plan.arguments.length);
}

/** The same of functions that are loaded. */
export function callsOf(
  udfs: DomainUdfs,
  rows: readonly (readonly Value[])[],
  arity = 1,
): readonly Value[] {
  const columns = Array.from({ length: arity }, (_, index) =>
    rows.map((row) => row[index] as Value),
  );
  return udfs
    .call('f', columns, rows.length, UDF_CONTEXT)
    .map((result) => (result instanceof RowFault ? `${result.kind}: ${result.detail}` : result));
}
