/** What `CREATE BRANCH` defines. */
export interface BranchModel {
  readonly kind: 'branch';
  readonly name: string;
  readonly schema: string;
  readonly ttl: string;
  /** Decimal text of the `MAX INSTANCES … EVICT LRU` bound, or null without one. */
  readonly maxInstances: string | null;
}
