import type { Statement, StatementKind } from '@nervix/model';

/** Reads that any node answers from what it has applied. */
const LOCAL_KINDS: ReadonlySet<StatementKind> = new Set([
  'show_cluster_status',
  'show_transactions',
  'show_create',
  'show_udfs',
  'show_ingestors',
  'show_placements',
  'describe_domain',
  'describe_resource',
  'describe_relay',
  'describe_model',
  'describe_relocation',
  'describe_rebalance',
]);

/** Whether a statement needs no leader. */
export function isLocalRead({ kind }: Statement): boolean {
  return LOCAL_KINDS.has(kind);
}
