import type { ConfigEntry } from '../models/config.js';

/** `{'key' = 'value', …}` in declaration order. */
export type Settings = readonly ConfigEntry[];

/** What a budget may bound. */
export const BUDGET_KEYS: ReadonlySet<string> = new Set([
  'cpu_cores',
  'memory',
  'disk',
  'moves_per_hour',
  'bulk_bytes',
  'wall_time',
  'cost',
]);

/** What a node may declare to have less of than is measured. */
export const CAPACITY_KEYS: ReadonlySet<string> = new Set([
  'cpu_cores',
  'memory',
  'disk',
  'file_handles',
  'ports',
]);

const RULE_KEYS: ReadonlySet<string> = new Set([
  'allow',
  'quiesce_ceiling',
  'window',
  'min_available_replicas',
  'approvals',
  'max_concurrent_moves',
  'destinations',
  'automatic',
  'emergency_expiry',
  'emergency_ceiling',
  'score',
  'rpo',
  'rto',
  'containment',
]);

/** Whether a policy may have a rule of this key; `owner.<field>` says who sets a field. */
export function isRuleKey(key: string): boolean {
  return RULE_KEYS.has(key) || /^owner\../u.test(key);
}
