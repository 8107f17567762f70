import { type PlacementInput, PlacementResolver } from './placement-resolver.js';
import type { PlacementOutcome } from './resolved-placement.js';

/**
 * Derives what all rules of a domain amount to in a graph: claims along corridors, the strongest
 * tier deciding each pair, the domain default for direct pairs without a claim, and hard groups.
 * The order of rules and nodes does not matter.
 *
 * @throws InvariantError when a rule names a node that the graph does not have
 */
export function resolvePlacement(input: PlacementInput): PlacementOutcome {
  return new PlacementResolver().resolve(input);
}
