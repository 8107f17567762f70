import fc from 'fast-check';
import type { FeatureLevels } from '../../src/raft/feature-levels.ts';

/** Any feature level. */
export const anyLevel: fc.Arbitrary<number> = fc.integer({ min: 1, max: 255 });

/** What a release may support. */
export const anyLevels: fc.Arbitrary<FeatureLevels> = fc
  .tuple(anyLevel, anyLevel)
  .map(([one, other]) => ({ oldest: Math.min(one, other), newest: Math.max(one, other) }));
