import type { DataType } from '../data-type.js';

/** An argument of a function. */
export interface UdfArgument {
  readonly name: string;
  readonly type: DataType;
  readonly optional: boolean;
}

/**
 * Language and version of a function's code. Code is stored as written and never read as that of
 * another language.
 */
export type UdfLanguage = 'ROTO_0_13' | 'ECMASCRIPT_2023';

/** A function written by the user. */
export interface UdfModel {
  readonly kind: 'udf';
  readonly name: string;
  readonly language: UdfLanguage;
  /** 1 to 8. */
  readonly arguments: readonly UdfArgument[];
  readonly returns: { readonly type: DataType; readonly optional: boolean };
  /** Whether calls with equal arguments may differ. */
  readonly volatile: boolean;
  readonly code: string;
}
