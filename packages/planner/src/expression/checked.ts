import type { TypedExpression } from '@nervix/model';

/** `NULL`, or `vec()`: values whose type their destination gives. */
export type Untyped = { readonly kind: 'null' } | { readonly kind: 'empty_vec' };

/** A typed value, or one that is typed where it is stored. */
export type CheckedValue = TypedExpression | Untyped;

/** Outcome of typing one node: the value, or the reason it is refused as text. */
export type CheckResult<Value = TypedExpression> = Value | string;

export const NULL_PLACEMENT = 'NULL requires a declared optional assignment target';
export const EMPTY_VEC_PLACEMENT =
  'vec() without values may only be the whole value of a VEC field';

export function isUntyped(value: CheckedValue): value is Untyped {
  return value.kind === 'null' || value.kind === 'empty_vec';
}

/** Why a value without a type cannot stand where one is needed. */
export function placementDefect({ kind }: Untyped): string {
  return kind === 'null' ? NULL_PLACEMENT : EMPTY_VEC_PLACEMENT;
}

/** True when any of the values derives from a sensitive field. */
export function anySensitive(values: readonly TypedExpression[]): boolean {
  return values.some((value) => value.sensitive);
}

/** True when any of the values may be null. */
export function anyOptional(values: readonly TypedExpression[]): boolean {
  return values.some((value) => value.optional);
}
