import { capacityHeadroom } from './resources/capacity-headroom.js';
import { domainSpread } from './resources/domain-spread.js';
import { lowPressure } from './resources/low-pressure.js';
import { operatingCost } from './resources/operating-cost.js';
import { startupCost } from './resources/startup-cost.js';
import type { ScoreComponent } from './score-component.js';

/** A term of `score/2` with its weight. Terms are integers from 0 to 100. */
export interface WeightedComponent {
  readonly component: ScoreComponent;
  readonly weight: number;
}

/** The terms that `score/2` adds up before anything else is compared. */
export const RESOURCE_COMPONENTS: readonly WeightedComponent[] = [
  { component: capacityHeadroom, weight: 40 },
  { component: lowPressure, weight: 20 },
  { component: domainSpread, weight: 20 },
  { component: startupCost, weight: 15 },
  { component: operatingCost, weight: 5 },
];
