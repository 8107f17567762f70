import type { TypedExpression } from '@nervix/model';

/** A typed expression with the one fact about it that the plan does not carry. */
export interface Checked {
  readonly expression: TypedExpression;
  /** Whether the value derives from a sensitive field. */
  readonly isSensitive: boolean;
}

/** null stands for the NULL literal, whose type its destination gives. */
export type CheckedValue = Checked | null;

/** Outcome of typing one node: the value, or the reason it is refused as text. */
export type CheckResult<Value = Checked> = Value | string;

export const NULL_PLACEMENT = 'NULL requires a declared optional assignment target';

/** True when any of the values derives from a sensitive field. */
export function anySensitive(values: readonly Checked[]): boolean {
  return values.some((value) => value.isSensitive);
}

/** True when any of the values may be null. */
export function anyOptional(values: readonly Checked[]): boolean {
  return values.some((value) => value.expression.optional);
}
