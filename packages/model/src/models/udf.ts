import type { DataType } from '../data-type.js';

/** An argument of a function. */
export interface UdfArgument {
  readonly name: string;
  readonly type: DataType;
  readonly optional: boolean;
}

/** A function written by the user. */
export interface UdfModel {
  readonly kind: 'udf';
  readonly name: string;
  /** Dialect of the code; stored as written, never reinterpreted. */
  readonly language: 'ROTO_0_13';
  /** 1 to 8. */
  readonly arguments: readonly UdfArgument[];
  readonly returns: { readonly type: DataType; readonly optional: boolean };
  /** Whether calls with equal arguments may differ. */
  readonly volatile: boolean;
  readonly code: string;
}
