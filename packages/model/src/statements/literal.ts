export type LiteralValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean };
export interface LiteralBinding {
  readonly field: string;
  readonly value: LiteralValue;
}
