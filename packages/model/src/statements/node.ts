import type { Settings } from './settings.js';

export interface NodeStatement {
  readonly kind: 'cordon_node' | 'uncordon_node' | 'drain_node' | 'drop_node';
  readonly node: string;
}
export type NodeOperation =
  | { readonly op: 'set_pool'; readonly pool: string }
  | { readonly op: 'set_labels' | 'set_capacity'; readonly settings: Settings }
  | { readonly op: 'set_maintenance'; readonly from: string; readonly to: string }
  | { readonly op: 'drop_pool' | 'drop_labels' | 'drop_capacity' | 'drop_maintenance' };
export interface AlterNodeStatement {
  readonly kind: 'alter_node';
  readonly node: string;
  readonly operations: readonly NodeOperation[];
}
export interface QuarantineNodeStatement {
  readonly kind: 'quarantine_node';
  readonly node: string;
  readonly reason: string | null;
}
export interface ReleaseNodeStatement {
  readonly kind: 'release_node';
  readonly node: string;
  readonly evidence: string | null;
}
export interface AlterClusterStatement {
  readonly kind: 'alter_cluster';
  /** Decimal text above zero. */
  readonly featureLevel: string;
}

export type NodeAdministrationStatement =
  | NodeStatement
  | AlterNodeStatement
  | QuarantineNodeStatement
  | ReleaseNodeStatement
  | AlterClusterStatement;
