export const REBINDABLE_KINDS = [
  'vhost',
  'codec',
  'signaling_protocol',
  'inferencer',
  'wasm_processor',
  'hash_map',
  'client',
] as const;
/** Kinds of models that bind a resource. */
export type RebindableKind = (typeof REBINDABLE_KINDS)[number];

export interface RebindMember {
  readonly kind: RebindableKind;
  readonly name: string;
}
export interface CreateResourceStatement {
  readonly kind: 'create_resource';
  readonly ifNotExists: boolean;
  readonly name: string;
}
export interface DescribeResourceStatement {
  readonly kind: 'describe_resource';
  readonly name: string;
  /** Decimal text, or null for all. */
  readonly version: string | null;
}
export interface RebindResourceStatement {
  readonly kind: 'rebind_resource';
  readonly resource: string;
  /** Decimal text or LATEST. */
  readonly version: string;
  /** Sorted by kind and name, without repetition; null for every model that binds the resource. */
  readonly members: readonly RebindMember[] | null;
}

export type ResourceStatement =
  | CreateResourceStatement
  | DescribeResourceStatement
  | RebindResourceStatement;
