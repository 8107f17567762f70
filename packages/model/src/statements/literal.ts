/** A value that is written, not computed. */
export type LiteralValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean };
/** A field and the value it is to have. */
export interface LiteralBinding {
  readonly field: string;
  readonly value: LiteralValue;
}
