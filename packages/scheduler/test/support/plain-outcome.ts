import { PLACEMENT_POLICIES } from '@nervix/model';
import type { PlacementOutcome } from '../../src/placement/resolved-placement.js';

/** Everything that an outcome says, rows that are worked out when asked for included. */
export function plain(outcome: PlacementOutcome) {
  if (outcome.kind === 'refused') return outcome;
  const { claims, ...rest } = outcome.placement;
  const { pairs, ...table } = claims;
  const rows = [...Array(claims.members.starts.length - 1).keys()].map((index) =>
    PLACEMENT_POLICIES.map((policy) => pairs.row(policy, index)),
  );
  return { ...rest, table, rows };
}
