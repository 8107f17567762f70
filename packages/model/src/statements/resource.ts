/** Kinds of models that bind a resource. */
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

/** A model that is bound to another version. */
export interface RebindMember {
  readonly kind: RebindableKind;
  readonly name: string;
}
/** `CREATE RESOURCE`. */
export interface CreateResourceStatement {
  readonly kind: 'create_resource';
  readonly ifNotExists: boolean;
  readonly name: string;
}
/** `DESCRIBE RESOURCE`. */
export interface DescribeResourceStatement {
  readonly kind: 'describe_resource';
  readonly name: string;
  /** Decimal text, or null for all. */
  readonly version: string | null;
}
/** `REBIND RESOURCE`. */
export interface RebindResourceStatement {
  readonly kind: 'rebind_resource';
  readonly resource: string;
  /** Decimal text or LATEST. */
  readonly version: string;
  /** Sorted by kind and name, without repetition; null for every model that binds the resource. */
  readonly members: readonly RebindMember[] | null;
}

/** Statements about resources. */
export type ResourceStatement =
  | CreateResourceStatement
  | DescribeResourceStatement
  | RebindResourceStatement;
