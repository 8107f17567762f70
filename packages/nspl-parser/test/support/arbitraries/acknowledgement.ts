import type { AckWindow, RetryPolicy } from '@nervix/model';
import fc from 'fast-check';
import { KEYWORDS } from '../../../src/keywords.ts';
import { duration, name, positive, text } from './names.ts';

/** Names of things in other systems, those that need quotes among them. */
export const externalName: fc.Arbitrary<string> = fc.oneof(
  name,
  text,
  fc.constantFrom('', 'Mixed_Case', '1', 'a.b', 'sensors/+/#', 'x'.repeat(129), ...KEYWORDS),
);

export const retry: fc.Arbitrary<RetryPolicy> = fc.record({ backoff: duration, max: duration });

export const window: fc.Arbitrary<AckWindow> = fc.oneof(
  fc.constant({ kind: 'sequential' as const }),
  fc.record({ kind: fc.constant('parallel' as const), max: positive }),
);
