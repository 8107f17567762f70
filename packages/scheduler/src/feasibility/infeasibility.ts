/** Why a cluster node may not receive any unit. */
export type InfeasibilityReason =
  | 'not_voter'
  | 'not_live'
  | 'terminating'
  | 'cordoned'
  | 'quarantined'
  | 'other_incarnation'
  | 'unknown_incarnation';
