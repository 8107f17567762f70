import type { Settings } from './settings.js';

/** Capacity held back: a number of nodes, or a share of them in percent. Decimal text. */
export interface PoolReserve {
  readonly amount: string;
  readonly unit: 'nodes' | 'percent';
}
/** `CREATE POOL`. */
export interface CreatePoolStatement {
  readonly kind: 'create_pool';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly reserve: PoolReserve | null;
  readonly failureDomain: string | null;
  readonly trust: string | null;
  readonly budget: Settings | null;
}
/** What `ALTER POOL` does. */
export type PoolOperation =
  | { readonly op: 'set_reserve'; readonly reserve: PoolReserve }
  | { readonly op: 'set_failure_domain'; readonly failureDomain: string }
  | { readonly op: 'set_trust'; readonly trust: string }
  | { readonly op: 'set_budget'; readonly budget: Settings }
  | { readonly op: 'drop_reserve' | 'drop_failure_domain' | 'drop_trust' | 'drop_budget' };
/** `ALTER POOL`. */
export interface AlterPoolStatement {
  readonly kind: 'alter_pool';
  readonly name: string;
  readonly operations: readonly PoolOperation[];
}

/** Statements about pools. */
export type PoolStatement = CreatePoolStatement | AlterPoolStatement;
