import type { ConstraintCheck } from './constraint-check.js';
import { capacityFit } from './declared/capacity-fit.js';
import { distinctPorts } from './declared/distinct-ports.js';
import { failureDomainSpread } from './declared/failure-domain-spread.js';
import { freePorts } from './declared/free-ports.js';
import { installableResources } from './declared/installable-resources.js';
import { maintenanceWindow } from './declared/maintenance-window.js';
import { minimumAvailability } from './declared/minimum-availability.js';
import { platformMatch } from './declared/platform-match.js';
import { poolPermission } from './declared/pool-permission.js';
import { reachablePeers } from './declared/reachable-peers.js';
import { requiredCapabilities } from './declared/required-capabilities.js';
import { stateSource } from './declared/state-source.js';
import type { FeasibilityRule, FeasibilitySubject } from './feasibility-rule.js';

/** The rules that hold where they are declared, in the order in which explanations name them. */
const DECLARED_RULES: readonly FeasibilityRule[] = [
  poolPermission,
  maintenanceWindow,
  platformMatch,
  requiredCapabilities,
  capacityFit,
  freePorts,
  distinctPorts,
  reachablePeers,
  installableResources,
  stateSource,
  failureDomainSpread,
  minimumAvailability,
];

/** Judges every declared constraint. */
export function declaredChecks(subject: FeasibilitySubject): readonly ConstraintCheck[] {
  return DECLARED_RULES.flatMap((rule) => rule(subject) ?? []);
}
