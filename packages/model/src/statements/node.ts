import type { Settings } from './settings.js';

/** Statements that name a cluster node and nothing else. */
export interface NodeStatement {
  readonly kind: 'cordon_node' | 'uncordon_node' | 'drain_node' | 'drop_node';
  readonly node: string;
}
/** What `ALTER NODE` does. */
export type NodeOperation =
  | { readonly op: 'set_pool'; readonly pool: string }
  | { readonly op: 'set_labels' | 'set_capacity'; readonly settings: Settings }
  | { readonly op: 'set_maintenance'; readonly from: string; readonly to: string }
  | { readonly op: 'drop_pool' | 'drop_labels' | 'drop_capacity' | 'drop_maintenance' };
/** `ALTER NODE`. */
export interface AlterNodeStatement {
  readonly kind: 'alter_node';
  readonly node: string;
  readonly operations: readonly NodeOperation[];
}
/** `QUARANTINE NODE`. */
export interface QuarantineNodeStatement {
  readonly kind: 'quarantine_node';
  readonly node: string;
  readonly reason: string | null;
}
/** `RELEASE NODE`. */
export interface ReleaseNodeStatement {
  readonly kind: 'release_node';
  readonly node: string;
  readonly evidence: string | null;
}
/** `ALTER CLUSTER`. */
export interface AlterClusterStatement {
  readonly kind: 'alter_cluster';
  /** Decimal text above zero. */
  readonly featureLevel: string;
}

/** Statements about cluster nodes. */
export type NodeAdministrationStatement =
  | NodeStatement
  | AlterNodeStatement
  | QuarantineNodeStatement
  | ReleaseNodeStatement
  | AlterClusterStatement;
